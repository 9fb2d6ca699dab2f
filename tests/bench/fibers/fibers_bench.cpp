#include "tests/bench/fibers/fibers_bench.h"

#include "core/base/parallel/parallel_for.h"
#include "core/fibers/peaks/find_peaks.h"
#include "gpu/fibers/fibers.h"
#include "tests/bench/cases.h"
#include "tests/bench/fibers/fibers_data.h"
#include "tests/bench/fibers/fibers_gpu.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

namespace sulcus::bench {
namespace {

struct Job {
  fibers::ShiftRule shift;
  fibers::StartSet startSet;
  int starts;
};
/// The starts and the shift of the paper, on diffusion profiles and on fibers; and ours.
const Job kJobs[] = {
    {fibers::ShiftRule::fixed, fibers::StartSet::random, 128},
    {fibers::ShiftRule::adaptive, fibers::StartSet::random, 128},
    {fibers::ShiftRule::adaptive, fibers::StartSet::sphere, 64},
};

Forms formsOf(const Job& job) {
  return job.shift == fibers::ShiftRule::adaptive ? Forms::fibers : Forms::adc;
}

fibers::FiberOptions optionsOf(const Job& job) {
  fibers::FiberOptions options;
  options.shift = job.shift, options.startSet = job.startSet;
  options.starts = job.starts;
  options.relativeThreshold = 0.1, options.maxPeaks = 8;  // every relevant maximum
  return options;
}

/// Lane instructions of an evaluation with its overhead, counted by hand.
double slots(int order) { return order == 4 ? 120 : 200; }

/// Seconds from a file of tensors to a file of peaks, by `work`, see medianSeconds().
template <class Work>
double fileToFile(const Series<float>& forms, int times, Work work) {
  const test::TemporaryFolder folder;
  const auto in = folder / "in.raw", out = folder / "out.raw";
  const auto write = [](const std::filesystem::path& path, const std::vector<float>& values) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size() * sizeof(float)));
  };
  write(in, forms.values);
  return medianSeconds(
      [&] {
        Series<float> read(forms.grid, forms.count);
        std::ifstream(in, std::ios::binary)
            .read(reinterpret_cast<char*>(read.values.data()),
                  std::streamsize(read.values.size() * sizeof(float)));
        write(out, work(read).values);
      },
      times);
}

void finish(FiberRow& row, double iterations) {
  row.iterations = iterations / (double(row.voxels) * row.starts);
  row.gflops = iterations * paperFlop(row.order) / row.kernel * 1e-9;
  row.hostBytes = peakHostBytes();
}

FiberRow emptyRow(const Job& job, const char* processor, int order, std::int64_t voxels) {
  FiberRow row;
  row.processor = processor;
  row.shift = job.shift == fibers::ShiftRule::adaptive ? "adaptive" : "0";
  row.data = formsOf(job) == Forms::fibers ? "fibers" : "adc";
  row.order = order, row.starts = job.starts, row.voxels = voxels;
  return row;
}

FiberRow onCpu(const Job& job, const char* processor, int threads, int times, int order,
               const Series<float>& forms, const std::vector<std::vector<Vec3<double>>>& reference) {
  FiberRow row = emptyRow(job, processor, order, forms.grid.voxels());
  const fibers::FiberOptions options = optionsOf(job);
  const Mask valid(forms.grid, std::uint8_t(1));
  fibers::PeakMaps maps;
  withThreads(threads, [&] {
    row.kernel = row.resident = row.transfers =
        medianSeconds([&] { maps = fibers::findPeaks(forms, valid, options, {}); }, times);
    row.endToEnd = fileToFile(forms, times, [&](const Series<float>& read) {
      return fibers::findPeaks(read, valid, options, {}).peaks;
    });
  });
  row.missed = missedMaxima(reference, maps.peaks);
  finish(row, double(maps.totalIterations));
  return row;
}

FiberRow onGpu(const Job& job, int order, const Series<float>& forms,
               const std::vector<std::vector<Vec3<double>>>& reference) {
  FiberRow row = emptyRow(job, "GPU", order, forms.grid.voxels());
  fibers::FiberOptions options = optionsOf(job);
  const GpuPeakSearch search = timeGpuPeakSearch(forms, order, options);
  row.kernel = search.kernelSeconds, row.resident = search.residentSeconds,
  row.transfers = search.transferSeconds;
  row.deviceBytes = search.deviceBytes;
  row.missed = missedMaxima(reference, search.peaks);
  fibers::FiberInput input;
  options.model = fibers::FiberModel::tensor;
  input.mask = std::make_shared<const Mask>(forms.grid, std::uint8_t(1));
  row.endToEnd = fileToFile(forms, 5, [&](Series<float>& read) {
    input.tensor = std::make_shared<const Series<float>>(std::move(read));
    return gpu::fibers::findFibers(input, options, {}).peaks;
  });
  finish(row, search.iterations);
  row.fractionOfLimit = search.iterations * slots(order) / search.peakSlots / row.kernel;
  return row;
}

