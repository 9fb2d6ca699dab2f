#include "app/surface_analysis.h"

#include "app/distance_memo.h"
#include "app/input_layers.h"
#include "app/run_support.h"
#include "app/surface_inputs.h"
#include "app/surface_outlook.h"
#include "app/surface_steps.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/image/value_check.h"
#include "core/io/level_sets.h"
#include "core/phantom/surface_phantom.h"
#include "core/surface/surface_agreement.h"
#include "core/surface/surface_charts.h"
#include "core/surface/surface_maps.h"
#include "core/surface/surface_memory.h"
#include "gpu/surface/surface.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace sulcus::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr const char* kDistanceStage = "Signed distance";
constexpr const char* kHeatStepsStage = "Heat steps";  // as the core names it
constexpr const char* kSurfacesStage = "Surfaces and report";

double secondsSince(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

/// How one backend does it.
struct Engine {
  DenoiseSurface* denoise;
  FlowOver* flow;
};

/// Shows the surface after each step, while that takes no longer than the work, and knows how long it took.
class Previews {
 public:
  Previews(const Analysis::Preview& show, std::shared_ptr<const Volume<float>> inputPhi)
      : show_(show), inputPhi_(std::move(inputPhi)) {}

  void operator()(const Volume<float>& phi) {
    double& seconds = seconds_.emplace_back(0);
    if (2 * shown_ > secondsSince(begun_)) return;
    const auto begun = Clock::now();
    show_(surfacePreview(io::contourOf(phi, {}), phi, *inputPhi_), {});
    shown_ += seconds = secondsSince(begun);
  }
  /// Takes its time out of the stages of the heat steps, each of which had as many.
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
  Clock::time_point begun_ = Clock::now();
  double shown_ = 0;
  std::vector<double> seconds_;
};

/// Fills in the other surfaces, measures and distances of a result that has its denoised surface.
void describe(DenoisedSurface& made, const std::shared_ptr<const Mesh>& truth, const Progress& progress) {
  made.input = std::make_shared<const Mesh>(io::contourOf(*made.phi, progress.part(0, 0.1, kSurfacesStage)));
  made.inputMeasures = measuresOf(*made.input), made.measures = measuresOf(*made.surface);
  made.moved =
      surfaceDistance(*made.input, *made.surface, io::distancesTo, progress.part(0.1, 0.4, kSurfacesStage));
  if (!truth) return;
  made.truth = SurfaceTruth{
      truth, measuresOf(*truth),
      surfaceDistance(*made.input, *truth, io::distancesTo, progress.part(0.4, 0.7, kSurfacesStage)),
      surfaceDistance(*made.surface, *truth, io::distancesTo, progress.part(0.7, 1, kSurfacesStage))};
}

/// What is said of the voxels of an image without a value, "" where all have one.
std::string withoutValue(const SurfaceChoice& choice) {
  const auto* image = std::get_if<VolumeLayer>(&choice.layer->content);
  if (choice.kind != SurfaceChoice::Kind::image || !image) return {};
  const ValueCheck check = checkValues(image->series->values);
  if (check.unsound() == 0) return {};
  return text(check.unsound(),
              " voxels of the image are not finite and count as outside: ", unsoundText(check), ".");
}

RunResult run(const Engine& engine, DistanceMemo& memo, const AnalysisInputs& inputs,
              const OptionValues& values, const Progress& progress, const Analysis::Preview& preview) {
  const auto options = optionsFrom<SurfaceOptions>(values);
  const SurfaceChoice choice = surfaceChoice(inputs);
  // What could not be used afterwards is refused before the work.
  requireSurface(choice, options);
  const bool onGrid = choice.kind != SurfaceChoice::Kind::mesh;
  const auto truth =
      trueSurface(inputs, onGrid ? gridOf(*choice.layer) : nullptr, progress.part(0, 0.02, "Truth"));
  const auto distance = memo(choice, options, progress.part(0.02, 0.1, kDistanceStage));

  SurfaceInput input;
  input.phi = distance.phi;
  input.gray = choice.kind == SurfaceChoice::Kind::image;
  input.redistance = io::redistanced;
  input.memoryLimit = freeHostMemory();
  const SurfaceInput silent = input;
  Previews previews(preview, distance.phi);
  if (preview) input.preview = std::ref(previews);
  const auto made = std::make_shared<DenoisedSurface>();
  made->phi = distance.phi;
  made->result = engine.denoise(input, options, progress.part(0.1, 0.85, ""));
  previews.leaveOut(made->result.stages);

  RunResult result;
  const auto begun = Clock::now();
  const auto steps = std::make_shared<SurfaceSteps>(made, silent, *engine.flow, options);
  result.layers = steps->layers(options, progress.part(0.85, 0.87, kSurfacesStage));
  made->surface = std::get<MeshLayer>(result.layers.front().content).mesh;
  describe(*made, truth, progress.part(0.87, 1, kSurfacesStage));
  result.layers.insert(result.layers.begin() + 1, plainSurfaceLayer("input_surface", made->input));
  result.layers[1].display.visible = false;
  result.files.push_back({"report.json", surfaceJson(*made)});
  result.notes = surfaceSummary(*made);
  if (const auto note = withoutValue(choice); !note.empty()) result.notes.push_back(note);
  result.notes.insert(result.notes.begin(), made->result.notes.begin(), made->result.notes.end());
  if (distance.recalled)
    result.notes.emplace_back(
        "The signed distance is that of the last run of this surface; the time it took there is counted "
        "here, too.");
  result.stages = made->result.stages;
  result.stages.insert(result.stages.begin(), {kDistanceStage, distance.seconds});
  result.stages.push_back({kSurfacesStage, secondsSince(begun)});
  result.items = double(made->result.search->band.count());
  result.itemName = "voxels";
  result.plots = {energyPlot(made->result.flow.iterations),
                  displacementPlot(made->surface->pointScalars.at(kDisplacement))};
  result.adjust = [steps, ran = values](const OptionValues& changed, const Progress& part) {
    OptionValues all = changed;
    all.insert(ran.begin(), ran.end());
    return steps->layers(optionsFrom<SurfaceOptions>(all), part);
  };
  result.source = made;
  return result;
}

Analysis::Run runner(const Engine& engine, const std::shared_ptr<DistanceMemo>& memo) {
  return [engine, memo](const AnalysisInputs& inputs, const OptionValues& values, const Progress& progress,
                        const Analysis::Preview& preview) {
    return run(engine, *memo, inputs, values, progress, preview);
  };
}

/// The result with its layers, which may have been adjusted.
ShownSurface shownIn(const RunResult& result) {
  const auto named = [&](const char* name) -> const Layer& {
    return *std::find_if(result.layers.begin(), result.layers.end(),
                         [name](const Layer& layer) { return layer.name == name; });
  };
  return {*static_cast<const DenoisedSurface*>(result.source.get()),
          *std::get<VolumeLayer>(named("phi").content).series,
          *std::get<MeshLayer>(named("surface").content).mesh};
}

Comparison compare(const RunResult& a, const RunResult& b, const Progress& progress) {
  return compareSurfaces(shownIn(a), shownIn(b), io::distancesTo, progress);
}

std::vector<AgreementRow> compareWithTruth(const RunResult& result, const AnalysisInputs&,
                                           const Progress& progress) {
  const ShownSurface shown = shownIn(result);
  if (!shown.run.truth) return {};
  return compareSurfaceWithTruth(shown, io::distancesTo, progress);
}

std::vector<Layer> inputLayers(const AnalysisInputs& inputs, const OptionValues& values,
                               const Progress& progress) {
  try {
    return {plainSurfaceLayer(
        "input_surface",
        contourOfInput(surfaceChoice(inputs), optionsFrom<SurfaceOptions>(values), progress))};
  } catch (const Error&) {
    return {};  // a run would say why
  }
}

/// Refuses what will not fit with the number of voxels that would.
MemoryNeed needs(const AnalysisInputs& inputs, const OptionValues& values) {
  constexpr double kBytesPerVoxel = 40;  // of the grid: level sets, masks, and what distances take
  const auto options = optionsFrom<SurfaceOptions>(values);
  const BandEstimate band = bandEstimate(inputs, options);
  requireBandFits(std::int64_t(band.voxels), options, freeHostMemory());
  return {surfaceHostBytes(std::int64_t(band.voxels), options) + kBytesPerVoxel * band.gridVoxels,
          gpu::surfaceDeviceBytes(std::int64_t(band.voxels), options)};
}

AnalysisInputs demo(const OptionValues& values) {
  const auto options = optionsFrom<SurfacePhantomOptions>(values);
  const auto phantom = makeSurfacePhantom(options);
  AnalysisInputs inputs;
  Layer mask =
      maskLayer(options.kind == SurfacePhantomKind::blocks ? "noisy blocks" : "noisy fold", *phantom.noisy);
  mask.display.visible = true;
  give(inputs, "mask", std::move(mask));
  Layer surface =
      plainSurfaceLayer("true_surface", std::make_shared<const Mesh>(io::contourOf(*phantom.truth, {})));
  surface.display.visible = false;
  give(inputs, "truth", mapLayer("truth", "mm", "cool-warm", Series<float>(*phantom.truth)));
  give(inputs, "truth", std::move(surface));
  return inputs;
}

}  // namespace

