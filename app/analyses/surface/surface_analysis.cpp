#include "app/analyses/surface/surface_analysis.h"

#include "app/analyses/input_layers.h"
#include "app/analyses/run_support.h"
#include "app/analyses/surface/distance_memo.h"
#include "app/analyses/surface/surface_inputs.h"
#include "app/analyses/surface/surface_steps.h"
#include "app/analyses/surface/surface_study.h"
#include "app/analyses/surface/surface_validation.h"
#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/platform/memory/host_memory.h"
#include "core/base/stage_clock.h"
#include "core/levelset/signed_distance.h"
#include "core/phantom/surface_phantom.h"
#include "core/surface/surface_agreement.h"
#include "core/surface/surface_charts.h"
#include "core/surface/surface_maps.h"
#include "core/surface/surface_memory.h"
#include "core/toolkits/contour.h"
#include "core/toolkits/level_sets.h"
#include "gpu/surface/surface.h"

#include <algorithm>

namespace sulcus::app::analyses {
namespace {

constexpr const char* kDistanceStage = "Signed distance";
constexpr const char* kHeatStepsStage = "Heat steps";  // the name used in core
constexpr const char* kSurfacesStage = "Surfaces and report";

/// The functions of one backend.
struct Engine {
  surface::DenoiseSurface* denoise;
  surface::FlowOver* flow;
};

/// Shows the surface after each step, while that takes no longer than the work, and measures how long it
/// took.
class Previews {
 public:
  Previews(const Analysis::Preview& show, std::shared_ptr<const Volume<float>> inputPhi)
      : show_(show), inputPhi_(std::move(inputPhi)) {}

  void operator()(const Volume<float>& phi) {
    double& seconds = seconds_.emplace_back(0);
    if (2 * shown_ > sinceBegin_.seconds()) return;
    const StageClock clock;
    show_(surface::surfacePreview(toolkits::contourOf(phi, {}), phi, *inputPhi_), {});
    shown_ += seconds = clock.seconds();
  }
  /// Subtracts its time from the stages of the heat steps, each of which had equally many.
  void leaveOut(std::vector<StageTime>& stages) const {
    std::vector<StageTime*> steps;
    for (StageTime& stage : stages)
      if (stage.name.starts_with(kHeatStepsStage)) steps.push_back(&stage);
    for (std::size_t i = 0; i < seconds_.size(); ++i)
      steps.at(i * steps.size() / seconds_.size())->seconds -= seconds_[i];
  }