/// Whether this number of voxels would take too long, judging by the last size of this implementation.
bool wouldTakeTooLong(const std::vector<FiberRow>& rows, const FiberRow& like, double longest) {
  for (auto row = rows.rbegin(); row != rows.rend(); ++row)
    if (row->series() == like.series())
      return row->kernel * double(like.voxels) / double(row->voxels) > longest;
  return false;
}

std::string caseOf(const FiberRow& row) {
  return format("%s, shift %s, order %d, %d starts, %lld voxels", row.processor.c_str(), row.shift.c_str(),
                row.order, row.starts, static_cast<long long>(row.voxels));
}

std::string line(const FiberRow& row) {
  return caseOf(row) +
         format(": %.4g s, %.0f Gflop/s, missed %.2g %%", row.kernel, row.gflops, 100 * row.missed);
}

std::string caseOf(const FiberRun& run) {
  return format("scan, %s, %s, %lld voxels", run.processor.c_str(), run.model.c_str(),
                static_cast<long long>(run.voxels));
}

std::string line(const FiberRun& run) {
  std::string line = caseOf(run) + format(": %.4g s", run.seconds);
  for (const auto& [stage, seconds] : run.stages) line += format(", %s %.4g", stage.c_str(), seconds);
  return line;
}

/// Takes the best of this many runs.
void measure(FiberRun& run, int runs, fibers::FindFibers* find, const fibers::FiberInput& input) {
  fibers::FiberOptions options;
  options.model = run.model == "csd" ? fibers::FiberModel::csd : fibers::FiberModel::msmt;
  options.order = run.order;
  std::vector<fibers::FiberMaps> maps;
  for (int i = 0; i < runs; ++i) {
    const double begin = now();
    maps.push_back(find(input, options, {}));
    const double seconds = now() - begin;
    if (i == 0 || seconds < run.seconds) run.seconds = seconds, run.stages = maps.back().stages;
    maps.clear();
  }
}

}  // namespace

double paperFlop(int order) {
  if (order == 4) return 140;
  int terms = 0;
  for (int i = 0; i <= order; ++i)
    for (int j = 0; i + j <= order; ++j) terms += (i > 0) + (j > 0) + (order - i - j > 0);
  return double(terms) * (order + 1);
}

FiberBenchOptions quickFiberBench() {
  FiberBenchOptions options;
  options.sizes = {100, 500};
  options.orders = {4};
  options.sample = 100;
  options.longest = 0.5;
  options.times = 1;
  options.scanVoxels = options.tissueVoxels = options.tissueVoxelsCpu = 500;
  return options;
}

FiberMeasurements runFiberBench(const FiberBenchOptions& options,
                                const std::function<void(const std::string&)>& tell) {
  FiberMeasurements report{thisMachine(), {}, {}};

  for (const int order : options.orders) {
    std::map<Forms, std::vector<std::vector<Vec3<double>>>> references;
    const auto referenceOf = [&](Forms kind) {
      auto& known = references[kind];
      if (known.empty())
        known = referenceMaxima(fiberForms(kind, order, options.sample), options.sample, optionsOf(kJobs[0]));
      return known;
    };
    for (const auto size : options.sizes) {
      for (const Job& job : kJobs) {
        const auto add = [&](const char* processor, auto measure) {
          const FiberRow row = emptyRow(job, processor, order, size);
          if (!isWanted(caseOf(row), options.only) || wouldTakeTooLong(report.rows, row, options.longest))
            return;
          auto known = referenceOf(formsOf(job));
          known.resize(std::min<std::size_t>(known.size(), std::size_t(size)));
          report.rows.push_back(measure(fiberForms(formsOf(job), order, size), known));
          tell(line(report.rows.back()));
        };
        add("CPU, 1 thread", [&](const auto& forms, const auto& known) {
          return onCpu(job, "CPU, 1 thread", 1, options.times, order, forms, known);
        });
        if (report.threads > 1)
          add("CPU, all threads", [&](const auto& forms, const auto& known) {
            return onCpu(job, "CPU, all threads", 0, options.times, order, forms, known);
          });
        if (report.hasGpu)
          add("GPU", [&](const auto& forms, const auto& known) { return onGpu(job, order, forms, known); });
      }
    }
  }
  const auto add = [&](const char* processor, fibers::FindFibers* find, const char* model,
                       std::int64_t voxels, auto scan) {
    FiberRun run;
    run.processor = processor, run.model = model, run.voxels = voxels;
    if (!isWanted(caseOf(run), options.only)) return;
    measure(run, std::min(3, options.times), find, scan(voxels));
    tell(line(run));
    report.runs.push_back(std::move(run));
  };
  const auto addBoth = [&](const char* processor, fibers::FindFibers* find, std::int64_t tissueVoxels) {
    add(processor, find, "csd", options.scanVoxels, fiberScan);
    add(processor, find, "msmt", tissueVoxels, tissueScan);
  };
  addBoth("CPU, all threads", fibers::findFibers, options.tissueVoxelsCpu);
  if (report.hasGpu) addBoth("GPU", gpu::fibers::findFibers, options.tissueVoxels);
  return report;
}

}  // namespace sulcus::bench
