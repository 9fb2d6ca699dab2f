#include "core/base/parallel/parallel_for.h"
#include "core/fibers/peaks/find_peaks.h"
#include "tests/bench/fibers/fibers_data.h"
#include "tests/bench/fibers/fibers_gpu.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"
#include "tests/bench/papers/ballard_papers.h"
#include "tests/bench/papers/power_method_kernel.h"
#include "tests/bench/svg_chart.h"

#include <algorithm>

namespace sulcus::bench {
namespace {

/// The six implementations of Table 6.1 for this number of tensors.
struct SixWays {
  std::string code, processor;
  std::int64_t tensors = 0;
  double seconds = 0, gflops = 0, missed = 0;
};

constexpr const char *kOneThread = "CPU, 1 thread", *kAllThreads = "CPU, all threads", *kGpu = "GPU";

fibers::FiberOptions paperSearch(bool unrolled) {
  fibers::FiberOptions options;
  options.model = fibers::FiberModel::tensor;
  options.search = unrolled ? fibers::PeakSearch::unrolled : fibers::PeakSearch::general;
  options.shift = fibers::ShiftRule::fixed, options.alpha = 0;
  options.startSet = fibers::StartSet::random, options.starts = 128;
  options.relativeThreshold = 0.1;
  return options;
}

/// @param reference  the maxima of the first tensors
SixWays measureOneWay(bool unrolled, const std::string& processor, const Series<float>& forms,
                      const std::vector<std::vector<Vec3<double>>>& reference) {
  SixWays way{unrolled ? "unrolled" : "general", processor, forms.grid.voxels()};
  const fibers::FiberOptions options = paperSearch(unrolled);
  double iterations = 0;
  if (processor == kGpu) {
    const GpuPeakSearch search = timeGpuPeakSearch(forms, 4, options);
    way.seconds = search.kernelSeconds, iterations = search.iterations;
    way.missed = missedMaxima(reference, search.peaks);
  } else {
    const Mask valid(forms.grid, std::uint8_t(1));
    fibers::PeakMaps maps;
    withThreads(processor == kOneThread ? 1 : 0, [&] {
      way.seconds = onceOrMedianSeconds([&] { maps = fibers::findPeaks(forms, valid, options, {}); }, 0.1);
    });
    iterations = double(maps.totalIterations);
    way.missed = missedMaxima(reference, maps.peaks);
  }
  way.gflops = iterations * paperFlops(4, 3) / way.seconds * 1e-9;
  return way;
}

const SixWays* findWay(const std::vector<SixWays>& ways, const std::string& code,
                       const std::string& processor, std::int64_t tensors) {
  for (const auto& way : ways)
    if (way.code == code && way.processor == processor && way.tensors == tensors) return &way;
  return nullptr;
}

/// Table 6.1 as printed.
constexpr double kTable61a[3][3] = {{0.24, 1.86, 7.86}, {0.92, 6.85, 7.41}, {5.95, 131.73, 22.15}};
constexpr double kTable61b[3][2] = {{1, 1}, {3.90, 3.67}, {25.08, 70.66}};
constexpr std::int64_t kPaperTensors = 1024;

/// A row for each number of tensors: the printed value, Gflop/s of the six implementations, maxima missed.
Table curveTable(const std::vector<SixWays>& ways, const std::vector<std::int64_t>& sizes, bool hasGpu) {
  std::vector<std::string> titles{"tensors", "published unrolled: CPU seq", "published unrolled: CPU par",
                                  "published unrolled: GPU"};
  std::vector<std::vector<Cell>> rows;
  for (const auto tensors : sizes) {
    std::vector<Cell> row{tensors};
    for (const auto& a : kTable61a) row.push_back(tensors == kPaperTensors ? Cell(a[1]) : Cell());
    double missed = 0;
    for (const std::string code : {"general", "unrolled"})
      for (const std::string processor : {kOneThread, kAllThreads, kGpu}) {
        if (tensors == sizes.front()) titles.push_back(code + ": " + processor);
        const SixWays* const way = findWay(ways, code, processor, tensors);
        row.push_back(way ? Cell(way->gflops) : processor == kGpu && !hasGpu ? Cell("no GPU here") : Cell());
        if (way) missed = std::max(missed, way->missed);
      }
    row.push_back(format("%.2f %%", 100 * missed));
    rows.push_back(std::move(row));
  }
  titles.push_back("maxima missed, at most");
  return plainTable(titles, std::move(rows));
}

}  // namespace

std::vector<Exhibit> ballardSpeeds(const PapersOptions& options, const Machine& machine) {
  std::vector<SixWays> ways;
  std::vector<std::string> processors{kOneThread, kAllThreads};
  if (machine.hasGpu) processors.push_back(kGpu);
  const std::vector<std::int64_t> sizes =
      options.quick ? std::vector<std::int64_t>{1, 32, 1024}
                    : std::vector<std::int64_t>{1,   2,   4,   8,    16,     32,      64,
                                                128, 256, 512, 1024, 10'000, 100'000, 1'000'000};
  for (const auto size : sizes) {
    const Series<float> forms = fiberForms(Forms::adc, 4, size);
    const auto reference = referenceMaxima(forms, std::min<std::int64_t>(size, 256), paperSearch(true));
    for (const bool unrolled : {false, true})
      for (const auto& processor : processors) {
        const bool large = size > (unrolled ? 10'000 : kPaperTensors);
        if (large && processor != kGpu) continue;
        ways.push_back(measureOneWay(unrolled, processor, forms, reference));
        options.tell(format("Table 6.1: %s, %s, %lld tensors: %.2f Gflop/s", ways.back().code.c_str(),
                            processor.c_str(), static_cast<long long>(size), ways.back().gflops));
      }
  }
  const char *const names[3] = {kOneThread, kAllThreads, kGpu}, *const published[3] = {
                                                                    "CPU seq (1 core of a Core i7)",
                                                                    "CPU par (its 4 cores)",
                                                                    "GPU (GeForce 9800 GT)"};
  Exhibit rates{"ballard", "Table 6.1 (a)", "Speed of six implementations on 1024 tensors"};
  Exhibit relative{"ballard", "Table 6.1 (b)", "The same relative to one thread"};
  std::vector<std::vector<Cell>> rateRows, relativeRows;
  for (int p = 0; p < 3; ++p) {
    const SixWays *general = findWay(ways, "general", names[p], kPaperTensors),
                  *unrolled = findWay(ways, "unrolled", names[p], kPaperTensors);
    const auto& a = kTable61a[p];
    std::vector<Cell> row{published[p], a[0], a[1], a[2], names[p]},
        relativeRow{published[p], kTable61b[p][0], kTable61b[p][1], names[p]};
    if (general && unrolled) {
      const SixWays *one = findWay(ways, "general", kOneThread, kPaperTensors),
                    *oneUnrolled = findWay(ways, "unrolled", kOneThread, kPaperTensors);
      row.insert(row.end(), {general->gflops, unrolled->gflops, unrolled->gflops / general->gflops,
                             unrolled->seconds * 1e3, format("%.2f %%", 100 * unrolled->missed)});
      relativeRow.insert(relativeRow.end(),
                         {general->gflops / one->gflops, unrolled->gflops / oneUnrolled->gflops});
    } else {
      row.insert(row.end(), {"no GPU here", "no GPU here", Cell(), Cell(), Cell()});
      relativeRow.insert(relativeRow.end(), {"no GPU here", "no GPU here"});
    }
    rateRows.push_back(std::move(row)), relativeRows.push_back(std::move(relativeRow));
  }
  rates.table =
      plainTable({"published on", "published general", "published unrolled", "published gain", "here on",
                  "general Gflop/s", "unrolled Gflop/s", "gain", "unrolled ms", "maxima missed"},
                 std::move(rateRows));
  rates.remark =
      "All rates are Gflop/s in the paper's count (140 for A x³), with 128 random starts and shift 0. The "
      "unrolled code here works on 8 or 16 searches at a time in the vector units, of which the paper says "
      "nothing; it misses maxima because some starts do not converge without a shift, on any machine.";
  relative.table = plainTable(
      {"published on", "published general", "published unrolled", "here on", "general", "unrolled"},
      std::move(relativeRows));
  relative.remark =
      "One thread of today, with its vector units, does what the paper's four cores and more did, so ratios "
      "to it are stricter than in 2011; 1024 tensors also keep a large GPU busy for a part of its "
      "multiprocessors only, see Figure 6.2.";
  Exhibit curves{"ballard", "Figure 6.2", "Speed over the number of tensors"};
  std::map<std::string, ChartLine> lines;
  for (const auto& way : ways)
    lines[way.code + ", " + way.processor].push_back({double(way.tensors), way.gflops});
  Chart chart = chartOf(lines, "tensors of order 4, 128 starts each", "Gflop/s");
  Chart::Series printed{"published (Table 6.1)", Chart::Kind::points, {}, {}, {}};
  for (const auto& a : kTable61a)
    for (const double gflops : {a[0], a[1]}) printed.x.push_back(kPaperTensors), printed.y.push_back(gflops);
  chart.series.push_back(std::move(printed));
  curves.drawings = {
      {"Gflop/s in the paper's count. Points at 1024 tensors are published, from below: general on one core "
       "and on four, unrolled on one core, general on its GPU, unrolled on four cores and on its GPU.",
       svgOf(chart, kLogAxis, kLogAxis)}};
  curves.table = curveTable(ways, sizes, machine.hasGpu);
  curves.remark =
      "Gflop/s. As in the paper one thread is as fast on few tensors as on many, while all threads and a GPU "
      "need as many as they have places for; ours go on where the paper's set ends. The paper's curves are a "
      "picture without numbers, so only their ends at 1024 tensors, which Table 6.1 prints, are shown.";
  return {std::move(rates), std::move(relative), std::move(curves)};
}

}  // namespace sulcus::bench
