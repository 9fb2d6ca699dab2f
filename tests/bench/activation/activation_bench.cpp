#include "tests/bench/activation/activation_bench.h"

#include "core/base/parallel/parallel_for.h"
#include "core/math/statistics.h"
#include "tests/bench/activation/activation_gpu.h"
#include "tests/bench/cases.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"
#include "tests/support/gibbs_problem.h"

#include <algorithm>
#include <cmath>

namespace sulcus::bench {
namespace {

constexpr double kRepeated = 1;  // seconds: longer runs are measured once

activation::GibbsOptions optionsOf(const ActivationRow& row) {
  activation::GibbsOptions options;
  options.draws = row.draws, options.burnIn = row.draws / 10, options.chains = row.chains;
  return options;
}

/// The R̂ that 99 % are below.
double rhatOf(const activation::GibbsMoments& moments) {
  std::vector<float> values = moments.rhat;
  return lowerQuantile(values, 0.99);
}

/// The largest distance between means, in Monte Carlo errors of `reference`.
double distanceBetween(const activation::GibbsMoments& moments, const activation::GibbsMoments& reference,
                       int regressors) {
  const std::size_t m = reference.sigma2Mean.size();
  double largest = 0;
  for (std::size_t j = 0; j < std::size_t(regressors); ++j)
    for (std::size_t i = 0; i < m; ++i) {
      const double variance = reference.covariance[(j * (j + 1) / 2 + j) * m + i];
      const double error = std::sqrt(variance / double(reference.ess[j * m + i]));
      largest =
          std::max(largest, std::abs(double(moments.mean[j * m + i]) - reference.mean[j * m + i]) / error);
    }
  return largest;
}

bool sameBut(const ActivationRow& a, const ActivationRow& b) {
  return a.processor == b.processor && a.regressors == b.regressors && a.chains == b.chains &&
         a.groups == b.groups && a.draws == b.draws && a.correlated == b.correlated;
}

std::string caseOf(const ActivationRow& row) {
  return format("%s, %lld voxels, %d scans, %d regressors, %d chains, %d groups, %s", row.processor.c_str(),
                static_cast<long long>(row.voxels), row.scans, row.regressors, row.chains, row.groups,
                row.correlated ? "with memory" : "white");
}

std::string line(const ActivationRow& row) {
  return caseOf(row) +
         format(": %.4g s, kernel %.4g s, distance %.2g", row.transfers, row.kernel, row.distance);
}

class Bench {
 public:
  Bench(const ActivationBenchOptions& options, const std::function<void(const std::string&)>& tell)
      : options_(options), tell_(tell) {
    static_cast<Machine&>(report_) = thisMachine();
  }

  void run(ActivationRow row) {
    row.draws = options_.draws;
    const auto wants = [&](const char* processor) {
      row.processor = processor;
      return isWanted(caseOf(row), options_.only);
    };
    const bool oneThread = wants("CPU, 1 thread"),
               allThreads = report_.threads > 1 && wants("CPU, all threads"),
               gpu = report_.hasGpu && wants("GPU");
    if (!oneThread && !allThreads && !gpu) return;
    const activation::GibbsProblem problem =
        test::makeGibbsProblem({row.voxels, row.regressors, 1, row.groups, row.scans, 1, row.correlated});
    const activation::GibbsOptions sampling = optionsOf(row);
    activation::GibbsMoments reference;
    const auto onCpu = [&](const char* processor, int threads) {
      row.processor = processor;
      if (wouldTakeTooLong(row)) return;
      ActivationRow measured = row;
      withThreads(threads, [&] {
        activation::GibbsMoments moments;
        measured.transfers = onceOrMedianSeconds(
            [&] { moments = activation::sampleGibbs(problem, sampling, {}, {}).moments; }, kRepeated);
        measured.distance = reference.mean.empty() ? 0 : distanceBetween(moments, reference, row.regressors);
        reference = std::move(moments);
      });
      measured.rhat = rhatOf(reference);
      add(measured);
    };
    if (oneThread) onCpu("CPU, 1 thread", 1);
    if (allThreads) onCpu("CPU, all threads", 0);
    if (!gpu) return;
    row.processor = "GPU";
    const GpuSampling sampled = timeGpuSampling(problem, sampling);
    row.kernel = sampled.kernelSeconds, row.resident = sampled.residentSeconds,
    row.transfers = sampled.transferSeconds;
    row.deviceBytes = sampled.deviceBytes;
    row.rhat = rhatOf(sampled.moments);
    if (!reference.mean.empty()) row.distance = distanceBetween(sampled.moments, reference, row.regressors);
    add(row);
  }

  ActivationMeasurements report() { return std::move(report_); }

 private:
  /// Whether this size would take too long, judging by the last size of this implementation.
  bool wouldTakeTooLong(const ActivationRow& row) const {
    for (auto known = report_.rows.rbegin(); known != report_.rows.rend(); ++known)
      if (sameBut(*known, row))
        return known->transfers * double(row.voxels) / double(known->voxels) > options_.longest;
    return false;
  }

  void add(ActivationRow row) {
    row.hostBytes = peakHostBytes();
    report_.rows.push_back(row);
    tell_(line(row));
  }

  const ActivationBenchOptions& options_;
  const std::function<void(const std::string&)>& tell_;
  ActivationMeasurements report_;
};

}  // namespace

ActivationBenchOptions quickActivationBench() {
  ActivationBenchOptions options;
  options.sizes = {100, 1000};
  options.scans = {45, 400};
  options.others = options.remembering = 100;
  options.draws = 200;
  options.longest = 1;
  return options;
}

ActivationMeasurements runActivationBench(const ActivationBenchOptions& options,
                                          const std::function<void(const std::string&)>& tell) {
  Bench bench(options, tell);
  ActivationRow row;
  for (const auto size : options.sizes) {
    row.voxels = size;
    bench.run(row);
  }
  row.voxels = options.others;
  for (const int scans : options.scans) {
    row.scans = scans;
    bench.run(row);
  }
  row.scans = 45;
  for (const int regressors : {2, 8, 16}) {
    row.regressors = regressors;
    bench.run(row);
  }
  row.regressors = 5, row.chains = 2;
  bench.run(row);
  row.groups = 40;
  bench.run(row);
  row.chains = row.groups = 1, row.correlated = true;
  for (const std::int64_t voxels : {options.others, options.remembering}) {
    row.voxels = voxels;
    bench.run(row);
  }
  return bench.report();
}

}  // namespace sulcus::bench
