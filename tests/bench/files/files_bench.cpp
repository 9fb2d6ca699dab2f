#include "tests/bench/files/files_bench.h"

#include "core/base/error.h"
#include "core/base/own_program.h"
#include "core/io/file_json.h"
#include "core/io/files.h"
#include "tests/bench/fibers/fibers_data.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sulcus::bench {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Calls a program, whose words go nowhere, and waits for its end. Throws Error where it fails.
void call(const Words& words) {
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));  // it changes none
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int fault = posix_spawn(&child, words.front().c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (fault == 0) waitpid(child, &status, 0);
  if (fault != 0 || status != 0)
    throw Error("'" + words.front() + " " + words[1] + "' failed", "its message is above",
                "build sulcus-cli (preset full), and see whether the command runs by itself");
}

/// A command to measure: an analysis and its inputs.
struct Command {
  std::string name;
  Words words;
};

double megabytesOf(const Words& words) {
  double bytes = 0;
  for (const auto& word : words) {
    std::error_code fault;
    if (const auto size = fs::file_size(word, fault); !fault) bytes += double(size);
  }
  return bytes / 1e6;
}

/// Writes the scan of the crossing-fibers phantom, repeated to a cube of `side` voxels.
void writeDiffusion(const fs::path& file, int side) {
  const auto input = fiberScan(std::int64_t(side) * side * side);
  auto series = std::make_shared<Series<float>>(*input.dwi);
  series->grid.size = {side, side, side};
  Layer layer;
  layer.name = "dwi";
  layer.content = VolumeLayer{series, input.gradients};
  io::saveLayer(layer, file);
}

/// The commands on files that are made in `folder`, then those on real scans.
std::vector<Command> commandsFor(const FilesOptions& options, const std::string& program,
                                 const fs::path& folder,
                                 const std::function<void(const std::string&)>& tell) {
  const auto phantom = [&](const std::string& name, Words words) {
    const std::string to = folder / name;
    tell("Making " + name);
    words.insert(words.begin(), {program, "phantom"});
    words.insert(words.end(), {"--out", to, "--quiet"});
    call(words);
    return to + "/";
  };
  std::vector<Command> commands;
  for (const int side : options.quick ? std::vector{32} : std::vector{96, 192}) {
    const std::string size = std::to_string(side),
                      at = phantom("pair" + size, {"registration", "--kind", "brain", "--size", size});
    commands.push_back(
        {"registration, heads of " + size + " voxels",
         {"registration", "--template", at + "template.nii.gz", "--reference", at + "reference.nii.gz"}});
  }
  const int side = options.quick ? 12 : 100;
  tell("Making a diffusion scan");
  writeDiffusion(folder / "dwi.nii.gz", side);
  commands.push_back({format("fibers, %d³ voxels, csd of order 8", side),
                      {"fibers", "--dwi", folder / "dwi.nii.gz", "--model", "csd", "--order", "8"}});
  std::string at = phantom("activation", {"activation", "--scans", "45"});
  Words words{"activation",      "--bold", at + "bold.nii.gz", "--design",
              at + "design.tsv", "--mask", at + "mask.nii.gz"};
  if (options.quick) words.insert(words.end(), {"--draws", "200"});
  commands.push_back({"activation, phantom of 45 scans", words});
  const std::string size = options.quick ? "32" : "128";
  at = phantom("fold", {"surface", "--kind", "fold", "--size", size});
  commands.push_back({"surface, fold of " + size + " voxels", {"surface", "--mask", at + "mask.nii.gz"}});

  const std::string t1 = options.data / "t1", fmri = options.data / "fmri";
  const std::vector<Command> real{
      {"registration, T1 pair at 2 mm",
       {"registration", "--template", t1 + "/single_subj_T1.nii", "--reference", t1 + "/avg152T1.nii"}},
      {"activation, fmri",
       {"activation", "--bold", fmri + "/fmri_filtered_func_data.nii.gz", "--design",
        fmri + "/fmri_design.mat", "--mask", fmri + "/fmri_mask.nii.gz"}},
      {"surface, white matter at 2 mm", {"surface", "--image", t1 + "/white.nii"}}};
  for (const auto& command : real)
    if (!options.quick && fs::exists(command.words[2])) commands.push_back(command);
  return commands;
}

