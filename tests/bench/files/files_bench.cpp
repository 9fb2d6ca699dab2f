#include "tests/bench/files/files_bench.h"

#include "core/base/device_time.h"
#include "core/base/error.h"
#include "core/base/platform/processes/own_program.h"
#include "core/base/provenance.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "core/registration/preparation/resample.h"
#include "tests/bench/fibers/fibers_data.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <fstream>
#include <optional>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sulcus::bench {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
constexpr int kLargestPhantom = 256;

struct FilesRow {
  std::string command, backend;                          ///< or the name of another program
  double megabytes = 0;                                  ///< of the inputs
  double seconds = 0, slowest = 0;                       ///< from the command to its exit: median, maximum
  double start = 0, read = 0, compute = 0, written = 0;  ///< of the median run, from waited.json
  DeviceTime gpu = {};
  double hostBytes = 0;     ///< the largest memory use
  std::string stages = {};  ///< of the computation, s, in order
};

/// Calls a program with its output in a file and waits for its end; returns the status of waitpid().
///
/// @param memory  receives its largest memory use, bytes; may be null
int call(const Words& words, const fs::path& said, double* memory = nullptr) {
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));  // not modified
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  const int fault = posix_spawnp(&child, words.front().c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  rusage used{};
  if (fault == 0) wait4(child, &status, 0, &used);
  if (memory) *memory = double(used.ru_maxrss) * 1024;
  return status;
}

/// Calls a command without output; returns its largest memory use, bytes. Throws Error if it fails.
double call(const Words& words) {
  double memory = 0;
  if (call(words, "/dev/null", &memory) != 0)
    throw Error("'" + words.front() + " " + words[1] + "' failed", "its message is above",
                "build sulcus-cli (preset full), and see whether the command runs by itself");
  return memory;
}

/// A command to measure: an analysis and its inputs, and other programs for the same task, with their inputs
/// as peers/file_to_file.py takes them.
struct Command {
  std::string name;
  Words words;
  std::vector<std::string> peers = {};
  Words peerInputs = {};
};

Command registration(const std::string& name, const std::string& moving, const std::string& reference) {
  return {"registration, " + name,
          {"registration", "--template", moving, "--reference", reference},
          {"greedy", "ants", "fireants"},
          {moving, reference}};
}

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

/// Writes an image with `times` as many voxels along each axis, interpolated.
void writeFiner(const fs::path& from, int times, const fs::path& to) {
  Layer layer = io::openVolume(from);
  auto& volume = std::get<VolumeLayer>(layer.content);
  const Grid& grid = volume.series->grid;
  Grid fine = grid;
  const double step = 1.0 / times, first = (step - 1) / 2;  // centers of voxels
  fine.size = {grid.size.x * times, grid.size.y * times, grid.size.z * times};
  fine.worldFromVoxel =
      grid.worldFromVoxel * Affine{{{{step, 0, 0}, {0, step, 0}, {0, 0, step}}}, {first, first, first}};
  volume.series = std::make_shared<const Series<float>>(
      registration::resampled({grid, VolumeView<const float>{volume.series->values.data(), grid.size}}, fine,
                              {}, {registration::Interpolation::linear}, nullptr, {}));
  io::saveLayer(layer, to);
}

