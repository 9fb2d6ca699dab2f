#include "core/base/parallel/parallel_for.h"
#include "gpu/activation/activation.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"
#include "tests/bench/papers/ferreira_papers.h"
#include "tests/bench/papers/neighboring_streams.h"

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

Exhibit ferreiraGenerators() {
  Exhibit exhibit{"ferreira", "Generators", "The package's three generators and Sulcus' own, side by side"};
  std::vector<std::vector<Cell>> rows;
  struct Known {
    Generator generator;
    const char *name, *published;
    double cpu, gpu;  ///< seconds of the sampler, 2026-11-23
  };
  for (const auto& known :
       {Known{Generator::multicarry, "multicarry (Marsaglia)", "fastest", 0.06709, 0.1135},
        Known{Generator::xorgens, "xorgens (Brent)", "not so fast", 0.06373, 0.1174},
        Known{Generator::mersenneTwister, "Mersenne twister", "slowest", 0.1965, 0.1183},
        Known{Generator::philox, "Philox", "–", 0.0698, 0.04338}}) {
    const StreamCorrelation own = seededCorrelation(known.generator);
    const bool packaged = known.generator == Generator::multicarry;
    const StreamCorrelation theirs = packaged ? packageCorrelation() : StreamCorrelation{};
    rows.push_back(
        {known.name, known.published, nanosecondsOfWord(known.generator), known.cpu, known.gpu,
         packaged ? Cell(format("%.2f … %.2f", theirs.lowest, theirs.highest)) : Cell("not measured"),
         format("%.3f … %.3f", own.lowest, own.highest)});
  }
  exhibit.table =
      plainTable({"generator", "published speed", "a word, 1 thread: ns", "sampler on a CPU in 2026-11: s",
                  "sampler on a GPU in 2026-11: s", "neighbors' correlation, seeds as in the package",
                  "neighbors' correlation here"},
                 std::move(rows));
  exhibit.remark =
      "The package seeds each thread with half a common seed plus the number of the thread, anew in every "
      "sweep, so the first numbers of neighboring voxels differ by a constant. Here every voxel's stream is "
      "seeded by Philox and neighbors are not correlated. The sampler draws with Philox alone, which needs "
      "no memory for states. The seconds are those of its 3000 iterations on the audio-visual scan when it "
      "still had all four (one thread of an Intel Xeon and an NVIDIA H200, 2026-11-23); then the posterior "
      "means "
      "agreed within Monte Carlo error whatever the generator.";
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
  exhibits.push_back(ferreiraGenerators());
  return exhibits;
}

}  // namespace sulcus::bench