FilesRow measure(const Command& command, const std::string& backend, const FilesOptions& options,
                 const std::string& program, const fs::path& out) {
  Words words{program};
  words.insert(words.end(), command.words.begin(), command.words.end());
  words.insert(words.end(), {"--backend", backend, "--out", out, "--overwrite", "--quiet"});
  std::vector<FilesRow> runs;
  call(words);  // fills the caches of files and of kernels
  for (int i = 0; i < options.repetitions; ++i) {
    const double begin = now();
    call(words);
    FilesRow row{command.name, backend, megabytesOf(command.words), now() - begin, 0, 0, 0, 0, 0, {}};
    const auto waited = io::openJson(out / "waited.json").at("WaitSeconds");
    row.start = waited.value("Start", 0.0), row.read = waited.value("Read", 0.0);
    row.compute = waited.value("Compute", 0.0), row.written = waited.value("Write", 0.0);
    for (const auto& [stage, seconds] : io::openJson(out / "provenance.json").at("StageSeconds").items())
      row.stages += (row.stages.empty() ? "" : " · ") + stage + format(" %.3f", seconds.get<double>());
    runs.push_back(std::move(row));
  }
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  FilesRow median = runs[runs.size() / 2];
  median.slowest = runs.back().seconds;
  return median;
}

}  // namespace

std::vector<FilesRow> runFilesBench(const FilesOptions& options, const Machine& machine,
                                    const std::function<void(const std::string&)>& tell) {
  const fs::path program =
      options.program.empty() ? ownProgram().replace_filename("sulcus-cli") : options.program;
  if (!fs::exists(program))
    throw Error("There is no '" + program.string() + "'", "its commands are measured",
                "build it (preset full), or name it by --program");
  const test::TemporaryFolder folder;
  std::vector<FilesRow> rows;
  for (const auto& command : commandsFor(options, program, folder.path(), tell))
    for (const char* backend : {"cpu", "gpu"}) {
      if (backend == std::string("gpu") && !machine.hasGpu) continue;
      rows.push_back(measure(command, backend, options, program, folder.path() / "out"));
      tell(format("%s, %s: %.3f s", command.name.c_str(), backend, rows.back().seconds));
    }
  return rows;
}

Report reportOf(const std::vector<FilesRow>& rows, const Machine& machine) {
  const std::vector<Column<FilesRow>> columns{
      {"command", "command", [](const FilesRow& row) -> Cell { return row.command; }},
      {"backend", "on", [](const FilesRow& row) -> Cell { return row.backend; }},
      {"megabytes", "MB read", [](const FilesRow& row) -> Cell { return row.megabytes; }, {"%.1f"}},
      {"seconds", "waited", [](const FilesRow& row) -> Cell { return row.seconds; }, kThreeDigits},
      {"slowestSeconds", "slowest", [](const FilesRow& row) -> Cell { return row.slowest; }, kThreeDigits},
      {"startSeconds", "start", [](const FilesRow& row) -> Cell { return row.start; }, kThreeDigits},
      {"readSeconds", "read", [](const FilesRow& row) -> Cell { return row.read; }, kThreeDigits},
      {"computeSeconds", "compute", [](const FilesRow& row) -> Cell { return row.compute; }, kThreeDigits},
      {"writeSeconds", "write", [](const FilesRow& row) -> Cell { return row.written; }, kThreeDigits},
      {"stages", "of computing", [](const FilesRow& row) -> Cell { return row.stages; }}};
  return {
      machine,
      "From file to file",
      {{"rows",
        "From the command to its exit, default options, seconds: median of the runs after a first one, the "
        "slowest, and what the median run says it waited for. What lies between their sum and the first "
        "is the start and the end of the process.",
        tableOf(rows, columns)}}};
}

}  // namespace sulcus::bench
