#include "core/base/parallel/parallel_for.h"
#include "gpu/activation/activation.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"
#include "tests/bench/papers/ferreira_papers.h"
#include "tests/bench/papers/neighboring_streams.h"

#include <algorithm>

namespace sulcus::bench {
namespace {

SampledScan sampled(activation::AnalyzeActivation& analyze, const PaperScan& scan,
                    const activation::ActivationOptions& options) {
  SampledScan run;
  run.seconds = onceOrMedianSeconds(
      [&] {
        run.result = std::make_shared<const activation::ActivationResult>(analyze(scan.input, options, {}));
      },
      0.5);
  return run;
}

}  // namespace

FerreiraRuns ferreiraRuns(const PapersOptions& options, const Machine& machine) {
  FerreiraRuns runs{audioVisualScan(options), simulatedAuditoryScan(options), {}, {}, {}, {}, {}, {}, {}};
  const auto onThreads = [&](int threads, const PaperScan& scan) {
    SampledScan run;
    withThreads(threads, [&] { run = sampled(activation::analyzeActivation, scan, scan.options); });
    return run;
  };
  runs.one = onThreads(1, runs.scan), runs.all = onThreads(0, runs.scan);
  runs.simulatedOne = onThreads(1, runs.simulated), runs.simulatedAll = onThreads(0, runs.simulated);
  auto strong = runs.scan.options;
  strong.nuE = 45;
  runs.strong = sampled(activation::analyzeActivation, runs.scan, strong);
  if (machine.hasGpu) {
    runs.gpu = sampled(gpu::activation::analyzeActivation, runs.scan, runs.scan.options);
    runs.simulatedGpu = sampled(gpu::activation::analyzeActivation, runs.simulated, runs.simulated.options);
  }
  options.tell(
      format("run times: one thread %.3g s, all threads %.3g s", runs.one.seconds, runs.all.seconds));
  return runs;
}

std::vector<Exhibit> ferreiraRunTimes(const FerreiraRuns& runs, const Machine& machine) {
  const auto gpuCell = [&](double value) { return machine.hasGpu ? Cell(value) : Cell("no GPU here"); };
  const auto draws = runs.scan.options.draws;
  Exhibit times{"ferreira", "Run times", format("Seconds for %d iterations", draws)};
  times.table =
      plainTable({"data", "published: R, s", "published: C, s", "published: CUDA, s", "CPU, 1 thread: s",
                  "CPU, all threads: s", "GPU: s", "voxels"},
                 {{runs.scan.name, std::int64_t(1327), std::int64_t(224), std::int64_t(22), runs.one.seconds,
                   runs.all.seconds, gpuCell(runs.gpu.seconds), runs.one.result->count()},
                  {runs.simulated.name, std::int64_t(2534), std::int64_t(309), std::int64_t(41),
                   runs.simulatedOne.seconds, runs.simulatedAll.seconds, gpuCell(runs.simulatedGpu.seconds),
                   runs.simulatedOne.result->count()}});
  times.remark = format(
      "Published are seconds for 3000 iterations on a notebook of 2010 with a GeForce 8400M GS; ours are for "
      "%d of the same model, from the series in memory to its maps. An iteration here does not depend on the "
      "number of scans and needs no factorization for each voxel, so even one thread is far ahead of the old "
      "GPU.",
      draws);
  Exhibit ratios{"ferreira", "Speed-up factors", "The same, relative"};
  const auto row = [&](const char* name, double a, double b, double c, const SampledScan& one,
                       const SampledScan& all, const SampledScan& gpu) {
    return std::vector<Cell>{name,
                             a,
                             b,
                             c,
                             one.seconds / all.seconds,
                             gpuCell(one.seconds / gpu.seconds),
                             gpuCell(all.seconds / gpu.seconds)};
  };
  ratios.table =
      plainTable({"data", "published: C to R", "published: CUDA to C", "published: CUDA to R",
                  "all threads to one", "GPU to one thread", "GPU to all threads"},
                 {row("fmri", 6.0, 10.0, 60.0, runs.one, runs.all, runs.gpu),
                  row("swrfM", 8.2, 7.5, 61.8, runs.simulatedOne, runs.simulatedAll, runs.simulatedGpu)});
  ratios.remark =
      "A slice of a few thousand voxels is too small to keep many threads or a GPU of today busy; on whole "
      "volumes the factors are larger, see RESULTS.md.";
  return {std::move(times), std::move(ratios)};
}

Exhibit ferreiraGenerators(const FerreiraRuns& runs, const Machine& machine) {
  Exhibit exhibit{"ferreira", "Generators", "The package's three generators and Sulcus' own, side by side"};
  std::vector<std::vector<Cell>> rows;
  struct Known {
    RandomGenerator generator;
    const char *name, *published;
  };
  for (const auto& known : {Known{RandomGenerator::multicarry, "multicarry (Marsaglia)", "fastest"},
                            Known{RandomGenerator::xorgens, "xorgens (Brent)", "not so fast"},
                            Known{RandomGenerator::mt19937, "Mersenne twister", "slowest"},
                            Known{RandomGenerator::philox, "Philox", "–"}}) {
    auto options = runs.scan.options;
    options.rng = known.generator;
    SampledScan one;
    withThreads(1, [&] { one = sampled(activation::analyzeActivation, runs.scan, options); });
    Cell onGpu = "no GPU here";
    if (machine.hasGpu) onGpu = sampled(gpu::activation::analyzeActivation, runs.scan, options).seconds;
    const StreamCorrelation own = seededCorrelation(known.generator);
    const auto means = posteriorMeans(*one.result, runs.scan.visual);
    const auto p = effectProbabilities(*one.result, runs.scan.visual);
    const auto [low, high] = std::minmax_element(means.begin(), means.end());
    const bool packaged = known.generator == RandomGenerator::multicarry;
    const StreamCorrelation theirs = packaged ? packageCorrelation() : StreamCorrelation{};
    rows.push_back(
        {known.name, known.published, one.seconds, onGpu,
         packaged ? Cell(format("%.2f … %.2f", theirs.lowest, theirs.highest)) : Cell("not measured"),
         format("%.3f … %.3f", own.lowest, own.highest), format("%.3f … %.3f", *low, *high),
         std::int64_t(std::count_if(p.begin(), p.end(), [](float v) { return v >= 0.95f; }))});
  }
  exhibit.table =
      plainTable({"generator", "published speed", "CPU, 1 thread: s", "GPU: s",
                  "neighbors' correlation, seeds as in the package", "neighbors' correlation here",
                  "posterior means, visual", "voxels with P ≥ 0.95"},
                 std::move(rows));
  exhibit.remark =
      "The package seeds each thread with half a common seed plus the number of the thread, anew in every "
      "sweep, so the first numbers of neighboring voxels differ by a constant. Here every voxel's stream is "
      "seeded by Philox and neighbors are not correlated; the figures then agree within Monte Carlo error "
      "whatever the generator.";
  return exhibit;
}

std::vector<Exhibit> ferreiraExhibits(const PapersOptions& options, const Machine& machine) {
  const FerreiraRuns runs = ferreiraRuns(options, machine);
  std::vector<Exhibit> exhibits = ferreiraRunTimes(runs, machine);
  exhibits.push_back(ferreiraMaps(runs, "Figure 1", "visual", runs.scan.visual));
  exhibits.push_back(ferreiraMaps(runs, "Figure 2", "auditory", runs.scan.auditory));
  exhibits.push_back(ferreiraFittedSeries(runs));
  exhibits.push_back(ferreiraHistogram(runs, machine));
  exhibits.push_back(ferreiraShrinkage(runs));
  exhibits.push_back(ferreiraSimulatedMap(runs));
  for (auto& exhibit : ferreiraRandomEffects(runs)) exhibits.push_back(std::move(exhibit));
  exhibits.push_back(ferreiraGenerators(runs, machine));
  return exhibits;
}

}  // namespace sulcus::bench