 private:
  const Analysis::Preview& show_;
  std::shared_ptr<const Volume<float>> inputPhi_;
  StageClock sinceBegin_;
  double shown_ = 0;
  std::vector<double> seconds_;
};

/// Fills in what is known about the input before it is denoised.
void describeInput(surface::DenoisedSurface& made, const std::shared_ptr<const Mesh>& truth) {
  made.input = std::make_shared<const Mesh>(toolkits::contourOf(*made.phi, {}));
  made.inputMeasures = levelset::measuresOf(*made.input);
  if (truth)
    made.truth = surface::SurfaceTruth{
        truth, levelset::measuresOf(*truth), surface::surfaceDistance(*made.input, *truth, {}), {}};
}

/// Fills in measures and distances of the denoised surface.
void describe(surface::DenoisedSurface& made, const Progress& progress) {
  parallelInvoke({[&] { made.measures = levelset::measuresOf(*made.surface); },
                  [&] {
                    made.moved = surface::surfaceDistance(*made.input, *made.surface,
                                                          progress.part(0, 0.5, kSurfacesStage));
                  }});
  if (made.truth)
    made.truth->denoised =
        surface::surfaceDistance(*made.surface, *made.truth->surface, progress.part(0.5, 1, kSurfacesStage));
}

RunResult runSurface(const Engine& engine, const std::shared_ptr<DistanceMemo>& memo,
                     const AnalysisInputs& inputs, const OptionValues& values, const Progress& progress,
                     const Analysis::Preview& preview) {
  const auto options = optionsFrom<surface::SurfaceOptions>(values);
  const surface::SurfaceSource source = surfaceSource(inputs);
  // Inputs that could not be used afterwards are refused before the work.
  surface::requireSurface(source, options);
  const bool onGrid = source.kind != surface::SurfaceSource::Kind::mesh;
  const auto truth =
      trueSurface(inputs, onGrid ? gridOf(*source.layer) : nullptr, progress.part(0, 0.02, "Truth"));
  const auto distance = (*memo)(DistanceKey(source, options), [&] {
    return std::make_shared<const Volume<float>>(
        distanceOf(source, options, progress.part(0.02, 0.1, kDistanceStage)));
  });

  surface::SurfaceInput input;
  input.phi = distance.value;
  input.gray = source.kind == surface::SurfaceSource::Kind::image;
  input.mask = source.kind == surface::SurfaceSource::Kind::mask;
  input.redistance = toolkits::redistanced;
  input.memoryLimit = freeHostMemory();
  const surface::SurfaceInput silent = input;
  Previews previews(preview, distance.value);
  if (preview) input.preview = std::ref(previews);
  const auto made = std::make_shared<surface::DenoisedSurface>();
  made->phi = distance.value;
  // While the GPU starts and searches, there is time for the surface of the input.
  parallelInvoke({[&] { made->result = engine.denoise(input, options, progress.part(0.1, 0.85, "")); },
                  [&] { describeInput(*made, truth); }});
  previews.leaveOut(made->result.stages);

  RunResult result;
  const StageClock clock;
  const auto steps = std::make_shared<SurfaceSteps>(made, silent, *engine.flow, options);
  result.layers = steps->layers(options, progress.part(0.85, 0.87, kSurfacesStage));
  made->surface = std::get<MeshLayer>(result.layers.front().content).mesh;
  describe(*made, progress.part(0.87, 1, kSurfacesStage));
  result.layers.insert(result.layers.begin() + 1, surface::plainSurfaceLayer("input_surface", made->input));
  result.layers[1].display.visible = false;
  result.files.push_back({"report.json", surface::surfaceJson(*made), true});
  result.notes = surface::surfaceSummary(*made);
  if (const auto note = surface::withoutValue(source); !note.empty()) result.notes.push_back(note);
  result.notes.insert(result.notes.begin(), made->result.notes.begin(), made->result.notes.end());
  if (distance.recalled)
    result.notes.emplace_back(
        "The signed distance is that of the last run of this surface; the time it took then is included "
        "here.");
  result.stages = made->result.stages;
  result.stages.insert(result.stages.begin(), {kDistanceStage, distance.seconds});
  result.stages.push_back({kSurfacesStage, clock.seconds()});
  result.items = double(made->result.search->band.count());
  result.itemName = "voxels";
  result.plots = {surface::surfaceEnergyPlot(made->result.flow.iterations),
                  surface::displacementPlot(made->surface->pointScalars.at(surface::kDisplacementScalars))};
  result.adjust = [steps, ran = values](const OptionValues& changed, const Progress& part) {
    OptionValues all = changed;
    all.insert(ran.begin(), ran.end());
    return steps->layers(optionsFrom<surface::SurfaceOptions>(all), part);
  };
  result.source = made;
  return result;
}

/// The result with its layers, which may have been adjusted.
surface::ShownSurface shownIn(const RunResult& result) {
  const auto named = [&](const char* name) -> const Layer& {
    return *std::find_if(result.layers.begin(), result.layers.end(),
                         [name](const Layer& layer) { return layer.name == name; });
  };
  return {result.source.as<surface::DenoisedSurface>(), *std::get<VolumeLayer>(named("phi").content).series,
          *std::get<MeshLayer>(named("surface").content).mesh};
}

Comparison compare(const RunResult& a, const RunResult& b, const Progress& progress) {
  return compareSurfaces(shownIn(a), shownIn(b), progress);
}

std::vector<AgreementRow> compareWithTruth(const RunResult& result, const AnalysisInputs&,
                                           const Progress& progress) {
  const surface::ShownSurface shown = shownIn(result);
  if (!shown.run.truth) return {};
  return compareSurfaceWithTruth(shown, progress);
}

std::vector<Layer> inputLayers(const AnalysisInputs& inputs, const OptionValues& values,
                               const Progress& progress) {
  try {
    return {surface::plainSurfaceLayer(
        "input_surface",
        contourOfInput(surfaceSource(inputs), optionsFrom<surface::SurfaceOptions>(values), progress))};
  } catch (const Error&) {
    return {};  // a run would say why
  }
}

/// Refuses a band that will not fit, with the number of voxels that would.
MemoryNeed needs(const AnalysisInputs& inputs, const OptionValues& values) {
  const auto options = optionsFrom<surface::SurfaceOptions>(values);
  const surface::BandEstimate band = bandEstimate(inputs, options);
  surface::requireBandFits(std::int64_t(band.voxels), options, freeHostMemory());
  return {surface::surfaceHostBytes(band, options), gpu::surface::surfaceDeviceBytes(band, options)};
}

AnalysisInputs demo(const OptionValues& values) {
  const auto options = optionsFrom<phantom::SurfacePhantomOptions>(values);
  const auto phantom = phantom::makeSurfacePhantom(options);
  AnalysisInputs inputs;
  Layer mask = maskLayer(options.kind == phantom::SurfacePhantomKind::blocks ? "noisy blocks" : "noisy fold",
                         *phantom.noisy);
  mask.display.visible = true;
  give(inputs, "mask", std::move(mask));
  Layer surface = surface::plainSurfaceLayer(
      "true_surface", std::make_shared<const Mesh>(toolkits::contourOf(*phantom.truth, {})));
  surface.display.visible = false;
  give(inputs, "truth", mapLayer("truth", "mm", "cool-warm", Series<float>(*phantom.truth)));
  give(inputs, "truth", std::move(surface));
  return inputs;
}

/// Every patch of the band is compared with every other one, or with those in a window around it, and each
/// voxel is averaged with the most similar ones.
double surfaceSeconds(const AnalysisInputs& inputs, const OptionValues& values) {
  constexpr double kVoxel = 5e-5, kComparison = 9e-10, kPatch = 125;
  const auto options = optionsFrom<surface::SurfaceOptions>(values);
  const double band = bandEstimate(inputs, options).voxels, patch = options.patch;
  const double across = 2.0 * options.window + 1;
  const double others = options.window > 0 ? std::min(band, across * across * across) : band;
  return options.passes * band * (kVoxel + others * kComparison * patch * patch * patch / kPatch);
}

}  // namespace

Analysis surfaceAnalysis() {
  Analysis surface;
  surface.name = "surface";
  surface.title = "Surface";
  surface.summary =
      "Denoises the surface of a mask, an image or a mesh: each point is averaged with the most similar "
      "points, wherever they are";
  surface.inputs = surfaceSlots();
  surface.options = describeOptions<surface::SurfaceOptions>();
  surface.presets = {{"paper",
                      "the published method: each voxel follows its own neighbors only; volumes shrink more",
                      {{"weights", std::string("paper")}, {"iterations", std::int64_t(5)}}},
                     {"large surface",
                      "for bands of millions of voxels: compares only patches nearby, which is approximate",
                      {{"window", std::int64_t(8)}}}};
  surface.outputs = {"surface", "input_surface", "phi", "mask", "energy", "report"};
  const auto memo = std::make_shared<DistanceMemo>();
  surface.cpu = std::bind_front(runSurface, Engine{surface::denoiseSurface, surface::flowOver}, memo);
  surface.gpu =
      std::bind_front(runSurface, Engine{gpu::surface::denoiseSurface, gpu::surface::flowOver}, memo);
  surface.gpuBeginsOnCpu = true;
  surface.advice = validateSurface;
  surface.seconds = surfaceSeconds;
  surface.study = surfaceStudy();
  surface.memory = needs;
  surface.inputLayers = inputLayers;
  surface.spans = surfaceSpans;
  surface.compare = compare;
  surface.compareWithTruth = compareWithTruth;
  surface.demoTitle = "noisy blocks";
  surface.demoOptions = describeOptions<phantom::SurfacePhantomOptions>();
  surface.demo = demo;
  return surface;
}

}  // namespace sulcus::app::analyses
