#include "app/cli/study/study_template.h"

#include "app/cli/progress.h"
#include "app/cli/scan.h"
#include "app/cli/template_files.h"
#include "core/base/error.h"
#include "core/base/note.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sanitized.h"
#include "core/bids/results/records.h"
#include "core/image/grids/value_check.h"
#include "core/io/below.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "core/io/streams/result_folder.h"
#include "core/io/streams/staged_files.h"
#include "core/registration/linear/linear_alignment.h"
#include "core/registration/population/population_template.h"
#include "core/registration/results/apply_field.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <system_error>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char *kSpace = "template", *kFolder = "template";

bool isNifti(const std::string& extension) { return extension == ".nii.gz" || extension == ".nii"; }

/// The first T1w image of a participant in its own space; "" if there is none.
fs::path anatomyOf(const std::string& subject, const bids::Study& study) {
  for (const auto& dataset : study)
    for (const auto& file : dataset.files) {
      const std::string desc = file.name.label("desc");
      if (file.present && file.name.label("sub") == subject && file.name.suffix == "T1w" &&
          isNifti(file.name.extension) && file.name.label("space").empty() &&
          (desc.empty() || desc == "preproc"))
        return dataset.pathOf(file);
    }
  return {};
}

/// The name of a person's file of a kind, relative to the output folder and without extension.
std::string personFileOf(const std::string& person, const std::string& kind) {
  const std::string begin = person + "/anat/" + person;
  if (kind == "logjac") return begin + "_space-template_desc-logjac_xfmmap";
  if (kind == "warped") return begin + "_space-template_desc-warped_T1w";
  return begin + "_from-T1w_to-template_mode-image_xfm";
}

/// The file in a provenance, by its URI or path; "" if it is not found.
fs::path inputNamed(const std::string& path, const bids::Study& study) {
  std::error_code fault;
  if (!path.starts_with("bids:")) return fs::exists(path, fault) ? fs::path(path) : fs::path();
  const std::string below = path.substr(path.find(':', 5) + 1);
  for (const auto& dataset : study)
    if (fs::exists(dataset.root / below, fault)) return dataset.root / below;
  return {};
}

/// The mean of an analyzed series, for its alignment; for a diffusion series its first volume.
Series<float> meanOf(const fs::path& file, bool isDiffusion, const Progress& progress) {
  const Layer layer = openScan(file, progress, io::UnlabeledData::asImage);
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  if (!volume)
    throw Error(io::quotedPath(file) + " is not a series",
                "it is needed to transform the maps of its participant", "run it again");
  const Series<float>& series = *volume->series;
  Series<float> mean(series.grid, 1);
  const int count = isDiffusion ? 1 : series.count;
  for (int v = 0; v < count; ++v)
    for (std::int64_t i = 0; i < series.grid.voxels(); ++i)
      if (const float value = series.at(i, v); isSound(value)) mean.at(i, 0) += value / float(count);
  return mean;
}

bids::Record templateRecord(const std::string& subject, const std::string& run, const TemplateFiles& call) {
  bids::Record record;
  record.analysis = "template";
  record.subject = subject;
  record.run = run;
  record.done = true;
  record.provenance.analysis = "template";
  record.provenance.version = sulcusVersion();
  record.provenance.parameters = call.values;
  record.provenance.backend = backendName(call.backend);
  record.created = record.provenance.created = utcNow();
  return record;
}

void addFile(const fs::path& out, const std::string& file, bids::Record& record) {
  std::error_code fault;
  record.files.push_back(file);
  record.bytes.push_back(fs::file_size(out / file, fault));
}

/// The people of a template and their files.
struct TemplatePeople {
  TemplateFiles files;
  std::vector<std::string> results;         ///< possible names of their files, relative to the output folder
  std::map<std::string, fs::path> anatomy;  ///< by participant
};

TemplatePeople peopleOf(const StudyRequest& request, const bids::Study& study, Notes& notes) {
  TemplatePeople people;
  TemplateFiles& files = people.files;
  std::string without;
  for (const auto& subject : study.front().subjects) {
    const fs::path file = anatomyOf(subject, study);
    if (file.empty()) {
      without += (without.empty() ? "sub-" : ", sub-") + subject;
      continue;
    }
    people.anatomy[subject] = file;
    files.images.push_back(file.string());
    files.names.push_back("sub-" + subject);
    for (const char* kind : {"warped", "logjac", "displacement"})
      for (const char* ending : {".nii.gz", ".json"})
        people.results.push_back(personFileOf(files.names.back(), kind) + ending);
  }
  if (!without.empty())
    notes.push_back(Note::warning("without a T1w image, excluded from the template: " + without + "."));
  files.values = optionValues(registration::PopulationOptions());
  files.backend = request.run.backend == "gpu" ? Backend::gpu : Backend::cpu;
  files.unfinished = fs::path(request.out) / (std::string(kFolder) + ".unfinished");
  return people;
}

/// Makes the template and writes it; returns its notes.
Notes makeStudyTemplate(const TemplatePeople& people, const StudyRequest& request,
                        const CliContext& session) {
  auto names = people.results;
  for (const auto& name : io::resultNames({"template*", "people", "rounds", "report"}))
    names.push_back((fs::path(kFolder) / name).string());
  auto staged = io::StagedFiles::results(request.out, names, true);
  RunResult made;
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    TemplateFiles files = people.files;
    files.fileOf = [&](const std::string& name, const std::string& kind) {
      return staged.file(personFileOf(name, kind) + ".nii.gz");
    };
    files.complete = [&](Provenance& provenance) { provenance.commandLine = session.call; };
    withThreads(request.run.threads, [&] { made = makeTemplateOf(files, progress.part(0, 0.98, "")); });
    io::writeResult(made.layers, made.files, made.provenance, {staged, kFolder}, progress.part(0.98, 1, ""));
  }
  staged.publish();
  std::error_code fault;
  fs::remove_all(people.files.unfinished, fault);
  return made.notes;
}

