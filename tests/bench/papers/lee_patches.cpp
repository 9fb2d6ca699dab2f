#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"
#include "tests/bench/papers/lee_papers.h"
#include "tests/bench/papers/patch_variants.h"
#include "tests/bench/surface/surface_data.h"
#include "tests/bench/surface/surface_gpu.h"

#include <algorithm>

namespace sulcus::bench {
namespace {

/// One way to store the subset of a pass, as in Figure 4.
struct PatchWay {
  PatchMemory memory;
  PatchLayout layout;
  const char* published;
};

/// The measurements of a band. Seconds are 0 if they were not measured.
struct PatchSize {
  std::int64_t elements = 0;
  double oneThread = 0, allThreads = 0, gpu = 0;  ///< the search in Sulcus
  std::vector<PatchRun> ways;
};

constexpr std::int64_t kSmallest = 17'500, kLargest = 175'000;

std::vector<PatchWay> patchWays(bool hasGpu) {
  const PatchLayout full6 = hasGpu ? fullLayout(6) : PatchLayout{0, 6},
                    full2 = hasGpu ? fullLayout(2) : PatchLayout{0, 2};
  return {{PatchMemory::constant, {6, 6}, "1"},
          {PatchMemory::global, {6, 6}, "1.2"},
          {PatchMemory::texture, {6, 6}, "6"},
          {PatchMemory::constant, full6, "–"},
          {PatchMemory::global, full6, "–"},
          {PatchMemory::texture, full6, "–"},
          {PatchMemory::constant, full2, "3.6 (8800 GTX)"},
          {PatchMemory::global, full2, "3"}};
}

std::string nameOf(const PatchWay& way) {
  const PatchLayout& layout = way.layout;
  return text(bench::nameOf(way.memory), ", ", layout.blocks, " × ",
              layout.elements > 0 ? std::to_string(layout.elements) : "as many as fit");
}

std::vector<PatchSize> measureSearches(const PapersOptions& options, const Machine& machine) {
  std::vector<PatchSize> sizes;
  const double longest = options.quick ? 5 : 30;
  const std::vector<std::int64_t> all =
      options.quick ? std::vector<std::int64_t>{2000, 5000}
                    : std::vector<std::int64_t>{kSmallest, 35'000, 70'000, 105'000, 140'000, kLargest};
  for (const auto elements : all) {
    PatchSize row;
    row.elements = elements;
    Volume<float> phi;
    const surface::Band band = bandOfSize(SurfaceData::gray, elements, kPaperSide, phi);
    const auto expected = [&](double PatchSize::*seconds) {
      if (sizes.empty() || sizes.back().*seconds <= 0) return sizes.empty() ? 0.0 : 1e9;
      const double growth = double(elements) / double(sizes.back().elements);
      return sizes.back().*seconds * growth * growth;
    };
    const auto onCpu = [&](double PatchSize::*seconds, int threads) {
      if (expected(seconds) > longest) return;
      withThreads(threads, [&] {
        row.*seconds = onceOrMedianSeconds([&] { surface::findNeighbors(band, kPaperNeighbors, {}); }, 0.2);
      });
    };
    onCpu(&PatchSize::oneThread, 1), onCpu(&PatchSize::allThreads, 0);
    if (machine.hasGpu) {
      row.gpu = timeGpuNeighborSearch(band, kPaperNeighbors).resident;
      for (const auto& way : patchWays(true)) {
        row.ways.push_back(searchByPasses(band, way.memory, way.layout));
        row.ways.back().found = {};
      }
    }
    options.tell(format("Figure 4: %lld elements", static_cast<long long>(elements)));
    sizes.push_back(std::move(row));
  }
  return sizes;
}

Exhibit memoryTable(const Machine& machine) {
  Exhibit exhibit{"lee", "Table 2", "Numbers kept for each element of the band"};
  const Cell device = machine.hasGpu ? Cell(deviceNumbersOfElement()) : Cell("no GPU here");
  exhibit.table =
      plainTable({"", "published", "variants here", "Sulcus, on the host", "Sulcus, on the device"},
                 {{"number and patch of 5³", std::int64_t(126), std::int64_t(126), std::int64_t(126), Cell()},
                  {"distances of 96 neighbors", std::int64_t(96), std::int64_t(96), std::int64_t(96), Cell()},
                  {"numbers of 96 neighbors", std::int64_t(96), std::int64_t(96), std::int64_t(96), Cell()},
                  {"largest distance", std::int64_t(1), std::int64_t(1), std::int64_t(0), Cell()},
                  {"count of neighbors", std::int64_t(1), std::int64_t(1), std::int64_t(0), Cell()},
                  {"together", std::int64_t(320), std::int64_t(kElementFloats), std::int64_t(318), device}});
  exhibit.remark =
      "The lists are the same. Sulcus keeps each patch once more in the order and precision of the matrix "
      "product that compares tiles of patches, so that it never compares the most of them one by one; its "
      "last column is the memory that the search asks for, by its own formula, at a million elements.";
  return exhibit;
}

Exhibit searchTimes(const std::vector<PatchSize>& sizes, const Machine& machine) {
  Exhibit exhibit{"lee", "Figure 4", "Search with the subset in global, constant and texture memory"};
  std::map<std::string, ChartLine> lines;
  const auto ways = patchWays(machine.hasGpu);
  std::vector<std::string> titles{"memory, blocks × elements", "published, relative to the first"};
  std::vector<std::vector<Cell>> rows;
  for (const auto& size : sizes) titles.push_back(format("%lld: s", static_cast<long long>(size.elements)));
  titles.insert(titles.end(), {"relative, largest", "registers", "shared bytes"});
  for (std::size_t w = 0; w < ways.size(); ++w) {
    std::vector<Cell> row{nameOf(ways[w]), ways[w].published};
    for (const auto& size : sizes) {
      row.push_back(machine.hasGpu ? Cell(size.ways[w].seconds) : Cell("no GPU here"));
      if (machine.hasGpu) lines[nameOf(ways[w])].push_back({double(size.elements), size.ways[w].seconds});
    }
    if (machine.hasGpu) {
      const auto& last = sizes.back().ways;
      row.insert(row.end(), {format("%.2f", last[w].seconds / last[0].seconds),
                             std::int64_t(last[w].registers), last[w].sharedBytes});
    } else {
      row.resize(titles.size());
    }
    rows.push_back(std::move(row));
  }
  const auto engineRow = [&](const char* name, double PatchSize::*seconds) {
    std::vector<Cell> row{name, "–"};
    for (const auto& size : sizes) {
      row.push_back(size.*seconds > 0 ? Cell(size.*seconds) : Cell());
      if (size.*seconds > 0) lines[name].push_back({double(size.elements), size.*seconds});
    }
    row.resize(titles.size());
    rows.push_back(std::move(row));
  };
  if (machine.hasGpu) engineRow("Sulcus, GPU", &PatchSize::gpu);
  engineRow("Sulcus, CPU, all threads", &PatchSize::allThreads);
  exhibit.table = plainTable(titles, std::move(rows));
  exhibit.drawings = drawingOf(
      "Time of one search for 96 neighbors of each element; the numbers are those of blocks a "
      "multiprocessor and elements a block",
      lines, "elements of the band", "s");
  exhibit.remark =
      "The paper gives its times as a picture and ratios in words: global memory 1.2 times and texture "
      "memory 6 times the time of constant memory; with two blocks 2.5 times that of global memory with six, "
      "hence 3; the 8800 GTX 1.2 times that. Its blocks of six elements leave most lanes of a warp of 32 "
      "idle, then as now; the other rows fill the shared memory of today. Global and texture loads go "
      "through one cache since, so what is left of the ratios is how each memory serves a warp whose lanes "
      "all read one number. Sulcus' search bounds whole tiles of patches first and compares the rest by "
      "matrix products; it finds the same neighbors.";
  return exhibit;
}

Cell publishedSearch(std::int64_t elements) {
  return elements == kSmallest  ? Cell("4.3 min → 4 s")
         : elements == kLargest ? Cell("7.3 h → 4.6 min")
                                : Cell();
}
Cell publishedGain(std::int64_t elements) {
  return elements == kSmallest || elements == kLargest ? Cell("77–93 ×") : Cell();
}

Exhibit searchSpeedups(const std::vector<PatchSize>& sizes, const Machine& machine) {
  Exhibit exhibit{"lee", "Figure 5a", "Speed over the CPU"};
  std::map<std::string, ChartLine> lines;
  std::vector<std::vector<Cell>> rows;
  for (const auto& size : sizes) {
    const auto gain = [&](double gpu, const char* name) -> Cell {
      if (gpu <= 0) return "no GPU here";
      if (size.allThreads <= 0) return Cell();
      lines[name].push_back({double(size.elements), size.allThreads / gpu});
      return size.allThreads / gpu;
    };
    rows.push_back({size.elements, publishedSearch(size.elements), publishedGain(size.elements),
                    size.oneThread > 0 ? Cell(size.oneThread) : Cell(),
                    size.allThreads > 0 ? Cell(size.allThreads) : Cell(),
                    size.gpu > 0 ? Cell(size.gpu) : Cell("no GPU here"), gain(size.gpu, "Sulcus' search"),
                    gain(machine.hasGpu ? size.ways[0].seconds : 0, "constant memory, as in 2012")});
  }
  for (const auto elements : {kSmallest, kLargest}) {
    const auto isSize = [&](const PatchSize& size) { return size.elements == elements; };
    if (std::any_of(sizes.begin(), sizes.end(), isSize)) continue;
    std::vector<Cell> row(8, Cell("not in a quick run"));
    row[0] = elements, row[1] = publishedSearch(elements), row[2] = publishedGain(elements);
    rows.push_back(std::move(row));
  }
  exhibit.table = plainTable({"elements", "published run", "published speed-up", "CPU, 1 thread: s",
                              "CPU, all threads: s", "GPU: s", "Sulcus' speed-up", "constant memory, 6 × 6"},
                             std::move(rows));
  exhibit.drawings = drawingOf("Speed-up over all threads of this machine's CPU", lines,
                               "elements of the band", "times as fast");
  exhibit.remark =
      "The paper's CPU ran two threads of a 3.8 GHz Xeon and compared every pair; ours proves most pairs too "
      "far apart without comparing them, so one thread of it needs seconds where the paper's two took "
      "minutes, and the gain of a GPU over it is that of the machine alone.";
  return exhibit;
}

Exhibit searchBandwidth(const std::vector<PatchSize>& sizes, const Machine& machine) {
  Exhibit exhibit{"lee", "Figure 5b", "Bytes moved by the passes"};
  std::map<std::string, ChartLine> lines;
  std::vector<std::vector<Cell>> rows;
  const auto ways = patchWays(machine.hasGpu);
  for (const auto& size : sizes) {
    const auto rate = [&](std::size_t w) -> Cell {
      if (!machine.hasGpu) return "no GPU here";
      const double gigabytes = size.ways[w].bytes / size.ways[w].seconds * 1e-9;
      lines[nameOf(ways[w])].push_back({double(size.elements), gigabytes});
      return gigabytes;
    };
    rows.push_back({size.elements, std::int64_t(50), rate(0), rate(3), rate(6)});
  }
  exhibit.table = plainTable({"elements", "published: GB/s, constant memory", "constant, 6 × 6",
                              "constant, 6 full blocks", "constant, 2 full blocks"},
                             std::move(rows));
  exhibit.drawings =
      drawingOf("GB/s between shared and device memory", lines, "elements of the band", "GB/s");
  exhibit.remark =
      "Counted are the element's 320 numbers in and its lists out in every pass, and the subset. The rate is "
      "far below what a device of today can copy: the passes are no longer limited by memory, as the paper "
      "found, but by how many comparisons run at a time.";
  return exhibit;
}

}  // namespace

std::string nameOf(PatchMemory memory) {
  return memory == PatchMemory::global     ? "global memory"
         : memory == PatchMemory::constant ? "constant memory"
                                           : "texture memory";
}

std::vector<Exhibit> leePatchExhibits(const PapersOptions& options, const Machine& machine) {
  const auto sizes = measureSearches(options, machine);
  return {memoryTable(machine), searchTimes(sizes, machine), searchSpeedups(sizes, machine),
          searchBandwidth(sizes, machine)};
}

}  // namespace sulcus::bench
