#include "app/cli/template_files.h"

#include "app/analyses/run_support.h"
#include "app/analyses/template/template_making.h"
#include "app/cli/scan.h"
#include "app/cli/template_store.h"
#include "core/base/error.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "core/io/streams/staged_files.h"

#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

/// The provenance of the files.
std::vector<InputFile> inputFilesOf(const TemplateFiles& files, const Progress& progress, Notes& notes) {
  std::vector<InputFile> inputs;
  for (const auto& file : files.images)
    inputs.push_back({analyses::kPeopleImages, file, analyses::checksum(file, progress, notes)});
  for (const auto& file : files.labels)
    inputs.push_back({analyses::kPeopleLabels, file, analyses::checksum(file, progress, notes)});
  for (std::size_t a = 0; a < files.images.size(); ++a)
    for (std::size_t b = a + 1; b < files.images.size(); ++b)
      if (!inputs[a].sha256.empty() && inputs[a].sha256 == inputs[b].sha256)
        throw analyses::sameImage(files.images[a], files.images[b]);
  return inputs;
}

/// The key of unfinished work: images, labels and options.
std::string keyOf(const std::vector<InputFile>& inputs, const OptionValues& values) {
  std::string key = io::optionsJson(values) + sulcusVersion();
  for (const auto& input : inputs) key += input.slot + input.path + input.sha256;
  return io::sha256OfText(key);
}

/// Knows images that were opened by their values, of which not all are in memory at once.
class OpenedImages {
 public:
  explicit OpenedImages(const TemplateFiles& files) : files_(files) {}

  /// Throws Error if an image opened for somebody else has the same values, though in another file.
  void add(std::size_t person, const std::vector<float>& values) {
    std::uint64_t hash = 14695981039346656037u;  // FNV-1a, over the bits of values
    for (const float value : values) hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 1099511628211u;
    const std::lock_guard lock(mutex_);
    const auto [known, isNew] = people_.try_emplace({values.size(), hash}, person);
    if (!isNew && known->second != person)
      throw analyses::sameImage(files_.images[known->second], files_.images[person]);
  }

 private:
  const TemplateFiles& files_;
  std::mutex mutex_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> people_;
};

registration::PopulationInput inputOf(const TemplateFiles& files) {
  registration::PopulationInput input;
  input.names = files.names;
  const auto opened = std::make_shared<OpenedImages>(files);
  input.open = [&files, opened](std::size_t person) {
    const Layer layer = openScan(files.images[person], {}, io::UnlabeledData::asImage);
    const auto* volume = std::get_if<VolumeLayer>(&layer.content);
    if (volume) opened->add(person, volume->series->values);
    return volume ? volume->series : nullptr;
  };
  if (!files.labels.empty())
    input.openLabels = [&files](std::size_t person) {
      const Layer layer = openScan(files.labels[person], {}, io::UnlabeledData::areLabels);
      const auto* labels = std::get_if<LabelsLayer>(&layer.content);
      if (!labels) throw analyses::noLabels(io::quotedPath(files.labels[person]));
      return labels->labels;
    };
  return input;
}

/// A template whose rounds are kept in a folder of their own until it is finished.
registration::PopulationTemplate makeResumable(const registration::PopulationInput& input,
                                               const registration::PopulationOptions& options,
                                               const TemplateFiles& files, const std::string& key,
                                               const Progress& progress) {
  const auto store = folderStore(files.unfinished, key);
  try {
    return registration::makeTemplate(input, options, store, progress);
  } catch (...) {
    removeIfUnused(files.unfinished);
    throw;
  }
}

}  // namespace

RunResult makeTemplateOf(const TemplateFiles& files, const Progress& progress) {
  analyses::requireLabelsOfAll(files.labels.size(), files.images.size());
  Notes notes;
  auto provenance = std::make_shared<Provenance>();
  provenance->inputs = inputFilesOf(files, progress.part(0, 0.01, "checksums"), notes);
  provenance->analysis = analyses::kTemplateName;
  provenance->version = sulcusVersion();
  provenance->parameters = files.values;
  provenance->backend = backendName(files.backend);
  provenance->device = analyses::deviceName(files.backend);
  provenance->created = utcNow();
  files.complete(*provenance);
  registration::PopulationInput input = analyses::computedOn(files.backend, inputOf(files));
  analyses::PeopleTable people;
  input.deliver = [&](registration::TemplatePerson person) {
    const std::string& name = input.names[person.person];
    people.add(name, person);
    for (auto& [kind, layer] : analyses::personLayers(name, std::move(person))) {
      const fs::path to = files.fileOf(name, kind);
      if (to.empty()) continue;
      layer.provenance = provenance;
      io::writeStaged(to, layer, {});
    }
  };
  input.preview = analyses::previewsOf(files.preview);
  const auto options = optionsFrom<registration::PopulationOptions>(files.values);
  const auto made = makeResumable(input, options, files, keyOf(provenance->inputs, files.values),
                                  progress.part(0.01, 1, ""));
  RunResult result = analyses::templateResult(made, people, files.names.size());
  result.notes.insert(result.notes.end(), notes.begin(), notes.end());
  for (const auto& stage : result.stages) result.seconds += stage.seconds;
  result.waited = result.seconds;
  result.provenance = *provenance;
  result.provenance.stages = result.stages;
  analyses::shareProvenance(result);
  return result;
}

}  // namespace sulcus::app::cli
