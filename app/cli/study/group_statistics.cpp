#include "app/cli/study/group_statistics.h"

#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sanitized.h"
#include "core/bids/report/mean_maps.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/grids/value_check.h"
#include "core/io/below.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "core/io/streams/result_folder.h"
#include "core/io/streams/staged_files.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <system_error>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

/// Whether maps are compared by default: effects not shrunk by a prior, changes of volume, anisotropy.
bool isCompared(const bids::Name& name) {
  const std::string contrast = name.label("contrast");
  if (name.suffix == "statmap")
    return name.label("stat") == "estimate" && contrast != "intercept" && !contrast.starts_with("cosine") &&
           !contrast.starts_with("drift");
  return name.label("desc") == "logjac" || name.label("param") == "anisotropy";
}

/// The requested groups: those whose names contain the words, else those compared by default.
std::vector<bids::MapGroup> wantedGroups(const std::vector<bids::MapGroup>& groups,
                                         const std::string& words) {
  std::vector<bids::MapGroup> wanted;
  for (const auto& group : groups)
    if (words.empty() ? isCompared(group.name) : group.name.text().find(words) != std::string::npos)
      wanted.push_back(group);
  return wanted;
}

std::string subjectIn(const std::string& file) {
  std::string fault;
  const auto name = bids::parsedName(fs::path(file).filename().string(), fault);
  return name ? name->label("sub") : "";
}

/// The mean of a participant's maps; for variances, the variance of the mean.
Layer meanOfRuns(const std::vector<std::string>& files, const fs::path& out, bool ofVariances,
                 const Progress& progress) {
  Layer layer;
  std::shared_ptr<Series<float>> sum;
  for (const std::string& file : files) {
    Layer one = io::openVolume(out / file, progress.part(0, 0, "maps"), io::UnlabeledData::asImage);
    const auto* volume = std::get_if<VolumeLayer>(&one.content);
    if (!volume || volume->series->count != 1)
      throw Error(io::quotedPath(out / file) + " is not a map of one volume",
                  "one map of each participant is compared", "run its participant again");
    if (!sum) {
      layer = one;
      sum = std::make_shared<Series<float>>(*volume->series);
      continue;
    }
    if (!sameGrid(sum->grid, volume->series->grid))
      throw Error(io::quotedPath(out / file) + " has a different grid than the other runs of its participant",
                  "their mean is compared", "run its participant again");
    for (std::size_t i = 0; i < sum->values.size(); ++i) sum->values[i] += volume->series->values[i];
  }
  const float share = 1 / float(files.size());
  for (float& value : sum->values) value *= ofVariances ? share * share : share;
  layer.content = VolumeLayer{sum};
  if (files.size() > 1) layer.source.clear();
  layer.name = fs::path(files.front()).filename().string();
  return layer;
}

/// The maps of a group as inputs, a layer for each participant.
void addMaps(const bids::MapGroup& group, const char* slot, const fs::path& out, AnalysisInputs& inputs,
             const Progress& progress) {
  std::map<std::string, std::vector<std::string>> bySubject;
  for (const auto& file : group.files) bySubject[subjectIn(file)].push_back(file);
  for (const auto& [subject, files] : bySubject)
    inputs.emplace(slot, std::make_shared<const Layer>(
                             meanOfRuns(files, out, std::string(slot) == "variances", progress)));
}

/// The study's table of participants; null if there is none.
LayerPtr peopleOf(const bids::Study& study) {
  for (const auto& dataset : study) {
    const fs::path file = dataset.root / "participants.tsv";
    std::error_code fault;
    if (!dataset.derivative && fs::exists(file, fault))
      return std::make_shared<const Layer>(io::openTable(file));
  }
  return nullptr;
}

/// The variances that belong to effects; none for other maps.
const bids::MapGroup* variancesOf(const bids::MapGroup& group, const std::vector<bids::MapGroup>& all) {
  if (group.name.label("stat") != "estimate") return nullptr;
  const std::string name = group.name.with("stat", "variance").text();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const bids::MapGroup& one) { return one.name.text() == name; });
  return found == all.end() || found->files.size() != group.files.size() ? nullptr : &*found;
}

}  // namespace

int runGroupStatistics(const StudyRequest& request, const CliContext& session) {
  const Analysis& analysis = *request.run.analysis;
  const bids::Study study = openStudyFor(request);
  const fs::path out = request.out;
  Notes notes;
  const auto all = bids::mapGroups(bids::openRecords(out, notes), notes);
  const auto groups = wantedGroups(all, request.maps);
  if (groups.empty()) {
    const std::string why = notes.empty() ? "people are compared voxel by voxel" : notes.front().line();
    throw Error(io::quotedPath(out) + " holds no maps " + (request.maps.empty() ? "" : "of this name ") +
                    "in a common space",
                why,
                "transform them to one: bids … group --template, or scans in a space of fMRIPrep; --maps "
                "names others");
  }
  const OptionValues values = request.parameters();
  const LayerPtr people = peopleOf(study);
  nlohmann::ordered_json json{{"out", request.out}};
  for (const auto& group : groups) {
    bids::Name folder = group.name;
    folder.extension.clear();
    const fs::path place = out / "statistics" / folder.stem();
    io::requireInto(place, out);
    RunResult result;
    {
      ProgressDisplay display(session);
      const Progress progress = display.progress();
      AnalysisInputs inputs = openInputs(analysis.inputs, *request.run.files, progress.part(0, 0, "read"));
      addMaps(group, "maps", out, inputs, progress.part(0, 0.1, "maps"));
      if (const auto* variances = variancesOf(group, all))
        addMaps(*variances, "variances", out, inputs, progress.part(0.1, 0.15, "maps"));
      if (people) inputs.emplace("people", people);
      const auto& run = request.run.backend == "gpu" ? analysis.gpu : analysis.cpu;
      withThreads(request.run.threads,
                  [&] { result = run(inputs, values, progress.part(0.15, 0.95, "statistics"), {}); });
      auto staged = io::StagedFiles::results(place, io::resultNames(analysis.outputs), true);
      io::writeResult(result.layers, result.files, result.provenance, {staged, {}, request.run.choice},
                      progress.part(0.95, 1, "write"));
      staged.publish();
    }
    if (session.json) {
      json["statistics"].push_back(
          {{"maps", folder.stem()}, {"folder", place.string()}, {"notes", result.notes}});
      continue;
    }
    std::cout << sanitizedForDisplay(folder.stem()) << "\n";
    for (const auto& note : result.notes) std::cout << "  " << sanitizedForDisplay(note.line()) << "\n";
  }
  if (session.json)
    std::cout << io::jsonText(json);
  else
    std::cout << "The results are in " << sanitizedForDisplay((out / "statistics").string()) << "\n";
  return exit_code::done;
}

}  // namespace sulcus::app::cli
