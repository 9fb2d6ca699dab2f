#include "app/remote/sent_run.h"

#include "app/analyses/run_support.h"
#include "app/remote/remote_job.h"
#include "app/remote/ssh.h"
#include "core/analysis/command_line.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <set>

namespace sulcus::app::remote {
namespace {

namespace fs = std::filesystem;

bool isFile(const fs::path& path) {
  std::error_code fault;
  return fs::is_regular_file(path, fault);
}

/// The data files named in a text header (ElementDataFile = …, data file: …).
std::vector<fs::path> namedIn(const fs::path& header) {
  std::vector<fs::path> files;
  if (header.extension() != ".mhd" && header.extension() != ".nhdr") return files;
  std::string text;
  try {
    text = io::openText(header);
  } catch (const Error&) {
    return files;  // what is wrong with it is reported when it is opened
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto begin = line.find_first_not_of(" \t", line.find_first_of("=:") + 1);
    const auto end = line.find_last_not_of(" \t\r");
    if (begin == line.npos || end < begin) continue;
    const fs::path name = line.substr(begin, end - begin + 1);
    if (!name.has_parent_path() && isFile(header.parent_path() / name))
      files.push_back(header.parent_path() / name);
  }
  return files;
}

/// Whether a file of this name belongs to its whole folder: FSL's gradients, and files shared by MRtrix
/// fixels.
bool isOfWholeFolder(const std::string& name) {
  return name == "bvals" || name == "bvecs" || name.starts_with("index.") || name.starts_with("directions.");
}

/// The files that are read together with a file: all with its stem, those shared by its folder, and those
/// that it inherits under BIDS.
std::vector<fs::path> companionsOf(const fs::path& file) {
  std::set<fs::path> found;
  const std::string stem = io::stemOf(file);
  std::error_code fault;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  for (const auto& entry : fs::directory_iterator(folder, fault)) {
    const std::string name = entry.path().filename().string();
    const bool belongs = name.starts_with(stem + ".") || name.starts_with(stem + "_LUT.");
    if ((belongs || isOfWholeFolder(name)) && isFile(entry.path())) found.insert(file.parent_path() / name);
  }
  for (const char* extension : {".json", ".bval", ".bvec", ".tsv"})
    if (const auto inherited = io::inherited(file, extension); !inherited.empty()) found.insert(inherited);
  for (const auto& data : namedIn(file)) found.insert(data);
  found.erase(file);
  return {found.begin(), found.end()};
}

class Packer {
 public:
  Packer(SentRun& run, const Progress& progress) : run_(run), progress_(progress) {}

  /// Adds a file or folder with what belongs to it, and returns its remote name.
  std::string add(const fs::path& given) {
    const std::string folder = "in/" + std::to_string(count_++) + "/";
    const fs::path plain = fs::absolute(given).lexically_normal();
    const fs::path name = plain.has_filename() ? plain.filename() : plain.parent_path().filename();
    const std::string there = folder + name.string();
    run_.names[there] = given.string();
    std::error_code fault;
    if (fs::is_directory(given, fault)) {
      for (const auto& entry : fs::recursive_directory_iterator(given))
        if (isFile(entry.path())) addReadable(entry.path(), there / entry.path().lexically_relative(given));
      return there;
    }
    addFile(given, there);
    for (const auto& companion : companionsOf(given)) {
      const std::string beside = folder + companion.filename().string();
      if (addReadable(companion, beside)) run_.names[beside] = companion.string();
    }
    return there;
  }

 private:
  void addFile(const fs::path& here, const std::string& there) {
    const std::string sha256 =
        io::rememberedSha256(here, progress_.part(0, 0, "checksum of " + here.filename().string()));
    run_.files.push_back({there, here, sha256, fs::file_size(here)});
  }
  /// A file next to an input may be irrelevant: one that cannot be read is left out.
  bool addReadable(const fs::path& here, const fs::path& there) {
    try {
      addFile(here, there.generic_string());
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  SentRun& run_;
  const Progress& progress_;
  int count_ = 0;
};

}  // namespace

SentRun sentRun(const cli::RunRequest& request, const RemoteTarget& place, const OptionValues& values,
                bool json, const Progress& progress) {
  SentRun run;
  Packer packer(run, progress);
  const auto flag = [&](const std::string& name, const std::string& value) {
    run.words.insert(run.words.end(), {"--" + name, value});
  };
  run.words.push_back(request.analysis->name);
  for (const auto& slot : request.analysis->inputs)
    if (const auto given = request.files->bySlot.find(slot.name); given != request.files->bySlot.end())
      for (const auto& file : given->second) flag(slot.name, packer.add(file));
  for (const auto& [name, file] : request.files->gradients.given()) flag(name, packer.add(file));
  if (const auto& axes = request.files->gradients.axes; !axes.empty()) flag(kGradientAxes, axes);
  if (!request.previews.empty()) flag("previews", kPreviews);
  run.texts["params.json"] = io::optionsJson(values);
  flag("params", "params.json");
  flag("backend", place.backend);
  flag("out", "results");
  if (request.threads > 0) flag("threads", std::to_string(request.threads));
  for (const int device : request.devices) flag("device", std::to_string(device));
  const auto& options = request.analysis->options;
  if (request.seed && std::none_of(options.begin(), options.end(),
                                   [](const OptionInfo& option) { return option.name == "seed"; }))
    flag("seed", std::to_string(*request.seed));
  if (!request.choice.stems.empty()) flag("outputs", joined(request.choice.stems, ","));
  if (!request.choice.compressed) run.words.emplace_back("--uncompressed");
  if (json) run.words.emplace_back("--json");

  Wire::Json identity{{"program", greetingOfThis()}, {"words", run.words}, {"texts", run.texts}};
  for (const auto& file : run.files) identity["files"].push_back({file.there, file.sha256});
  run.id = io::sha256OfText(io::jsonText(identity));
  return run;
}

Wire::Json SentRun::request(const RemoteTarget& place, const std::string& call, bool fresh) const {
  Wire::Json json{{"id", id},       {"fresh", fresh},     {"backend", place.backend},
                  {"words", words}, {"texts", texts},     {"names", names},
                  {"call", call},   {"place", place.host}};
  json["files"] = Wire::Json::array();
  for (const auto& file : files) json["files"].push_back({file.there, file.sha256, file.bytes});
  if (!slurm.is_null()) json["slurm"] = slurm;
  return json;
}

Wire::Json slurmDemand(const cli::RunRequest& request, const RemoteTarget& place, const OptionValues& values,
                       const Progress& progress) {
  const auto inputs = cli::openInputs(request.analysis->inputs, *request.files, progress);
  return {{"name", request.analysis->name},
          {"memoryBytes", analyses::memoryOfRun(*request.analysis, inputs, values).hostBytes},
          {"cpus", request.threads},
          {"gpus", place.backend == "cpu" ? 0 : std::max<std::size_t>(1, request.devices.size())},
          {"partition", place.partition}};
}

}  // namespace sulcus::app::remote
