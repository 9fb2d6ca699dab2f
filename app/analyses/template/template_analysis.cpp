#include "app/analyses/template/template_analysis.h"

#include "app/analyses/input_layers.h"
#include "app/analyses/run_support.h"
#include "app/analyses/template/template_making.h"
#include "core/analysis/chart_parts.h"
#include "core/analysis/layer_agreement.h"
#include "core/analysis/value_agreement.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/grids/index_at.h"
#include "core/phantom/people_phantom.h"
#include "core/registration/population/linear_average.h"
#include "core/registration/population/population_memory.h"
#include "core/registration/preparation/resample.h"
#include "gpu/registration/registration.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>

namespace sulcus::app::analyses {
namespace {

using Image = std::shared_ptr<const Series<float>>;

/// The names of the people: those of their files if all images are files, else of their layers.
std::vector<std::string> namesOf(const std::vector<const Layer*>& images) {
  std::vector<std::string> files, names;
  for (const Layer* image : images) {
    names.push_back(image->name);
    if (!image->source.empty()) files.push_back(image->source);
  }
  return peopleNames(files.size() == names.size() ? files : names);
}

/// Whether two images are identical. Most differ in one of a few values that are compared first.
bool areSame(const Image& a, const Image& b) {
  if (a == b) return true;
  const std::vector<float>&one = a->values, &other = b->values;
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); i += one.size() / 1009 + 1)
    if (one[i] != other[i]) return false;
  return one == other;
}

registration::PopulationInput populationInput(const AnalysisInputs& inputs) {
  registration::PopulationInput input;
  const auto images = layersOf(inputs, kPeopleImages), labels = layersOf(inputs, kPeopleLabels);
  requireLabelsOfAll(labels.size(), images.size());
  input.names = namesOf(images);
  std::vector<Image> series;
  for (const Layer* image : images) series.push_back(volumeOf(*image, kPeopleImages).series);
  for (std::size_t a = 0; a < series.size(); ++a)
    for (std::size_t b = a + 1; b < series.size(); ++b)
      if (areSame(series[a], series[b])) throw sameImage(images[a]->name, images[b]->name);
  input.open = [series](std::size_t person) { return series[person]; };
  if (labels.empty()) return input;
  std::vector<std::shared_ptr<const Volume<Label>>> segmentations;
  for (const Layer* layer : labels) {
    const auto* content = std::get_if<LabelsLayer>(&layer->content);
    if (!content) throw noLabels("'" + layer->name + "'");
    segmentations.push_back(content->labels);
  }
  input.openLabels = [segmentations](std::size_t person) { return segmentations[person]; };
  return input;
}

/// log J of every person at the crosshair.
Plot peoplePlot(const std::shared_ptr<const MadeTemplate>& made, const std::vector<std::string>& names) {
  std::vector<Chart::Subject> subjects(1);  // of the layers, of which the first is the template
  for (std::size_t p = 0; p < names.size(); ++p)
    subjects.push_back({names[p], std::make_shared<const Layer>(made->layers[p + 1]), 0});
  return {"People", true, [made, subjects](const Vec3<double>& at) {
            Chart chart = emptyChart("Above 0: larger than the template, at the crosshair",
                                     "person, in the order of the images", "log volume ratio");
            Chart::Series people{"people", Chart::Kind::points};
            for (std::size_t p = 1; p < made->layers.size(); ++p) {
              const auto& map = *std::get<VolumeLayer>(made->layers[p].content).series;
              const std::int64_t voxel = indexAt(map.grid, at);
              if (voxel < 0) continue;
              people.x.push_back(double(p));
              people.y.push_back(map.at(voxel, 0));
              people.subjects.push_back(subjects[p]);
            }
            if (people.x.empty()) chart.title = "No value at the crosshair: it is outside the template";
            chart.series = {std::move(people)};
            return chart;
          }};
}

