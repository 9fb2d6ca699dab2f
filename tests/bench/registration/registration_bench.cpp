#include "tests/bench/registration/registration_bench.h"

#include "core/base/parallel/parallel_for.h"
#include "core/phantom/registration_phantom.h"
#include "core/registration/registration_plan.h"
#include "gpu/registration/registration.h"
#include "tests/bench/cases.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"
#include "tests/bench/registration/registration_gpu.h"

#include <algorithm>
#include <cmath>

namespace sulcus::bench {
namespace {

constexpr double kRepeated = 1;  // seconds: longer runs are measured once

/// Two different smooth images of size³ voxels.
registration::LevelImages<float> imagesOf(std::int64_t size) {
  const int n = int(size);
  registration::LevelImages<float> images{{n, n, n}, {1, 1, 1}, {}, {}};
  images.moving.resize(std::size_t(size * size * size)), images.reference.resize(images.moving.size());
  std::vector<float> wave, other;
  for (int i = 0; i < n; ++i)
    wave.push_back(float(std::sin(0.2 * i))), other.push_back(float(std::cos(0.17 * i)));
  parallelFor(size * size, 256, {}, [&](std::int64_t r) {
    const float y = wave[std::size_t(r % n)], z = other[std::size_t(r / n)];
    for (std::int64_t x = 0; x < size; ++x) {
      images.moving[std::size_t(r * size + x)] = 0.5f + 0.4f * wave[std::size_t(x)] * y * z;
      images.reference[std::size_t(r * size + x)] = 0.5f + 0.4f * other[std::size_t(x)] * z * y;
    }
  });
  return images;
}

double secondsOf(const std::function<void()>& work) { return onceOrMedianSeconds(work, kRepeated); }

std::string caseOf(const RegistrationRow& row) {
  return format("iteration, %s, %s, %lld", row.processor.c_str(), row.similarity.c_str(),
                static_cast<long long>(row.size));
}
std::string caseOf(const RegistrationRun& run) {
  return format("run, %s, %lld", run.processor.c_str(), static_cast<long long>(run.size));
}

class Bench {
 public:
  Bench(const RegistrationBenchOptions& options, const std::function<void(const std::string&)>& tell)
      : options_(options), tell_(tell) {
    static_cast<Machine&>(report_) = thisMachine();
    if (report_.hasGpu) report_.copyBandwidth = gpuCopyBandwidth();
  }

  void measureIterations(std::int64_t size) {
    using registration::Similarity;
    const registration::LevelImages<float> images = imagesOf(size);
    measureIterations(images, Similarity::l2, "l2");
    measureIterations(images, Similarity::lcc, "lcc");
    measureIterations(images, Similarity::mi, "mi");
  }

  void measureIterations(const registration::LevelImages<float>& images, registration::Similarity similarity,
                         const char* name) {
    registration::RegistrationOptions options;
    options.similarity = similarity;
    RegistrationRow row;
    row.size = images.size.x, row.similarity = name;
    const auto onGpus = [&](const std::string& processor, const std::vector<int>& devices) {
      RegistrationRow measured = row;
      measured.processor = processor;
      if (!isWanted(caseOf(measured), options_.only)) return;
      const GpuIteration gpu = timeGpuIteration(images, options, devices);
      measured.kernel = gpu.kernel, measured.iteration = gpu.iteration,
      measured.deviceBytes = gpu.deviceBytes;
      if (similarity == registration::Similarity::l2 && devices.size() == 1)
        measured.copyShare =
            kBytesPerVoxel * measured.problemSize() / measured.kernel / report_.copyBandwidth;
      add(measured);
    };
    if (report_.hasGpu) onGpus("GPU", {0});
    if (hasGpus(report_, options_.shares) && similarity != registration::Similarity::mi)
      onGpus(nameOfShares(options_.shares), options_.shares);
    const auto onCpu = [&](const char* processor, int threads) {
      row.processor = processor;
      if (!isWanted(caseOf(row), options_.only) || expected(row) > options_.longest) return;
      withThreads(threads, [&] {
        registration::RegistrationLevel<float> level(images, registration::VectorField<float>(images.size),
                                                     options, {});
        row.iteration = iterationSeconds(level, 1, secondsOf);
      });
      add(row);
    };
    onCpu("CPU, 1 thread", 1);
    if (report_.threads > 1) onCpu("CPU, all threads", 0);
  }

