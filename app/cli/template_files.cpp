#include "app/cli/template_files.h"

#include "app/analyses/registration/template_making.h"
#include "app/analyses/run_support.h"
#include "app/cli/progress.h"
#include "app/cli/scan.h"
#include "app/cli/template_store.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/parallel/parallel_for.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/staged_files.h"
#include "core/io/tables/tables.h"

#include <filesystem>
#include <memory>
#include <system_error>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

/// What the provenance says of the files.
std::vector<InputFile> inputFilesOf(const TemplateCall& call, const Progress& progress) {
  std::vector<InputFile> inputs;
  Notes notes;
  for (const auto& file : call.images)
    inputs.push_back({"images", file, analyses::checksum(file, progress, notes)});
  for (const auto& file : call.labels)
    inputs.push_back({"labels", file, analyses::checksum(file, progress, notes)});
  for (std::size_t a = 0; a < call.images.size(); ++a)
    for (std::size_t b = a + 1; b < call.images.size(); ++b)
      if (!inputs[a].sha256.empty() && inputs[a].sha256 == inputs[b].sha256)
        throw Error(
            io::quotedPath(call.images[a]) + " and " + io::quotedPath(call.images[b]) + " are the same image",
            "one person would count twice", "leave one of them out");
  return inputs;
}

/// What the work in `T.unfinished` is known by: images, labels and options.
std::string keyOf(const std::vector<InputFile>& inputs, const OptionValues& values) {
  std::string key = io::optionsJson(values) + sulcusVersion();
  for (const auto& input : inputs) key += input.slot + input.path + input.sha256;
  return io::sha256OfText(key);
}

registration::PopulationInput inputOf(const TemplateCall& call) {
  registration::PopulationInput input;
  input.names = call.names;
  input.open = [&call](std::size_t person) {
    const Layer layer = openScan(call.images[person], {}, io::UnlabeledData::asImage);
    const auto* volume = std::get_if<VolumeLayer>(&layer.content);
    return volume ? volume->series : nullptr;
  };
  if (!call.labels.empty())
    input.openLabels = [&call](std::size_t person) {
      const Layer layer = openScan(call.labels[person], {}, io::UnlabeledData::areLabels);
      const auto* labels = std::get_if<LabelsLayer>(&layer.content);
      if (!labels)
        throw Error(io::quotedPath(call.labels[person]) + " holds no labels", "labels are whole numbers",
                    "give a segmentation of each person, in the order of the images");
      return labels->labels;
    };
  return input;
}

}  // namespace

registration::PopulationTemplate makeTemplateFiles(const TemplateCall& call, const CliContext& session) {
  const fs::path out = call.out;
  const fs::path folder = call.folder;
  std::vector<std::string> names = call.personFiles;
  for (const char* name :
       {"template*.nii.gz", "template*.json", "people.tsv", "rounds.tsv", "provenance.json"})
    names.push_back((folder / name).string());
  auto staged = io::StagedFiles::results(out, names, call.overwrite);
  const fs::path named = out.has_filename() ? out : out.parent_path();
  fs::path unfinished = folder.empty() ? named : out / folder;
  unfinished += ".unfinished";
  registration::PopulationTemplate made;
  TableLayer people{{"participant_id", "correlation", "log_scale", "mean_logjac", "sd_logjac"}, {}};
  auto provenance = std::make_shared<Provenance>();
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    provenance->inputs = inputFilesOf(call, progress.part(0, 0.01, "checksums"));
    provenance->analysis = "template";
    provenance->version = sulcusVersion();
    provenance->parameters = call.values;
    provenance->backend = backendName(call.backend);
    provenance->device = analyses::deviceName(call.backend);
    provenance->commandLine = session.call;
    provenance->created = utcNow();
    registration::PopulationInput input = analyses::computedOn(call.backend, inputOf(call));
    input.deliver = [&](const registration::TemplatePerson& person) {
      const std::string& name = input.names[person.person];
      for (auto& [kind, layer] : analyses::personLayers(name, person)) {
        layer.provenance = provenance;
        io::writeStaged(staged.file(call.personFile(name, kind) + ".nii.gz"), layer, {});
      }
      people.rows.push_back({name, numberText(person.correlation), numberText(person.logScale),
                             numberText(person.meanLogJacobian), numberText(person.sdLogJacobian)});
    };
    withThreads(call.threads, [&] {
      made = registration::makeTemplate(input, optionsFrom<registration::PopulationOptions>(call.values),
                                        folderStore(unfinished, keyOf(provenance->inputs, call.values)),
                                        progress.part(0.01, 0.98, ""));
    });
    provenance->stages = made.stages;
    for (Layer& layer : analyses::templateLayers(made)) {
      layer.provenance = provenance;
      io::writeStaged(staged.file(folder / (layer.name + ".nii.gz")), layer, progress.part(0.98, 1, "write"));
    }
    io::writeStaged(staged.file(folder / "people.tsv"), io::tableText(people, '\t'));
    io::writeStaged(staged.file(folder / "rounds.tsv"),
                    io::tableText(analyses::roundsTable(made.figures), '\t'));
    io::writeStaged(staged.file(folder / "provenance.json"), io::provenanceJson(*provenance));
  }
  staged.publish();
  std::error_code fault;
  fs::remove_all(unfinished, fault);
  return made;
}

}  // namespace sulcus::app::cli