RunResult runTemplate(Backend backend, const AnalysisInputs& inputs, const OptionValues& values,
                      const Progress& progress, const Analysis::Preview& preview) {
  const auto options = optionsFrom<registration::PopulationOptions>(values);
  registration::PopulationInput input = computedOn(backend, populationInput(inputs));
  PeopleTable people;
  std::map<std::string, std::vector<Layer>> ofPeople;  // by kind
  input.deliver = [&](registration::TemplatePerson person) {
    people.add(input.names[person.person], person);
    for (auto& [kind, layer] : personLayers(input.names[person.person], std::move(person))) {
      ofPeople[kind].push_back(std::move(layer));
    }
  };
  input.preview = previewsOf(preview);
  RunResult result =
      templateResult(registration::makeTemplate(input, options, registration::memoryStore(), progress),
                     people, input.names.size());
  auto made = std::make_shared<MadeTemplate>(result.source.as<MadeTemplate>());
  made->layers.insert(made->layers.end(), ofPeople["logjac"].begin(), ofPeople["logjac"].end());
  for (const char* kind : {"logjac", "warped", "displacement"})
    result.layers.insert(std::ranges::find_if(result.layers, isTable),
                         std::make_move_iterator(ofPeople[kind].begin()),
                         std::make_move_iterator(ofPeople[kind].end()));
  result.plots.push_back(peoplePlot(made, input.names));
  result.source = made;
  return result;
}

Comparison compare(const RunResult& a, const RunResult& b, const Progress& progress) {
  const auto &left = a.source.as<MadeTemplate>().layers, &right = b.source.as<MadeTemplate>().layers;
  Comparison comparison;
  if (left.size() != right.size()) comparison.reasons.emplace_back("They have different numbers of people.");
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    Comparison one = compareLayers(left[i], right[i], seenLimits(left[i]), progress);
    for (AgreementRow& row : one.rows) row.quantity = left[i].name + ": " + row.quantity;
    if (i == 0) {
      comparison.difference = std::move(one.difference);
      comparison.worst = std::move(one.worst);
    }
    std::ranges::move(one.rows, std::back_inserter(comparison.rows));
    std::ranges::move(one.reasons, std::back_inserter(comparison.reasons));
  }
  return comparison;
}

/// The head from which all images were made, compared with the template inside its object, with matched
/// brightness.
std::vector<AgreementRow> compareWithTruth(const RunResult& result, const AnalysisInputs& inputs,
                                           const Progress& progress) {
  const Layer* truth = layerOf(inputs, "truth");
  if (!truth) return {};
  const auto& made = result.source.as<MadeTemplate>();
  const Series<float>& average = *volumeOf(made.layers.front(), "template").series;
  const Series<float>& head = *volumeOf(*truth, "truth").series;
  const Volume<float> there = registration::resampled({head.grid, head.volume(0)}, average.grid, {},
                                                      {Interpolation::linear, 0.f}, nullptr, progress);
  std::vector<float> found, right;
  double product = 0, squares = 0, sum = 0;
  for (std::size_t i = 0; i < made.object.values.size(); ++i) {
    if (made.object.values[i] == 0) continue;
    found.push_back(average.values[i]);
    right.push_back(there.values[i]);
    product += double(found.back()) * right.back();
    squares += double(right.back()) * right.back();
  }
  const double brightness = product / std::max(squares, 1e-30);
  for (const float value : right) sum += value * brightness;
  const double percent = 100 * double(right.size()) / std::max(sum, 1e-30);  // of the mean
  for (std::size_t i = 0; i < right.size(); ++i) {
    right[i] = float(right[i] * brightness * percent);
    found[i] = float(found[i] * percent);
  }
  AgreementRow row = valueAgreement({"brightness, of its mean", "%"}, found, right, 10, 0).difference;
  row.shareNeeded = 0.95;
  return {row};
}

