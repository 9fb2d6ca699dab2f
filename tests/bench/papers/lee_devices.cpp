#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "tests/bench/format.h"
#include "tests/bench/papers/lee_papers.h"
#include "tests/bench/registration/registration_gpu.h"
#include "tests/bench/surface/surface_data.h"
#include "tests/bench/surface/surface_gpu.h"

#include <cmath>

// Future work of the paper: several GPUs.

namespace sulcus::bench {
namespace {

constexpr int kPatchSide = 5, kNeighbors = 96;  // as in the paper

/// Seconds on one GPU and on two; 0 if there are fewer.
struct OneAndTwo {
  double one = 0, two = 0;
};

/// Two different smooth images of n³ voxels.
registration::LevelImages<float> smoothPair(int n) {
  registration::LevelImages<float> images{{n, n, n}, {1, 1, 1}, {}, {}};
  const auto wave = [](double step, int i) { return float(std::sin(step * i)); };
  images.moving.resize(std::size_t(n) * n * n), images.reference.resize(images.moving.size());
  parallelFor(n, 1, {}, [&](std::int64_t z) {
    std::size_t at = std::size_t(z) * n * n;
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x, ++at) {
        images.moving[at] = 0.5f + 0.4f * wave(0.2, x) * wave(0.2, y) * wave(0.17, int(z));
        images.reference[at] = 0.5f + 0.4f * wave(0.17, x) * wave(0.17, y) * wave(0.17, int(z));
      }
  });
  return images;
}

template <class Seconds>
OneAndTwo measured(const Machine& machine, const Seconds& secondsOn) {
  OneAndTwo result;
  if (machine.hasGpu) result.one = secondsOn(std::vector<int>{0});
  if (machine.gpus > 1) result.two = secondsOn(std::vector<int>{0, 1});
  return result;
}

std::vector<Cell> rowOf(const char* what, std::string size, const OneAndTwo& seconds,
                        const Machine& machine) {
  std::vector<Cell> row{what, std::move(size), "left to the future"};
  row.push_back(machine.hasGpu ? Cell(seconds.one * 1e3) : Cell("no GPU here"));
  row.push_back(machine.gpus > 1 ? Cell(seconds.two * 1e3)
                : machine.hasGpu ? Cell("one GPU here")
                                 : Cell("no GPU here"));
  row.push_back(machine.gpus > 1 ? Cell(format("%.2f", seconds.one / seconds.two)) : Cell());
  return row;
}

}  // namespace

Exhibit leeSeveralDevices(const PapersOptions& options, const Machine& machine) {
  Exhibit exhibit{"lee", "Future work", "One GPU and two"};
  std::map<std::string, ChartLine> lines;
  std::vector<std::vector<Cell>> rows;
  const auto add = [&](const char* what, std::string size, double count, const OneAndTwo& seconds) {
    rows.push_back(rowOf(what, std::move(size), seconds, machine));
    if (seconds.one > 0) lines[text(what, ", one GPU")].push_back({count, seconds.one * 1e3});
    if (seconds.two > 0) lines[text(what, ", two GPUs")].push_back({count, seconds.two * 1e3});
  };
  for (const int size :
       options.quick ? std::vector<int>{24, 32} : std::vector<int>{128, 192, 256, 384, 512}) {
    const auto images = machine.hasGpu ? smoothPair(size) : registration::LevelImages<float>{};
    registration::RegistrationOptions flow;
    flow.similarity = registration::Similarity::l2;
    add("an iteration of the flow", format("%d³ voxels", size), double(size) * size * size,
        measured(machine, [&](const std::vector<int>& devices) {
          return timeGpuIteration(images, flow, devices).iteration;
        }));
    options.tell(format("Several GPUs: %d³", size));
  }
  for (const std::int64_t elements :
       options.quick ? std::vector<std::int64_t>{2000}
                     : std::vector<std::int64_t>{17'500, 50'000, 175'000, 500'000, 1'000'000}) {
    Volume<float> phi;
    const surface::Band band =
        machine.hasGpu ? bandOfSize(SurfaceData::gray, elements, kPatchSide, phi) : surface::Band{};
    add("the search", format("%lld elements", static_cast<long long>(elements)), double(elements),
        measured(machine, [&](const std::vector<int>& devices) {
          return timeGpuNeighborSearch(band, kNeighbors, devices).resident;
        }));
    options.tell(format("Several GPUs: %lld elements", static_cast<long long>(elements)));
  }
  exhibit.table =
      plainTable({"", "of", "published", "one GPU: ms", "two GPUs: ms", "times as fast"}, std::move(rows));
  exhibit.drawings = drawingOf(machine.gpus > 1 ? "Time on one GPU and on two" : "Time on one GPU", lines,
                               "voxels or elements", "ms");
  exhibit.remark =
      "The paper ends with several GPUs as a plan. Here they share out the planes of the flow, of which each "
      "fetches from the other what its differences and its Gaussian reach, and the rows of the search, of "
      "which each takes the next as it is done; both leave the bits of one GPU. ";
  exhibit.remark +=
      machine.gpus > 1
          ? "What keeps two from being twice as fast: they wait for each other several times an iteration, "
            "which small volumes notice, and each puts all patches in order for itself."
          : text("This machine has ", machine.hasGpu ? "one GPU" : "none",
                 ", so the curves of two are missing; this command draws them where there are two.");
  return exhibit;
}

}  // namespace sulcus::bench