Analysis surfaceAnalysis() {
  Analysis surface;
  surface.name = "surface";
  surface.title = "Surface";
  surface.summary =
      "Denoises the surface of a mask, an image or a mesh: each place is averaged with the places that look "
      "most like it, wherever they are";
  surface.inputs = surfaceSlots();
  surface.options = describeOptions<SurfaceOptions>();
  surface.presets = {{"paper",
                      "the published method: each voxel follows its own neighbours only; volumes shrink more",
                      {{"weights", std::string("paper")}, {"iterations", std::int64_t(5)}}},
                     {"large surface",
                      "for bands of millions of voxels: compares only patches nearby, which is approximate",
                      {{"window", std::int64_t(8)}}}};
  surface.outputs = {"surface", "input_surface", "phi", "mask", "energy", "report"};
  const auto memo = std::make_shared<DistanceMemo>(distanceOf);
  surface.cpu = runner({denoiseSurface, flowOver}, memo);
  surface.gpu = runner({gpu::denoiseSurface, gpu::flowOver}, memo);
  surface.advice = adviseSurface;
  surface.memory = needs;
  surface.inputLayers = inputLayers;
  surface.spans = surfaceSpans;
  surface.compare = compare;
  surface.compareWithTruth = compareWithTruth;
  surface.demoTitle = "noisy blocks";
  surface.demoOptions = describeOptions<SurfacePhantomOptions>();
  surface.demo = demo;
  return surface;
}

}  // namespace sulcus::app