/// The spaces of the maps of a study, and the grid of the template.
struct TemplateSpace {
  const bids::Study& study;
  fs::path out;
  Grid grid;  ///< of the template
};

/// The scan that a run analyzed; "" if it is missing.
fs::path scanOf(const bids::Record& run, const bids::Study& study) {
  const auto& inputs = run.provenance.inputs;
  const auto input = std::ranges::find(inputs, run.analysis == "fibers" ? "dwi" : "bold", &InputFile::slot);
  return input == inputs.end() ? fs::path() : inputNamed(input->path, study);
}

/// Transforms the maps of one run to the template; returns how many.
int bringAlong(const bids::Record& run, const TemplatePeople& people, const TemplateSpace& to, Notes& notes,
               const Progress& progress) {
  const auto anatomy = people.anatomy.find(run.subject);
  if (anatomy == people.anatomy.end()) return 0;
  const std::string person = "sub-" + run.subject;
  std::shared_ptr<const Series<float>> field;
  std::optional<Affine> scanFromAnatomy;
  bids::Record record = templateRecord(run.subject, run.run, people.files);
  fs::path folder;
  for (const auto& file : run.files) {
    std::string fault;
    const auto name = bids::parsedName(fs::path(file).filename().string(), fault);
    if (!name || !isNifti(name->extension)) continue;
    const std::string space = name->label("space");
    if (!space.empty() && space != "T1w") continue;
    std::vector<registration::Transform> chain;
    if (space.empty()) {
      if (!scanFromAnatomy) {
        const fs::path scan = scanOf(run, to.study);
        if (scan.empty()) {
          notes.push_back(
              Note::warning("the scan of " + run.run +
                            " is missing, which is needed to transform its maps to the template."));
          return 0;
        }
        const Layer image = openScan(anatomy->second, progress, io::UnlabeledData::asImage);
        scanFromAnatomy = registration::alignLinearly(meanOf(scan, run.analysis == "fibers", progress),
                                                      *std::get<VolumeLayer>(image.content).series, {nullptr},
                                                      {registration::LinearAlignment::rigid}, {}, progress);
      }
      chain.push_back({.map = *scanFromAnatomy});
    }
    if (!field) {
      const Layer layer = io::openVolume(to.out / (personFileOf(person, "displacement") + ".nii.gz"));
      field = std::get<DisplacementLayer>(layer.content).displacement;
    }
    chain.push_back({.map = {}, .field = field});
    const Layer layer = io::openVolume(to.out / file, progress);
    Layer moved = registration::applyField(layer, chain, to.grid, {}, progress);
    moved.name = layer.name;
    bids::Name named = name->with("space", kSpace);
    folder = fs::path(file).parent_path();
    const std::string place = (folder / named.text()).generic_string();
    io::requireInto(to.out / place, to.out);
    io::saveLayer(moved, to.out / place, true, progress);
    addFile(to.out, place, record);
  }
  if (record.files.empty()) return 0;
  io::writeFile(to.out / folder / (run.run + "_desc-" + run.analysis + "Template_provenance.json"),
                bids::recordText(record), true);
  return int(record.files.size());
}

}  // namespace

int runStudyTemplate(const StudyRequest& request, const CliContext& session) {
  const bids::Study study = openStudyFor(request);
  const fs::path out = request.out;
  Notes notes;
  const TemplatePeople people = peopleOf(request, study, notes);
  const fs::path file = out / kFolder / "template.nii.gz";
  std::error_code fault;
  if (!fs::exists(file, fault) || request.run.overwrite) {
    for (Note& line : makeStudyTemplate(people, request, session)) notes.push_back(std::move(line));
    for (const auto& [subject, anatomy] : people.anatomy) {
      const std::string person = "sub-" + subject;
      bids::Record record = templateRecord(subject, person, people.files);
      for (const char* kind : {"warped", "logjac", "displacement"})
        addFile(out, personFileOf(person, kind) + ".nii.gz", record);
      io::writeFile(out / person / "anat" / (person + "_desc-template_provenance.json"),
                    bids::recordText(record), true);
    }
  } else {
    notes.emplace_back("The template exists; --overwrite recreates it.");
  }
  int brought = 0;
  {
    ProgressDisplay display(session);
    const Progress progress = display.progress();
    const Layer image = io::openVolume(file, {}, io::UnlabeledData::asImage);
    const TemplateSpace to{study, out, std::get<VolumeLayer>(image.content).series->grid};
    const auto records = bids::openRecords(out, notes);
    withThreads(request.run.threads, [&] {
      for (std::size_t r = 0; r < records.size(); ++r) {
        const Progress part = progress.part(double(r) / double(records.size()),
                                            double(r + 1) / double(records.size()), "to the template");
        const bids::Record& run = records[r];
        if (run.done && (run.analysis == "activation" || run.analysis == "fibers"))
          brought += bringAlong(run, people, to, notes, part.part(0, 0, ""));
        part.update(1);
      }
    });
  }
  notes.push_back(std::to_string(brought) + " maps were transformed to the template.");
  if (session.json) {
    std::cout << io::jsonText(
        nlohmann::ordered_json{{"out", request.out}, {"maps", brought}, {"notes", notes}});
    return exit_code::done;
  }
  for (const auto& note : notes) std::cout << sanitizedForDisplay(note.line()) << "\n";
  std::cout << "The template is " << sanitizedForDisplay(file.string()) << "\n";
  return exit_code::done;
}

}  // namespace sulcus::app::cli