std::vector<Grid> gridsOf(const AnalysisInputs& inputs) {
  std::vector<Grid> grids;
  for (const Layer* image : layersOf(inputs, kPeopleImages))
    if (const Grid* grid = gridOf(*image)) grids.push_back(*grid);
  return grids;
}

std::string validate(const AnalysisInputs& inputs, const OptionValues& values) {
  const auto grids = gridsOf(inputs);
  if (grids.empty()) return {};
  registration::requireSeveral(grids.size());
  populationInput(inputs);
  const auto options = optionsFrom<registration::PopulationOptions>(values);
  return text(grids.size(), " people, voxels of ", registration::templateSpacing(grids, options), " mm, ",
              counted(options.rounds, "round"), " at most");
}

MemoryNeed memory(const AnalysisInputs& inputs, const OptionValues& values) {
  const auto options = optionsFrom<registration::PopulationOptions>(values);
  registration::RegistrationInput one;
  if (const auto images = layersOf(inputs, kPeopleImages); !images.empty())
    if (const auto* volume = std::get_if<VolumeLayer>(&images.front()->content))
      one.templateImage = one.reference = volume->series;
  return {registration::populationHostBytes(gridsOf(inputs), options),
          gpu::registration::registrationDeviceBytes(one, options.registration)};
}

AnalysisInputs demo(const OptionValues& values) {
  const phantom::PeoplePhantom people(optionsFrom<phantom::PeoplePhantomOptions>(values));
  AnalysisInputs inputs;
  const auto image = [](std::string name, Image series) {
    Layer layer;
    layer.name = std::move(name);
    layer.content = VolumeLayer{std::move(series)};
    return layer;
  };
  for (std::size_t p = 0; p < people.count(); ++p) {
    Layer person = image("person-" + std::to_string(p + 1), people.image(p));
    person.display.visible = p == 0;
    give(inputs, kPeopleImages, std::move(person));
  }
  Layer head = image("true head", people.head());
  head.display.visible = false;
  give(inputs, "truth", std::move(head));
  return inputs;
}

std::vector<InputSlot> slots() {
  InputSlot images{kPeopleImages, "Images", "One image of each person, of one contrast, on any grid", true,
                   isImage};
  images.many = true;
  images.suggested = true;
  images.onAnyGrid = true;
  images.unasked = [](const Layer& layer) { return !isTissueMap(layer); };
  InputSlot labels = ofLabels(
      {kPeopleLabels, "Labels",
       "A segmentation of each person, in the order of the images: each voxel of the template gets its most "
       "frequent label",
       false, [](const Layer& layer) { return std::holds_alternative<LabelsLayer>(layer.content); }});
  labels.many = true;
  labels.advanced = true;
  labels.unasked = [](const Layer&) { return false; };
  InputSlot truth{"truth", "Truth",
                  "The head from which all were made, to measure how close the template is to it", false,
                  isImage};
  truth.advanced = true;
  truth.unasked = [](const Layer&) { return false; };
  return {images, labels, truth};
}

}  // namespace

Analysis templateAnalysis() {
  Analysis row;
  row.name = kTemplateName;
  row.title = "Template";
  row.summary =
      "Averages the images of several people in the middle of their shapes, without bias towards any of them";
  row.inputs = slots();
  row.options = describeOptions<registration::PopulationOptions>();
  row.outputs = {"template",        "template_sd",     "template_labels*",
                 "people/*_logjac", "people/*_warped", "people/*_displacement",
                 "people",          "rounds",          "report"};
  row.cpu = std::bind_front(runTemplate, Backend::cpu);
  row.gpu = std::bind_front(runTemplate, Backend::gpu);
  row.advice = validate;
  row.memory = memory;
  row.compare = compare;
  row.compareWithTruth = compareWithTruth;
  row.demoTitle = "people of one head";
  row.demoOptions = describeOptions<phantom::PeoplePhantomOptions>();
  row.demo = demo;
  return row;
}

}  // namespace sulcus::app::analyses
