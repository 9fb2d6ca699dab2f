#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/registration/deformation/registration_level.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"
#include "tests/bench/papers/device_facts.h"
#include "tests/bench/papers/force_variants.h"
#include "tests/bench/papers/lee_papers.h"
#include "tests/bench/registration/registration_gpu.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace sulcus::bench {
namespace {

constexpr ForceVariant kVariants[] = {ForceVariant::recompute, ForceVariant::recomputeLocal,
                                      ForceVariant::reuse};
constexpr int kPublishedSizes[] = {128, 240};  ///< with numbers in the paper
constexpr int kIterations = 300;               ///< of a whole run

/// The measurements of one size. Seconds are 0 if they were not measured.
struct ForceSize {
  int size = 0;
  double oneThread = 0, allThreads = 0;  ///< of the force, s
  double variants[3][3] = {};            ///< variant, blocks a multiprocessor − 1
  double engine = 0;                     ///< the kernel of Sulcus
  double iterationOneThread = 0, iterationGpu = 0;

  double voxels() const { return std::pow(double(size), 3); }
};

registration::LevelImages<float> imagesOf(const ForceWork& work) {
  return {work.size, {1, 1, 1}, work.warped, work.reference};
}

struct ForceMeasurements {
  std::vector<ForceSize> sizes;
  ForceRun resources[4];  ///< of each variant with one block, and of the engine
  DeviceFacts device;     ///< all 0 without a GPU
};

ForceMeasurements measureForces(const PapersOptions& options, const Machine& machine) {
  ForceMeasurements measured;
  if (machine.hasGpu) measured.device = deviceFacts();
  const double repeated = options.quick ? 0.1 : 1;
  const std::vector<int> sizes = options.quick    ? std::vector<int>{48, 64}
                                 : machine.hasGpu ? std::vector<int>{128, 144, 160, 176, 192, 208, 224, 240}
                                                  : std::vector<int>{128, 160, 192, 240};
  for (const int n : sizes) {
    ForceSize row;
    row.size = n;
    const ForceWork work = forceWork({n, n, n});
    registration::VectorField<float> force(work.size);
    const auto secondsOnCpu = [&] { return onceOrMedianSeconds([&] { forceOnCpu(work, force); }, repeated); };
    withThreads(1, [&] { row.oneThread = secondsOnCpu(); });
    row.allThreads = secondsOnCpu();
    registration::RegistrationOptions plain;
    plain.similarity = registration::Similarity::l2;
    withThreads(1, [&] {
      registration::RegistrationLevel<float> level(imagesOf(work),
                                                   registration::VectorField<float>(work.size), plain, {});
      row.iterationOneThread =
          iterationSeconds(level, 1, [&](const auto& once) { return onceOrMedianSeconds(once, repeated); });
    });
    if (machine.hasGpu) {
      for (int v = 0; v < 3; ++v)
        for (int blocks = 1; blocks <= 3; ++blocks) {
          ForceRun run = forceOnGpu(kVariants[v], blocks, work);
          row.variants[v][blocks - 1] = run.seconds;
          run.force = {};
          if (blocks == 1) measured.resources[v] = std::move(run);
        }
      measured.resources[3] = engineForceOnGpu(work);
      row.engine = measured.resources[3].seconds;
      row.iterationGpu = timeGpuIteration(imagesOf(work), plain).kernel;
    }
    measured.sizes.push_back(row);
    options.tell(format("Figure 1: %d³ voxels, force on one thread %.3g ms", n, row.oneThread * 1e3));
  }
  return measured;
}

/// Rows for the published sizes that were not measured, so that their numbers are shown.
void addPublishedRows(const ForceMeasurements& measured, std::size_t columns,
                      std::vector<std::vector<Cell>>& rows,
                      const std::function<void(int size, std::vector<Cell>& row)>& fill) {
  for (const int size : kPublishedSizes) {
    const auto isSize = [&](const ForceSize& one) { return one.size == size; };
    if (std::any_of(measured.sizes.begin(), measured.sizes.end(), isSize)) continue;
    std::vector<Cell> row(columns, Cell("not in a quick run"));
    row[0] = format("%d³", size);
    fill(size, row);
    rows.push_back(std::move(row));
  }
}

Cell milliseconds(double seconds) { return seconds > 0 ? Cell(seconds * 1e3) : Cell(); }

Exhibit resourceTable(const ForceMeasurements& measured, const Machine& machine) {
  Exhibit exhibit{"lee", "Table 1", "What each variant of the force kernel takes"};
  constexpr const char* published[6][3] = {{"8640", "4364", "49152"},         {"63", "35", "24"},
                                           {"664", "20160", "2921"},          {"8 × 12", "8 × 10", "28 × 12"},
                                           {"32 × 16", "32 × 10", "32 × 16"}, {"1", "2", "1"}};
  constexpr const char* names[6] = {"shared memory, bytes", "registers", "local memory, bytes",
                                    "voxels of a block",    "threads",   "blocks a multiprocessor"};
  std::vector<std::vector<Cell>> rows;
  for (int r = 0; r < 6; ++r) {
    std::vector<Cell> row{names[r]};
    for (int v = 0; v < 4; ++v) {
      const ForceRun& run = measured.resources[v];
      const std::string ours[6] = {text(run.sharedBytes), text(run.registers),
                                   text(run.localBytes),  text(run.tileX, " × ", run.tileY),
                                   text(run.threads),     v < 3 ? "1, 2 and 3" : text(run.blocks)};
      if (v < 3) row.push_back(published[r][v]);
      row.push_back(machine.hasGpu ? Cell(ours[r]) : Cell("no GPU here"));
    }
    rows.push_back(std::move(row));
  }
  exhibit.table = plainTable({"of a block", "published: recompute (registers)", "recompute (registers)",
                              "published: recompute (local memory)", "recompute (local memory)",
                              "published: reuse", "reuse", "Sulcus"},
                             std::move(rows));
  exhibit.remark =
      "Ours are read from the compiled code; registers and local memory are those of a thread, of which the "
      "paper does not say whose they are. Its shared memory is quoted as printed, although its own 15 and 32 "
      "planes of (w + 4) (h + 4) numbers would be 11520, 10080 and 65536 bytes. Every variant takes tiles of "
      "one size here, and one to three blocks are tried with each" +
      (machine.hasGpu ? text(", since a multiprocessor has ", measured.device.sharedBytes / 1024,
                             " KB of shared memory where the GTX 480 had 48.")
                      : std::string(".")) +
      " Sulcus' kernel stores what is reused, too, for tiles so small that many blocks fit.";
  return exhibit;
}

/// The number of blocks in a variant's grid over n³ voxels; each processes all planes.
std::int64_t blocksOf(const ForceRun& variant, int n) {
  return std::int64_t((n + variant.tileX - 1) / variant.tileX) * ((n + variant.tileY - 1) / variant.tileY);
}

/// The number of blocks for each multiprocessor, which determines the times.
std::string blocksRemark(const ForceMeasurements& measured) {
  const int small = measured.sizes.front().size, large = measured.sizes.back().size;
  const ForceRun& reuse = measured.resources[2];
  return text(
      "The tiles make ", blocksOf(reuse, small), " blocks of ", small, "³ voxels and ",
      blocksOf(reuse, large), " of ", large, "³ for ", measured.device.multiprocessors,
      " multiprocessors: where there are fewer blocks than multiprocessors it does not matter how many one "
      "may hold; where there are more, one at a time leaves a second round of blocks that two avoid. The "
      "paper's card had many blocks for each of its few multiprocessors, and found one at a time best. ");
}

Exhibit forceTimes(const ForceMeasurements& measured, const Machine& machine) {
  Exhibit exhibit{"lee", "Figure 1", "Times of the force kernel"};
  std::map<std::string, ChartLine> lines;
  std::vector<std::vector<Cell>> rows;
  for (const auto& size : measured.sizes) {
    std::vector<Cell> row{format("%d³", size.size)};
    for (int v = 0; v < 3; ++v)
      for (int b = 0; b < 3; ++b) {
        row.push_back(machine.hasGpu ? milliseconds(size.variants[v][b]) : Cell("no GPU here"));
        if (size.variants[v][b] > 0)
          lines[format("%s, %d", nameOf(kVariants[v]).c_str(), b + 1)].push_back(
              {size.voxels(), size.variants[v][b] * 1e3});
      }
    row.push_back(machine.hasGpu ? milliseconds(size.engine) : Cell("no GPU here"));
    row.push_back(milliseconds(size.oneThread)), row.push_back(milliseconds(size.allThreads));
    lines["CPU, 1 thread"].push_back({size.voxels(), size.oneThread * 1e3});
    lines["CPU, all threads"].push_back({size.voxels(), size.allThreads * 1e3});
    if (size.engine > 0) lines["Sulcus, with interpolation"].push_back({size.voxels(), size.engine * 1e3});
    rows.push_back(std::move(row));
  }
  const auto& last = measured.sizes.back();
  const auto ratio = [&](double a, double b) {
    return !machine.hasGpu  ? std::string()
           : a > 0 && b > 0 ? format(" (here %.2f)", a / b)
                            : " (does not fit)";
  };
  exhibit.table = plainTable(
      {"voxels", "recompute, 1 block: ms", "2 blocks", "3 blocks", "local memory, 1 block", "2 blocks",
       "3 blocks", "reuse, 1 block", "2 blocks", "3 blocks", "Sulcus", "CPU, 1 thread", "CPU, all threads"},
      std::move(rows));
  exhibit.drawings = drawingOf("Time of one force field; the number is that of blocks a multiprocessor",
                               lines, "voxels", "ms");
  exhibit.remark =
      "Published ratios, of our largest size beside them: recompute over reuse 3" +
      ratio(last.variants[0][0], last.variants[2][0]) + "; local memory over reuse 6" +
      ratio(last.variants[1][0], last.variants[2][0]) + "; recompute with two blocks over one 1.3" +
      ratio(last.variants[0][1], last.variants[0][0]) + "; reuse with three blocks over one 1.25" +
      ratio(last.variants[2][2], last.variants[2][0]) + ". " +
      (machine.hasGpu ? blocksRemark(measured) : std::string()) +
      "The column Sulcus is the engine's kernel, which also interpolates the template and sums the energies.";
  return exhibit;
}

Cell publishedSpeedup(int size) { return size == 128 || size == 240 ? Cell("85–129 ×") : Cell(); }
Cell publishedRun(int size) {
  return size == 128 ? Cell("35 min → 24 s") : size == 240 ? Cell("7.2 h → 2.5 min") : Cell();
}
Cell publishedRate(int size) { return size == 128 ? Cell("11") : size == 240 ? Cell("16") : Cell(); }

Exhibit forceSpeedups(const ForceMeasurements& measured) {
  Exhibit exhibit{"lee", "Figure 2a", "Speed over one CPU thread"};
  std::map<std::string, ChartLine> lines;
  std::vector<std::vector<Cell>> rows;
  for (const auto& size : measured.sizes) {
    const auto gain = [&](double gpu, double cpu, const char* name) -> Cell {
      if (gpu <= 0) return "no GPU here";
      lines[name].push_back({double(size.size), cpu / gpu});
      return cpu / gpu;
    };
    std::vector<Cell> row{format("%d³", size.size),
                          publishedSpeedup(size.size),
                          gain(size.variants[2][0], size.oneThread, "force, reuse kernel"),
                          gain(size.iterationGpu, size.iterationOneThread, "Sulcus, a whole iteration"),
                          publishedRun(size.size),
                          size.iterationOneThread * kIterations};
    row.push_back(size.iterationGpu > 0 ? Cell(size.iterationGpu * kIterations) : Cell("no GPU here"));
    rows.push_back(std::move(row));
  }
  addPublishedRows(measured, 7, rows, [](int size, std::vector<Cell>& row) {
    row[1] = publishedSpeedup(size), row[4] = publishedRun(size);
  });
  exhibit.table =
      plainTable({"voxels", "published speed-up", "reuse kernel", "Sulcus, whole iteration", "published run",
                  format("CPU, 1 thread: s for %d iterations", kIterations), "GPU: s"},
                 std::move(rows));
  exhibit.drawings = drawingOf("Speed-up over one thread of this machine's CPU", lines,
                               "voxels along each axis", "times as fast", {}, {false, 0, {}});
  exhibit.remark =
      "The paper gives one range for all sizes and the runs at both ends. Our runs are so many iterations at "
      "the time measured of one; the paper's count of iterations is not printed. The reuse kernel has the "
      "saw teeth of the paper: its gain falls where the number of tiles passes a multiple of the number of "
      "blocks that run at a time, since the last round then leaves most multiprocessors idle; small tiles, "
      "as Sulcus' kernels have, do not. The CPU's thread uses its vector units, of which the paper says "
      "nothing.";
  return exhibit;
}

Exhibit forceRates(const ForceMeasurements& measured, const Machine& machine) {
  Exhibit exhibit{"lee", "Figure 2b", "Gflop/s of the force kernel"};
  std::map<std::string, ChartLine> lines;
  std::vector<std::vector<Cell>> rows;
  for (const auto& size : measured.sizes) {
    const auto rate = [&](double flop, double seconds, const char* name) -> Cell {
      if (seconds <= 0) return "no GPU here";
      lines[name].push_back({double(size.size), flop * size.voxels() / seconds * 1e-9});
      return flop * size.voxels() / seconds * 1e-9;
    };
    rows.push_back({format("%d³", size.size), publishedRate(size.size),
                    rate(kPaperForceFlop, size.variants[2][0], "reuse kernel, 158 flop a voxel"),
                    rate(kOurForceFlop, size.variants[2][0], "reuse kernel, 150 flop a voxel"),
                    rate(kOurForceFlop, size.engine, "Sulcus, 150 flop a voxel"),
                    rate(kPaperForceFlop, size.oneThread, "CPU, 1 thread, 158 flop")});
  }
  addPublishedRows(measured, 6, rows, [](int size, std::vector<Cell>& row) { row[1] = publishedRate(size); });
  exhibit.table = plainTable({"voxels", "published", "reuse, their count", "reuse, our count",
                              "Sulcus, our count", "CPU, 1 thread, their count"},
                             std::move(rows));
  exhibit.drawings = drawingOf("Gflop/s by the paper's count of operations and by ours", lines,
                               "voxels along each axis", "Gflop/s", {});
  const double bandwidth = machine.hasGpu ? gpuCopyBandwidth() : 0;
  exhibit.remark =
      "The paper counts 158 operations and 500 bytes a voxel, hence a limit of 55 Gflop/s at the 177 GB/s of "
      "its card" +
      (bandwidth > 0 ? format(", which would be %.0f at the %.0f GB/s of this one",
                              kPaperForceFlop / kPaperForceBytes * bandwidth * 1e-9, bandwidth * 1e-9)
                     : std::string()) +
      ". With each number fetched once a voxel needs 36 bytes (u, T(x − u), R and f), so that limit was of "
      "the scheme, not of the card; our 150 operations leave out what the engine does besides.";
  return exhibit;
}

}  // namespace

std::vector<Exhibit> leeForceExhibits(const PapersOptions& options, const Machine& machine) {
  const ForceMeasurements measured = measureForces(options, machine);
  return {resourceTable(measured, machine), forceTimes(measured, machine), forceSpeedups(measured),
          forceRates(measured, machine)};
}

}  // namespace sulcus::bench
