#include "core/base/parallel/parallel_for.h"
#include "core/fibers/peaks/find_peaks.h"
#include "core/fibers/peaks/starts.h"
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

/// One implementation of Table 6.1, or Sulcus' own search, for this number of tensors.
struct Way {
  std::string code, processor;
  std::int64_t tensors = 0;
  double seconds = 0, gflops = 0, missed = 0;
};

constexpr const char *kOneThread = "CPU, 1 thread", *kAllThreads = "CPU, all threads", *kGpu = "GPU";
constexpr const char *kGeneral = "general", *kUnrolled = "unrolled", *kSulcus = "Sulcus";
constexpr int kSteps = 60;

/// The paper's starts and shift.
fibers::FiberOptions paperSearch() {
  fibers::FiberOptions options;
  options.model = fibers::FiberModel::tensor;
  options.shift = fibers::ShiftRule::fixed, options.alpha = 0;
  options.startSet = fibers::StartSet::random, options.starts = 128;
  options.relativeThreshold = 0.1;
  return options;
}

/// The forms, for the kernels as the paper prints them.
PowerMethodWork workOf(const Series<float>& forms) {
  PowerMethodWork work{4, 3, int(forms.grid.voxels()), 0, kSteps, {}, {}};
  for (std::int64_t t = 0; t < work.tensors; ++t)
    for (int u = 0; u < forms.count; ++u) work.entries.push_back(forms.at(t, u));
  for (const auto& start : fibers::startingDirections(paperSearch()))
    for (int i = 0; i < 3; ++i) work.starts.push_back(start[i]);
  return work;
}

/// Where the starts of the first tensors ended, as peaks.
Series<float> peaksOf(const PowerMethodEnds& ends, int starts, std::int64_t tensors) {
  Grid grid;
  grid.size = {int(tensors), 1, 1};
  Series<float> peaks(grid, 3 * starts);
  for (std::int64_t t = 0; t < tensors; ++t)
    for (int i = 0; i < peaks.count; ++i) peaks.at(t, i) = ends.vectors[std::size_t(t * peaks.count + i)];
  return peaks;
}

/// @param reference  the maxima of the first tensors
Way measureOneWay(const std::string& code, const std::string& processor, const Series<float>& forms,
                  const std::vector<std::vector<Vec3<double>>>& reference) {
  Way way{code, processor, forms.grid.voxels()};
  const fibers::FiberOptions options = paperSearch();
  const bool onGpu = processor == kGpu, own = code == kSulcus;
  double evaluations = double(way.tensors) * options.starts * kSteps;
  Series<float> peaks;
  if (own && onGpu) {
    GpuPeakSearch search = timeGpuPeakSearch(forms, 4, options);
    way.seconds = search.kernelSeconds, evaluations = search.iterations;
    peaks = std::move(search.peaks);
  } else {
    withThreads(processor == kOneThread ? 1 : 0, [&] {
      if (own) {
        const Mask valid(forms.grid, std::uint8_t(1));
        fibers::PeakMaps maps;
        way.seconds = onceOrMedianSeconds([&] { maps = fibers::findPeaks(forms, valid, options, {}); }, 0.1);
        evaluations = double(maps.totalIterations);
        peaks = std::move(maps.peaks);
        return;
      }
      const PowerMethodWork work = workOf(forms);
      const bool unrolled = code == kUnrolled;
      const PowerMethodEnds ends =
          onGpu ? powerMethodOnGpu(work, unrolled) : powerMethodOnCpu(work, unrolled);
      way.seconds = ends.seconds;
      peaks = peaksOf(ends, options.starts, std::int64_t(reference.size()));
    });
  }
  way.missed = missedMaxima(reference, peaks);
  way.gflops = evaluations * paperFlops(4, 3) / way.seconds * 1e-9;
  return way;
}

const Way* findWay(const std::vector<Way>& ways, const std::string& code, const std::string& processor,
                   std::int64_t tensors) {
  for (const auto& way : ways)
    if (way.code == code && way.processor == processor && way.tensors == tensors) return &way;
  return nullptr;
}

/// Table 6.1 as printed.
constexpr double kTable61a[3][3] = {{0.24, 1.86, 7.86}, {0.92, 6.85, 7.41}, {5.95, 131.73, 22.15}};
constexpr double kTable61b[3][2] = {{1, 1}, {3.90, 3.67}, {25.08, 70.66}};
constexpr std::int64_t kPaperTensors = 1024;

