#include "app/analyses/template/template_making.h"

#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/io/companions.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "core/registration/linear/linear_alignment.h"
#include "core/toolkits/bias_field.h"
#include "gpu/registration/registration.h"

#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

namespace sulcus::app::analyses {
namespace {

namespace fs = std::filesystem;

Layer roundsTable(const std::vector<registration::RoundFigures>& rounds) {
  TableLayer table;
  table.columns = {"round", "spacing", "moved", "correlation"};
  for (std::size_t r = 0; r < rounds.size(); ++r)
    table.rows.push_back({std::to_string(r + 1), numberText(rounds[r].spacing), numberText(rounds[r].moved),
                          numberText(rounds[r].correlation)});
  return tableLayer("rounds", std::move(table));
}

/// Sentences about a finished template.
Notes summaryOf(const registration::PopulationTemplate& made, std::size_t people) {
  Notes lines = made.notes;
  if (!made.figures.empty()) {
    const auto& last = made.figures.back();
    lines.push_back(text(counted(std::int64_t(people), "person", "people"), ", ",
                         counted(std::int64_t(made.figures.size()), "round"), ": in the last, people were ",
                         last.moved, " voxels from the middle, and their correlation with the average was ",
                         last.correlation, "."));
  }
  lines.push_back(text("The mean of log J over people is ", made.meanLogJacobian, " in the object."));
  return lines;
}

std::string reportOf(const registration::PopulationTemplate& made) {
  nlohmann::ordered_json json{{"mean_logjac", made.meanLogJacobian}, {"settled", made.isSettled}};
  for (const auto& round : made.figures)
    json["rounds"].push_back(
        {{"spacing", round.spacing}, {"moved", round.moved}, {"correlation", round.correlation}});
  return io::jsonText(json);
}

/// An average and its spread as layers.
std::vector<Layer> averageLayers(const Volume<float>& average, const Volume<float>& sd) {
  std::vector<Layer> layers;
  layers.push_back(mapLayer("template", "", "gray", Series<float>(average)));
  layers.front().display.visible = true;
  layers.front().display.colorBar = false;
  layers.push_back(mapLayer("template_sd", "", "magma", Series<float>(sd)));
  return layers;
}

/// How the average changed from round to round.
std::vector<Plot> roundsPlots(const std::vector<registration::RoundFigures>& rounds) {
  Chart correlation, moved;
  correlation.xLabel = moved.xLabel = "round";
  correlation.yLabel = "correlation of people with the average";
  moved.yLabel = "distance of people from the middle (voxels)";
  if (rounds.empty()) correlation.title = moved.title = "No round is over yet";
  correlation.series = {{.name = "correlation"}};
  moved.series = {{.name = "distance"}};
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    for (Chart* chart : {&correlation, &moved}) chart->series[0].x.push_back(double(r + 1));
    correlation.series[0].y.push_back(rounds[r].correlation);
    moved.series[0].y.push_back(rounds[r].moved);
  }
  return {{"Rounds: correlation", false, [correlation](const Vec3<double>&) { return correlation; }},
          {"Rounds: distance from the middle", false, [moved](const Vec3<double>&) { return moved; }}};
}

}  // namespace

registration::PopulationInput computedOn(Backend backend, registration::PopulationInput input) {
  const bool isGpu = backend == Backend::gpu;
  input.alignLinearly = isGpu ? gpu::registration::alignLinearly : registration::alignLinearly;
  input.registerImages = isGpu ? gpu::registration::registerImages : registration::registerImages;
  input.findBiasField = toolkits::n4BiasField;
  return input;
}

std::vector<std::string> peopleNames(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const fs::path file : files) names.push_back(io::stemOf(file));
  if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) return names;
  for (std::size_t i = 0; i < files.size(); ++i)
    names[i] = fs::absolute(files[i]).parent_path().filename().string() + "_" + names[i];
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size())
    for (std::size_t i = 0; i < files.size(); ++i) names[i] += "_" + std::to_string(i + 1);
  return names;
}

void requireLabelsOfAll(std::size_t labels, std::size_t images) {
  if (labels == 0 || labels == images) return;
  throw Error("{labels} names "_message + counted(std::int64_t(labels), "file") + " for " +
                  counted(std::int64_t(images), "image"),
              "each belongs to the image at the same position in the list", "give as many labels as images",
              ErrorKind::usage);
}

Error sameImage(const std::string& one, const std::string& other) {
  return {io::quotedPath(one) + " and " + io::quotedPath(other) + " are the same image",
          "one person would count twice", "exclude one of them"};
}

Error noLabels(const std::string& quotedName) {
  return {quotedName + " does not contain labels", "labels are whole numbers",
          "give a segmentation of each person, in the order of the images"};
}

std::vector<std::pair<std::string, Layer>> personLayers(const std::string& name,
                                                        registration::TemplatePerson person) {
  std::vector<std::pair<std::string, Layer>> layers;
  const auto add = [&](const std::string& kind, Layer layer) {
    layer.name = name + "_" + kind;
    layers.emplace_back(kind, std::move(layer));
  };
  Layer logJacobian =
      mapLayer("", "log volume ratio", "cool-warm", Series<float>(std::move(person.logJacobian)));
  logJacobian.display.range = Range{-0.5, 0.5};
  logJacobian.notes.emplace_back("Above 0 where this person is larger than the template.");
  add("logjac", std::move(logJacobian));
  Layer warped = mapLayer("", "", "gray", Series<float>(std::move(person.warped)));
  warped.display.colorBar = false;
  add("warped", std::move(warped));
  Layer field;
  field.unit = "mm";
  field.content = DisplacementLayer{std::make_shared<const Series<float>>(std::move(person.displacement))};
  field.display.visible = false;
  add("displacement", std::move(field));
  return layers;
}

void PeopleTable::add(const std::string& name, const registration::TemplatePerson& person) {
  table_.rows.push_back({name, numberText(person.correlation), numberText(person.logScale),
                         numberText(person.meanLogJacobian), numberText(person.sdLogJacobian)});
}

Layer PeopleTable::layer() const { return tableLayer("people", table_); }

std::function<void(const registration::PopulationState&)> previewsOf(Analysis::Preview preview) {
  if (!preview) return {};
  return [preview = std::move(preview)](const registration::PopulationState& state) {
    preview(averageLayers(registration::inBrightness(state, state.average),
                          registration::deviationInBrightness(state, state.sd)),
            roundsPlots(state.figures));
  };
}

RunResult templateResult(const registration::PopulationTemplate& made, const PeopleTable& people,
                         std::size_t count) {
  RunResult result;
  result.layers = averageLayers(made.average, made.sd);
  if (made.labels) result.layers.push_back(labelsLayer("template_labels", made.labels));
  result.layers.push_back(people.layer());
  result.layers.push_back(roundsTable(made.figures));
  result.files.push_back({"report.json", reportOf(made)});
  result.notes = summaryOf(made, count);
  result.stages = made.stages;
  result.items = double(count);
  result.itemName = "people";
  result.plots = roundsPlots(made.figures);
  result.source = std::make_shared<MadeTemplate>(made.object, std::vector{result.layers.front()});
  return result;
}

}  // namespace sulcus::app::analyses
