#include "tests/bench/activation_bench.h"

#include "core/base/parallel_for.h"
#include "tests/bench/activation_gpu.h"
#include "tests/bench/measure.h"
#include "tests/bench/report_parts.h"
#include "tests/support/gibbs_problem.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sulcus::bench {
namespace {

constexpr double kRepeated = 1;  // seconds: what takes longer is measured once

const std::pair<RandomGenerator, const char*> kGenerators[] = {{RandomGenerator::philox, "philox"},
                                                               {RandomGenerator::multicarry, "multicarry"},
                                                               {RandomGenerator::xorgens, "xorgens"},
                                                               {RandomGenerator::mt19937, "mt19937"}};

const char* nameOf(RandomGenerator generator) {
  for (const auto& [known, name] : kGenerators)
    if (known == generator) return name;
  return "";
}

GibbsOptions optionsOf(const ActivationRow& row, RandomGenerator generator) {
  GibbsOptions options;
  options.draws = row.draws, options.burnIn = row.draws / 10, options.chains = row.chains;
  options.generator = generator;
  return options;
}

/// R̂ that 99 % stay below.
double rhatOf(const GibbsMoments& moments) {
  std::vector<float> sorted = moments.rhat;
  const auto place = sorted.begin() + std::ptrdiff_t(double(sorted.size() - 1) * 0.99);
  std::nth_element(sorted.begin(), place, sorted.end());
  return *place;
}

/// Largest distance of means in Monte Carlo errors of `reference`.
double distanceBetween(const GibbsMoments& moments, const GibbsMoments& reference, int regressors) {
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
  return a.generator == b.generator && a.processor == b.processor && a.regressors == b.regressors &&
         a.chains == b.chains && a.groups == b.groups && a.draws == b.draws;
}

double secondsOf(const ActivationRow& row) { return row.kernel > 0 ? row.kernel : row.transfers; }

std::string line(const ActivationRow& row) {
  char text[200];
  std::snprintf(text, sizeof text,
                "%s, %s, %lld voxels, %d scans, %d chains, %d groups: %.4g s, distance %.2g",
                row.generator.c_str(), row.processor.c_str(), static_cast<long long>(row.voxels), row.scans,
                row.chains, row.groups, row.transfers, row.distance);
  return text;
}

class Bench {
 public:
  Bench(const ActivationBenchOptions& options, const std::function<void(const std::string&)>& tell)
      : options_(options), tell_(tell) {
    describeMachine(report_);
  }

  void run(ActivationRow row, RandomGenerator generator) {
    row.generator = nameOf(generator), row.draws = options_.draws;
    const GibbsProblem problem =
        test::makeGibbsProblem({row.voxels, row.regressors, 1, row.groups, row.scans});
    const GibbsOptions sampling = optionsOf(row, generator);
    GibbsMoments reference;
    const auto onCpu = [&](const char* processor, int threads) {
      row.processor = processor;
      if (wouldTakeTooLong(row)) return;
      ActivationRow measured = row;
      withThreads(threads, [&] {
        const auto sample = [&] {
          const double begin = now();
          GibbsMoments moments = sampleGibbs(problem, sampling, {}, {}).moments;
          measured.transfers = now() - begin;
          measured.distance =
              reference.mean.empty() ? 0 : distanceBetween(moments, reference, row.regressors);
          reference = std::move(moments);
        };
        sample();
        if (measured.transfers < kRepeated) {
          const double median = medianSeconds(sample);
          measured.transfers = median;
        }
      });
      measured.rhat = rhatOf(reference);
      add(measured);
    };
    onCpu("CPU, 1 thread", 1);
    if (report_.threads > 1) onCpu("CPU, all threads", 0);
    if (!report_.hasGpu) return;
    row.processor = "GPU";
    const GpuSampling sampled = timeGpuSampling(problem, sampling);
    row.kernel = sampled.kernelSeconds, row.resident = sampled.residentSeconds,
    row.transfers = sampled.transferSeconds;
    row.deviceBytes = sampled.deviceBytes;
    row.rhat = rhatOf(sampled.moments);
    if (!reference.mean.empty()) row.distance = distanceBetween(sampled.moments, reference, row.regressors);
    add(row);
  }

  ActivationReport report() { return std::move(report_); }

 private:
  /// Whether the last size of this implementation says so.
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
  ActivationReport report_;
};

}  // namespace

ActivationBenchOptions quickActivationBench() {
  ActivationBenchOptions options;
  options.sizes = {100, 1000};
  options.scans = {45, 400};
  options.others = 100;
  options.draws = 200;
  options.longest = 1;
  return options;
}

ActivationReport runActivationBench(const ActivationBenchOptions& options,
                                    const std::function<void(const std::string&)>& tell) {
  Bench bench(options, tell);
  ActivationRow row;
  for (const auto size : options.sizes) {
    row.voxels = size;
    bench.run(row, RandomGenerator::philox);
  }
  row.voxels = options.others;
  for (const int scans : options.scans) {
    row.scans = scans;
    bench.run(row, RandomGenerator::philox);
  }
  row.scans = 45;
  for (const auto& [generator, name] : kGenerators) bench.run(row, generator);
  for (const int regressors : {2, 8, 16}) {
    row.regressors = regressors;
    bench.run(row, RandomGenerator::philox);
  }
  row.regressors = 5, row.chains = 2;
  bench.run(row, RandomGenerator::philox);
  row.groups = 40;
  bench.run(row, RandomGenerator::philox);
  return bench.report();
}

double growthExponent(const ActivationReport& report, const ActivationRow& of) {
  const ActivationRow* smaller = nullptr;
  for (const auto& row : report.rows)
    if (sameBut(row, of) && row.scans == of.scans && row.voxels < of.voxels &&
        (!smaller || row.voxels > smaller->voxels))
      smaller = &row;
  if (!smaller) return 0;
  return std::log(secondsOf(of) / secondsOf(*smaller)) /
         std::log(double(of.voxels) / double(smaller->voxels));
}

}  // namespace sulcus::bench