  void measureRuns(std::int64_t size) {
    phantom::RegistrationPhantomOptions phantomOptions;
    phantomOptions.size = int(size);
    const phantom::RegistrationPhantom phantom = phantom::makeRegistrationPhantom(phantomOptions);
    registration::RegistrationInput input;
    input.templateImage = phantom.templateImage, input.reference = phantom.reference;
    registration::RegistrationOptions full;
    full.similarity = registration::Similarity::l2;
    full.levels = 1, full.tolerance = 0, full.iterations = std::to_string(options_.iterations);
    const registration::LevelImages<float> images =
        registration::planRegistration(input, full, {}).levels.front().images();
    const auto measure = [&](const char* processor, int threads, registration::Register& onProcessor,
                             const auto& descent) {
      RegistrationRow row;
      row.size = size, row.processor = processor, row.similarity = "l2";
      const double iteration = expected(row);
      RegistrationRun run;
      run.processor = processor, run.size = size;
      if (!isWanted(caseOf(run), options_.only) || iteration * options_.iterations > options_.longest) return;
      withThreads(threads, [&] {
        run.iterations = options_.iterations;
        run.descent = descent(run.iterations);
        registration::RegistrationResult result;
        run.whole = secondsOf([&] { result = onProcessor(input, {}, {}); });
        judge(result, phantom, run);
      });
      tell_(caseOf(run) + format(": %d iterations %.4g s, whole %.4g s, error %.3f", run.iterations,
                                 run.descent, run.whole, run.meanError));
      report_.runs.push_back(std::move(run));
    };
    const auto onHost = [&](int& iterations) {
      const int most = iterations;
      return secondsOf([&] {
        registration::RegistrationLevel<float> level(images, registration::VectorField<float>(images.size),
                                                     full, {});
        registration::descend(level, 0, most, full, [&](const registration::RegistrationIteration& i) {
          iterations = i.iteration;
        });
      });
    };
    measure("CPU, 1 thread", 1, registration::registerImages, onHost);
    if (report_.threads > 1) measure("CPU, all threads", 0, registration::registerImages, onHost);
    if (report_.hasGpu)
      measure("GPU", 0, gpu::registration::registerImages,
              [&](int& iterations) { return timeGpuDescent(images, full, iterations); });
  }

  RegistrationMeasurements report() { return std::move(report_); }

 private:
  /// Seconds of an iteration, estimated from the largest size measured.
  double expected(const RegistrationRow& row) const {
    for (auto known = report_.rows.rbegin(); known != report_.rows.rend(); ++known)
      if (known->series() == row.series()) return known->iteration * row.problemSize() / known->problemSize();
    return 0;
  }

  static void judge(const registration::RegistrationResult& result,
                    const phantom::RegistrationPhantom& phantom, RegistrationRun& run) {
    run.stages = result.stages, run.wholeIterations = int(result.iterations.size());
    run.correlation = result.after.correlation, run.smallestJ = result.smallestJ;
    const double voxel = result.displacement.grid.spacing().x;
    std::vector<double> errors;
    for (std::int64_t i = 0; i < result.displacement.grid.voxels(); ++i) {
      if (!phantom.object->values[std::size_t(i)]) continue;
      double square = 0;
      for (int c = 0; c < 3; ++c)
        square += std::pow(double(result.displacement.at(i, c)) - phantom.truth->at(i, c), 2);
      errors.push_back(std::sqrt(square) / voxel);
      run.meanError += errors.back();
    }
    run.meanError /= double(errors.size());
    const auto high = errors.begin() + std::ptrdiff_t(0.95 * double(errors.size()));
    std::nth_element(errors.begin(), high, errors.end());
    run.highError = *high;
  }

  void add(RegistrationRow row) {
    row.hostBytes = peakHostBytes();
    report_.rows.push_back(row);
    tell_(caseOf(row) +
          format(": kernels %.4g ms, iteration %.4g ms", row.kernel * 1e3, row.iteration * 1e3));
  }

  const RegistrationBenchOptions& options_;
  const std::function<void(const std::string&)>& tell_;
  RegistrationMeasurements report_;
};

}  // namespace

RegistrationBenchOptions quickRegistrationBench() {
  RegistrationBenchOptions options;
  options.sizes = {16, 24};
  options.runs = {24};
  options.iterations = 20;
  options.shares = {0, 0};
  return options;
}

RegistrationMeasurements runRegistrationBench(const RegistrationBenchOptions& options,
                                              const std::function<void(const std::string&)>& tell) {
  Bench bench(options, tell);
  for (const auto size : options.sizes) bench.measureIterations(size);
  for (const auto size : options.runs) bench.measureRuns(size);
  return bench.report();
}

}  // namespace sulcus::bench
