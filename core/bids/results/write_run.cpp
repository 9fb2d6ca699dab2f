#include "core/bids/results/write_run.h"

#include "core/base/error.h"
#include "core/bids/report/pictures.h"
#include "core/bids/results/outputs.h"
#include "core/image/display/layer_kinds.h"
#include "core/io/below.h"
#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/streams/file_json.h"
#include "core/io/streams/staged_files.h"

#include <algorithm>
#include <system_error>

namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;

/// Whether the scan's sidecars say that it is skull-stripped.
bool isStripped(const Job& job) {
  for (const auto& file : job.sidecars) {
    const auto json = io::openCompanionJson(file).object;
    if (json.contains("SkullStripped") && json["SkullStripped"].is_boolean())
      return json["SkullStripped"].get<bool>();
  }
  return false;
}

/// Adds the BIDS keys to the sidecar of a staged layer that not every sidecar has.
void addKeys(const fs::path& sidecar, const Layer& layer, const Job& job, const Finished& run,
             const Study& study) {
  auto json = io::openJson(sidecar);
  json["Description"] = run.analysis->title + ": " + layer.name;
  const auto reference = job.inputs.find("reference");
  if (!job.reference.empty() && reference != job.inputs.end())
    json["SpatialReference"] = sourceUri(reference->second.front(), study);
  else if (job.scan.label("space").empty())
    json["SpatialReference"] = "orig";
  if (sidecar.stem().string().ends_with("_T1w")) json["SkullStripped"] = isStripped(job);
  if (std::holds_alternative<LabelsLayer>(layer.content)) json["Type"] = "ROI";
  if (std::holds_alternative<PeaksLayer>(layer.content))
    json["OrientationEncoding"] = {{"Type", "3vector"}, {"Reference", "xyz"}};
  io::writeFile(sidecar, io::jsonText(json), true);
}

/// `path`, checked that no link leads out of `out`.
const fs::path& inside(const fs::path& out, const fs::path& path) {
  io::requireInto(path, out);
  return path;
}

/// Collects the files of a run while they are staged.
class RunWriter {
 public:
  RunWriter(const Job& job, Finished& run, const Study& study, const fs::path& out)
      : job_(job),
        run_(run),
        study_(study),
        staged_(io::StagedFiles::results(inside(out, out / job.folder), possibleNames(*run.analysis, job),
                                         true)) {}

  void write(const Progress& progress) {
    const std::string model = modelOf(*run_.analysis, run_.result);
    std::vector<const Layer*> layers;
    std::vector<Name> names;
    for (const Layer& layer : run_.result.layers) {
      if (!run_.choice.takes(layer.name)) continue;
      layers.push_back(&layer);
      names.push_back(freeName(
          outputName(*run_.analysis, job_, layer.name, run_.choice.extensionOf(usualExtension(layer)), model),
          names));
      add(names.back());
      if (layer.display.visible) shown_.push_back(files_.back());
    }
    io::writeLayers(
        layers, [&](std::size_t i) { return staged_.file(names[i].text()); }, progress);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const fs::path written = io::sidecarOf(staged_.file(names[i].text()));
      names[i].extension = ".json";
      const fs::path sidecar = staged_.file(add(names[i]));
      if (written != sidecar) fs::rename(written, sidecar);  // BIDS omits the extension of a surface
      addKeys(sidecar, *layers[i], job_, run_, study_);
    }
    for (const auto& file : run_.result.files) {
      const fs::path path = file.name;
      if (!run_.choice.takes(path.stem().string())) continue;
      io::writeStaged(staged_.file(add(outputName(*run_.analysis, job_, path.stem().string(),
                                                  path.extension().string(), model))),
                      file.text);
    }
    const auto pictures = resultPictures(*run_.analysis, run_.result, run_.inputs);
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      const Name name = pictureName(run_.analysis->name, job_, std::to_string(i + 1));
      io::writeFile(staged_.file(add(name)), io::pngBytes(pictures[i].picture));
      pictures_.push_back({files_.back(), pictures[i].caption});
    }
  }

  void publish(Record& record) {
    record.files = files_;
    record.shown = shown_;
    record.pictures = pictures_;
    for (const auto& file : files_)
      record.bytes.push_back(fs::file_size(staged_.file(fs::path(file).filename())));
    io::writeFile(staged_.file(recordName(run_.analysis->name, job_).text()), recordText(record));
    staged_.publish();
  }

 private:
  std::string add(const Name& name) {
    files_.push_back((job_.folder / name.text()).generic_string());
    return name.text();
  }

  const Job& job_;
  const Finished& run_;
  const Study& study_;
  io::StagedFiles staged_;
  std::vector<std::string> files_, shown_;
  std::vector<PictureFile> pictures_;
};

Record recordOf(const std::string& analysis, const Job& job) {
  Record record;
  record.analysis = analysis;
  record.subject = job.subject();
  record.run = resultName(job).stem();
  record.created = utcNow();
  return record;
}

}  // namespace

Record writeRun(const Job& job, Finished run, const Study& study, const fs::path& out,
                const Progress& progress) {
  for (auto& input : run.result.provenance.inputs) input.path = sourceUri(input.path, study);
  const auto shared = std::make_shared<const Provenance>(run.result.provenance);
  for (Layer& layer : run.result.layers) layer.provenance = shared;

  Record record = recordOf(run.analysis->name, job);
  record.done = true;
  record.key = run.key;
  record.provenance = run.result.provenance;
  record.figures = keyFigures(*run.analysis, run.result, run.inputs);
  record.agreement = run.agreement;
  record.notes = job.notes;
  for (const auto& [slot, input] : run.inputs)
    for (auto& warning : namedWarningsOf(*input)) record.notes.push_back(std::move(warning));
  record.notes.insert(record.notes.end(), run.result.notes.begin(), run.result.notes.end());
  {
    RunWriter writer(job, run, study, out);
    writer.write(progress);
    writer.publish(record);
  }
  forgetFailure(job, run.analysis->name, out);
  return record;
}

void writeFailure(const Job& job, const std::string& analysis, const std::string& problem,
                  const fs::path& out) {
  Record record = recordOf(analysis, job);
  record.problem = problem;
  const fs::path file = inside(out, failurePath(out, analysis, job));
  fs::create_directories(file.parent_path());
  io::writeFile(file, recordText(record), true);
}

void forgetFailure(const Job& job, const std::string& analysis, const fs::path& out) {
  std::error_code none;
  fs::remove(failurePath(out, analysis, job), none);
}

bool isDone(const Job& job, const std::string& analysis, const std::string& key, const fs::path& out) {
  const fs::path file = out / job.folder / recordName(analysis, job).text();
  std::error_code fault;
  if (!fs::exists(file, fault)) return false;
  try {
    const Record record = openRecord(file);
    bool isWhole = record.done && record.key == key;
    for (std::size_t i = 0; isWhole && i < record.files.size(); ++i) {
      const std::uint64_t bytes = fs::file_size(out / record.files[i], fault);
      isWhole = !fault && (record.bytes.empty() || bytes == record.bytes[i]);
    }
    return isWhole;
  } catch (const Error&) {
    return false;  // a damaged record is rewritten
  }
}

}  // namespace sulcus::bids