/// A row for each number of tensors: the printed value, Gflop/s of the implementations, maxima missed.
Table curveTable(const std::vector<Way>& ways, const std::vector<std::int64_t>& sizes, bool hasGpu) {
  std::vector<std::string> titles{"tensors", "published unrolled: CPU seq", "published unrolled: CPU par",
                                  "published unrolled: GPU"};
  std::vector<std::vector<Cell>> rows;
  for (const auto tensors : sizes) {
    std::vector<Cell> row{tensors};
    for (const auto& a : kTable61a) row.push_back(tensors == kPaperTensors ? Cell(a[1]) : Cell());
    double missed = 0;
    for (const std::string code : {kGeneral, kUnrolled, kSulcus})
      for (const std::string processor : {kOneThread, kAllThreads, kGpu}) {
        if (tensors == sizes.front()) titles.push_back(code + ": " + processor);
        const Way* const way = findWay(ways, code, processor, tensors);
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
  std::vector<Way> ways;
  std::vector<std::string> processors{kOneThread, kAllThreads};
  if (machine.hasGpu) processors.push_back(kGpu);
  const std::vector<std::int64_t> sizes =
      options.quick ? std::vector<std::int64_t>{1, 32, 1024}
                    : std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 10'000, 100'000};
  for (const auto size : sizes) {
    const Series<float> forms = fiberForms(Forms::adc, 4, size);
    const auto reference = referenceMaxima(forms, std::min<std::int64_t>(size, 256), paperSearch());
    for (const std::string code : {kGeneral, kUnrolled, kSulcus})
      for (const auto& processor : processors) {
        const bool large = size > (code == kSulcus ? 10'000 : kPaperTensors);
        if (large && processor != kGpu) continue;
        ways.push_back(measureOneWay(code, processor, forms, reference));
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
    const Way *general = findWay(ways, kGeneral, names[p], kPaperTensors),
              *unrolled = findWay(ways, kUnrolled, names[p], kPaperTensors),
              *own = findWay(ways, kSulcus, names[p], kPaperTensors);
    const auto& a = kTable61a[p];
    std::vector<Cell> row{published[p], a[0], a[1], a[2], names[p]},
        relativeRow{published[p], kTable61b[p][0], kTable61b[p][1], names[p]};
    if (general && unrolled && own) {
      const Way *one = findWay(ways, kGeneral, kOneThread, kPaperTensors),
                *oneUnrolled = findWay(ways, kUnrolled, kOneThread, kPaperTensors);
      row.insert(row.end(), {general->gflops, unrolled->gflops, unrolled->gflops / general->gflops,
                             unrolled->seconds * 1e3, format("%.2f %%", 100 * unrolled->missed),
                             own->seconds * 1e3, format("%.2f %%", 100 * own->missed)});
      relativeRow.insert(relativeRow.end(),
                         {general->gflops / one->gflops, unrolled->gflops / oneUnrolled->gflops});
    } else {
      row.insert(row.end(), {"no GPU here", "no GPU here", Cell(), Cell(), Cell(), Cell(), Cell()});
      relativeRow.insert(relativeRow.end(), {"no GPU here", "no GPU here"});
    }
    rateRows.push_back(std::move(row)), relativeRows.push_back(std::move(relativeRow));
  }
  rates.table = plainTable({"published on", "published general", "published unrolled", "published gain",
                            "here on", "general Gflop/s", "unrolled Gflop/s", "gain", "unrolled ms",
                            "maxima missed", "Sulcus ms", "maxima missed by Sulcus"},
                           std::move(rateRows));
  rates.remark =
      "All rates are Gflop/s in the paper's count (140 for A x³), with 128 random starts and shift 0, by the "
      "paper's kernels as it prints them, without vector units: 60 steps from each start. Some starts do not "
      "converge without a shift, on any machine. Sulcus' own search works on 8 or 16 starts at a time and "
      "ends with Newton steps, so that it needs few of them.";
  relative.table = plainTable(
      {"published on", "published general", "published unrolled", "here on", "general", "unrolled"},
      std::move(relativeRows));
  relative.remark =
      "By the paper's kernels. 1024 tensors keep a large GPU busy for a part of its multiprocessors only, "
      "see Figure 6.2.";
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