/// The commands on files generated in `folder`, then those on real scans.
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
  const auto finer = [&](const std::string& from, int times, const std::string& name) {
    const std::string to = folder / name;
    tell("Making " + name);
    writeFiner(from, times, to);
    return to;
  };
  for (const int side : options.heads) {
    const int times = (side + kLargestPhantom - 1) / kLargestPhantom;
    const std::string size = std::to_string(side), made = std::to_string(side / times),
                      at = phantom("pair" + size, {"registration", "--kind", "brain", "--size", made});
    std::string pair[]{at + "template.nii.gz", at + "reference.nii.gz"};
    if (times > 1)
      for (std::string& image : pair)
        image = finer(image, times, size + "-" + fs::path(image).stem().stem().string() + ".nii");
    commands.push_back(registration("heads of " + size + " voxels", pair[0], pair[1]));
  }
  if (options.onlyHeads) return commands;
  const int side = options.quick ? 12 : 100;
  tell("Making a diffusion scan");
  writeDiffusion(folder / "dwi.nii.gz", side);
  commands.push_back({format("fibers, %d³ voxels, csd of order 8", side),
                      {"fibers", "--dwi", folder / "dwi.nii.gz", "--model", "csd", "--order", "8"},
                      {"dipy", "mrtrix"},
                      {folder / "dwi.nii.gz"}});
  std::string at = phantom("activation", {"activation", "--scans", "45"});
  Words words{"activation",      "--bold", at + "bold.nii.gz", "--design",
              at + "design.tsv", "--mask", at + "mask.nii.gz"};
  if (options.quick) words.insert(words.end(), {"--draws", "200"});
  commands.push_back({"activation, phantom of 45 scans", words});
  const std::string size = options.quick ? "32" : "128";
  at = phantom("fold", {"surface", "--kind", "fold", "--size", size});
  commands.push_back({"surface, fold of " + size + " voxels", {"surface", "--mask", at + "mask.nii.gz"}});

  const std::string t1 = options.data / "t1", fmri = options.data / "fmri";
  std::vector<Command> real{registration("T1 pair at 2 mm", t1 + "/single_subj_T1.nii", t1 + "/avg152T1.nii"),
                            {"activation, fmri",
                             {"activation", "--bold", fmri + "/fmri_filtered_func_data.nii.gz", "--design",
                              fmri + "/fmri_design.mat", "--mask", fmri + "/fmri_mask.nii.gz"}},
                            {"surface, white matter at 2 mm", {"surface", "--image", t1 + "/white.nii"}}};
  std::erase_if(real, [&](const Command& command) { return options.quick || !fs::exists(command.words[2]); });
  if (!real.empty() && fs::exists(t1))
    real.push_back(registration("T1 pair at 1 mm", finer(t1 + "/single_subj_T1.nii", 2, "single_subj.nii"),
                                finer(t1 + "/avg152T1.nii", 2, "avg152.nii")));
  commands.insert(commands.end(), real.begin(), real.end());
  return commands;
}

FilesRow measure(const Command& command, const std::string& backend, const FilesOptions& options,
                 const std::string& program, const fs::path& out) {
  Words words{program};
  words.insert(words.end(), command.words.begin(), command.words.end());
  words.insert(words.end(), {"--backend", backend, "--out", out, "--overwrite", "--quiet"});
  std::vector<FilesRow> runs;
  if (options.repetitions > 1) call(words);  // fills the caches of files and kernels
  for (int i = 0; i < options.repetitions; ++i) {
    const double begin = now(), memory = call(words);
    FilesRow row{.command = command.name,
                 .backend = backend,
                 .megabytes = megabytesOf(command.words),
                 .seconds = now() - begin,
                 .hostBytes = memory};
    const auto waited = io::openJson(out / "waited.json");
    const auto& parts = waited.at("WaitSeconds");
    row.start = parts.at("Start").get<double>() + parts.value("Device", 0.0);
    row.read = parts.at("Read");
    row.compute = parts.at("Compute"), row.written = parts.at("Write");
    if (waited.contains("GpuSeconds"))
      row.gpu = {waited["GpuSeconds"].at("Waited"), waited["GpuSeconds"].at("Copies")};
    for (const auto& [stage, seconds] : waited.at("StageSeconds").items())
      row.stages += (row.stages.empty() ? "" : " · ") + stage + format(" %.3f", seconds.get<double>());
    runs.push_back(std::move(row));
  }
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
  FilesRow median = runs[runs.size() / 2];
  median.slowest = runs.back().seconds;
  return median;
}

/// Another program for the command, which reports its own time; none if it is not installed or fails.
std::optional<FilesRow> measurePeer(const Command& command, const std::string& peer, const fs::path& script,
                                    const fs::path& said) {
  Words words{"python3", script, peer};
  words.insert(words.end(), command.peerInputs.begin(), command.peerInputs.end());
  if (call(words, said) != 0) return {};
  FilesRow row{.command = command.name, .backend = peer, .megabytes = megabytesOf(command.words)};
  std::ifstream(said) >> row.seconds;
  row.slowest = row.seconds;
  return row;
}

/// The commit from which the program was built, as it reports.
std::string originOf(const std::string& program, const fs::path& said) {
  call({program, "--version"}, said);
  const std::string text = io::openText(said), before = "Built from ";
  const auto from = text.find(before);
  return from == text.npos
             ? ""
             : ", " + text.substr(from + before.size(), text.find(',', from) - from - before.size());
}

Report reportOf(const std::vector<FilesRow>& rows, const Machine& machine, const std::string& origin) {
  constexpr Shown kMeasured{"%.3f", 1, 0};
  const std::vector<Column<FilesRow>> columns{
      {"command", "command", [](const FilesRow& row) -> Cell { return row.command; }},
      {"backend", "on", [](const FilesRow& row) -> Cell { return row.backend; }},
      {"megabytes", "MB read", [](const FilesRow& row) -> Cell { return row.megabytes; }, {"%.1f"}},
      {"seconds", "waited", [](const FilesRow& row) -> Cell { return row.seconds; }, kThreeDigits},
      {"slowestSeconds", "slowest", [](const FilesRow& row) -> Cell { return row.slowest; }, kThreeDigits},
      {"startSeconds", "start", [](const FilesRow& row) -> Cell { return row.start; }, kMeasured},
      {"readSeconds", "read", [](const FilesRow& row) -> Cell { return row.read; }, kMeasured},
      {"computeSeconds", "compute", [](const FilesRow& row) -> Cell { return row.compute; }, kMeasured},
      {"writeSeconds", "write", [](const FilesRow& row) -> Cell { return row.written; }, kMeasured},
      {"gpuSeconds", "for the GPU", [](const FilesRow& row) -> Cell { return row.gpu.waited; }, kMeasured},
      {"copySeconds", "copies", [](const FilesRow& row) -> Cell { return row.gpu.copies; }, kMeasured},
      {"hostBytes", "host GB", [](const FilesRow& row) -> Cell { return row.hostBytes; }, {"%.2f", 1e-9, 0}},
      {"gpuShare", "GPU's share", [](const FilesRow& row) -> Cell { return row.gpu.waited / row.seconds; },
       kPercent},
      {"stages", "of computing", [](const FilesRow& row) -> Cell { return row.stages; }}};
  return {
      machine,
      "From file to file, " + utcNow().substr(0, 10) + origin,
      {{"rows",
        "From the command to its exit, default options, seconds: median of the runs after a first one, the "
        "slowest, and what the median run says it waited for; *for the GPU* is what of it the program waited "
        "for the GPU's work and for copies. What lies between start + read + compute + write and *waited* is "
        "the start and the end of the process. Rows of other programs: the second of two runs in a process "
        "that has them loaded.",
        tableOf(rows, columns)}}};
}

}  // namespace

Report runFilesBench(const FilesOptions& options, const Machine& machine,
                     const std::function<void(const std::string&)>& tell) {
  const fs::path program =
      options.program.empty() ? ownProgram().replace_filename("sulcus-cli") : options.program;
  if (!fs::exists(program))
    throw Error("There is no '" + program.string() + "'", "its commands are measured",
                "build it (preset full), or name it by --program");
  const test::TemporaryFolder folder;
  std::vector<FilesRow> rows;
  for (const auto& command : commandsFor(options, program, folder.path(), tell)) {
    for (const std::string backend : {"cpu", "gpu"}) {
      if ((backend == "gpu" && !machine.hasGpu) || (!options.backend.empty() && options.backend != backend))
        continue;
      rows.push_back(measure(command, backend, options, program, folder.path() / "out"));
      tell(format("%s, %s: %.3f s", command.name.c_str(), backend.c_str(), rows.back().seconds));
    }
    if (options.peers.empty()) continue;
    for (const auto& peer : command.peers) {
      if (auto row = measurePeer(command, peer, options.peers, folder.path() / "said"))
        rows.push_back(std::move(*row));
      else
        tell(peer + " is not installed here, or failed");
    }
  }
  return reportOf(rows, machine, originOf(program, folder.path() / "said"));
}

}  // namespace sulcus::bench
