#include "app/analyses/registration/registration_analysis.h"

#include "app/analyses/input_layers.h"
#include "app/analyses/registration/field_application.h"
#include "app/analyses/registration/linear_memo.h"
#include "app/analyses/registration/registration_demo.h"
#include "app/analyses/registration/registration_inputs.h"
#include "app/analyses/registration/registration_study.h"
#include "app/analyses/run_support.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/base/stage_clock.h"
#include "core/registration/linear/linear_alignment.h"
#include "core/registration/registration_plan.h"
#include "core/registration/results/apply_field.h"
#include "core/registration/results/overlap.h"
#include "core/registration/results/registration_agreement.h"
#include "core/registration/results/registration_charts.h"
#include "core/registration/results/registration_maps.h"
#include "core/toolkits/bias_field.h"
#include "gpu/registration/registration.h"

namespace sulcus::app::analyses {
namespace {

using Labels = std::shared_ptr<const Volume<Label>>;

/// What a mask is made from, or null.
std::shared_ptr<const void> maskLayerOf(const AnalysisInputs& inputs, const char* slot) {
  const auto found = inputs.find(slot);
  return found == inputs.end() ? nullptr : found->second;
}

/// Adds the deformed labels of the template, and their overlap if the reference has labels.
void addLabels(const Labels& labels, const Labels& reference, const Series<float>& displacement,
               const Progress& progress, RunResult& result) {
  auto warped = std::make_shared<const Volume<Label>>(
      registration::displacedLabels(*labels, displacement, Interpolation::label, 0, progress));
  result.layers.push_back(labelsLayer("warped_labels", warped));
  if (!reference) return;
  const auto overlaps = registration::labelOverlap(*warped, *reference);
  result.layers.push_back(tableLayer("dice", registration::diceTable(overlaps)));
  result.notes.push_back(
      text("Dice ", registration::meanDice(overlaps), " in the mean of ", overlaps.size(), " labels."));
}

/// The functions that register on one processor.
struct Engine {
  registration::AlignLinearly& alignLinearly;
  registration::Register& registerImages;
};

RunResult runRegistration(const Engine& engine, const std::shared_ptr<LinearMemo>& memo,
                          const AnalysisInputs& inputs, const OptionValues& values, const Progress& progress,
                          const Analysis::Preview& preview) {
  const auto options = optionsFrom<registration::RegistrationOptions>(values);
  registration::RegistrationInput input = registrationInput(inputs);
  // Labels that could not be used afterwards are refused before the work.
  Labels labels, referenceLabels;
  if (input.templateImage && input.reference) {
    labels = labelsIn(inputs, "labels", input.templateImage->grid, "template");
    referenceLabels = labelsIn(inputs, "reference-labels", input.reference->grid, "reference");
    if (referenceLabels && !labels)
      throw Error("There are labels of the reference but none of the template", "their overlap is measured",
                  "give {labels} too"_message);
    registrationTruth(inputs, input.reference->grid);
  }
  LinearMemo::Answer alignment;
  input.alignLinearly = [&](const Series<float>& templateImage, const Series<float>& reference,
                            const registration::LinearMasks& masks, const registration::LinearOptions& how,
                            const std::optional<Affine>& initial, const Progress& part) {
    alignment =
        (*memo)({input.templateImage, input.reference, maskLayerOf(inputs, "mask"), how, initial,
                 maskLayerOf(inputs, "template-mask"), maskLayerOf(inputs, "lesion")},
                [&] { return engine.alignLinearly(templateImage, reference, masks, how, initial, part); });
    return alignment.value;
  };
  input.findBiasField = toolkits::n4BiasField;
  if (preview)
    input.preview = [&](const registration::RegistrationPreview& soFar) {
      preview(registration::registrationLayers(soFar, options.fieldConvention),
              {registration::registrationEnergyPlot(soFar.iterations, options.lambda)});
    };
  const auto registered = std::make_shared<const registration::RegistrationResult>(
      engine.registerImages(input, options, progress.part(0, 0.95, "")));

  RunResult result;
  const StageClock clock;
  result.layers = registration::registrationLayers(registered, options.fieldConvention);
  result.files.push_back({"affine.txt", registration::affineText(registered->templateFromReference)});
  result.files.push_back({"report.json", registration::registrationJson(*registered)});
  result.notes = registration::registrationSummary(*registered);
  result.notes.insert(result.notes.end(), registered->notes.begin(), registered->notes.end());
  if (alignment.recalled)
    result.notes.emplace_back(
        "The pre-alignment is that of the last run of these images; the time it took then is included here.");
  if (labels)
    addLabels(labels, referenceLabels, registered->displacement, progress.part(0.95, 1, "Labels"), result);
  result.stages = registered->stages;
  for (StageTime& stage : result.stages)
    if (stage.name == registration::kLinearStage && alignment.recalled) stage.seconds = alignment.seconds;
  result.stages.push_back({"Layers", clock.seconds()});
  result.items = double(registered->displacement.grid.voxels());
  result.itemName = "voxels";
  result.plots = {registration::registrationEnergyPlot(registered->iterations, options.lambda),
                  registration::logJacobianPlot(registered)};
  result.source = registered;
  return result;
}

Comparison compare(const RunResult& a, const RunResult& b, const Progress& progress) {
  return compareRegistrations(a.source.as<registration::RegistrationResult>(),
                              b.source.as<registration::RegistrationResult>(), progress);
}

std::vector<AgreementRow> compareWithTruth(const RunResult& result, const AnalysisInputs& inputs,
                                           const Progress& progress) {
  const auto& registered = result.source.as<registration::RegistrationResult>();
  const auto truth = registrationTruth(inputs, registered.displacement.grid);
  if (!truth.displacement) return {};
  return compareRegistrationWithTruth(registered, *truth.displacement, truth.object.get(), progress);
}

/// Each level has an eighth of the voxels of the next; images are prepared before and maps made after them.
double registrationSeconds(const AnalysisInputs& inputs, const OptionValues& values) {
  constexpr double kBeforeAndAfter = 3e-6, kIteration = 8e-8;
  const auto options = optionsFrom<registration::RegistrationOptions>(values);
  double iterations = 0;
  for (const int most : registration::iterationsPerLevel(options.iterations, options.levels))
    iterations = iterations / 8 + most;
  const double channels = double(1 + layersOf(inputs, "further-templates").size());
  return gridVoxels(inputs, "reference") * channels * (options.symmetric ? 2 : 1) *
         (kBeforeAndAfter + iterations * kIteration);
}

}  // namespace

Analysis registrationAnalysis() {
  Analysis registration;
  registration.name = "registration";
  registration.title = "Registration";
  registration.summary =
      "Deforms one image onto another, smoothly, without tearing, and without bias towards growth or "
      "shrinkage";
  registration.inputs = registrationSlots();
  registration.options = describeOptions<registration::RegistrationOptions>();
  registration.presets = {
      {"between people", "one head onto another, from any scanner: preserves shapes as well as volumes", {}},
      {"to a template", "stiffer: one head onto an average, whose folds are blurred", {{"lambda", 0.005}}},
      {"within a subject",
       "change over time in one head: rigid pre-alignment, local correlation, neither scan preferred; "
       "volumes may change where the images say so",
       {{"affine", std::string("rigid")},
        {"similarity", std::string("lcc")},
        {"lambda", 5e-4},
        {"sigma", 3.0},
        {"symmetric", true}}},
      {"paper",
       "the published method: full resolution only, without the accelerations of force and steps used here",
       {{"similarity", std::string("l2")},
        {"lambda", 0.02},
        {"membrane", 0.0},
        {"levels", std::int64_t(1)},
        {"iterations", std::string("100")},
        {"tolerance", 1e-4},
        {"momentum", 0.0},
        {"force", std::string("paper")}}}};
  registration.outputs = {"displacement",
                          "warped",
                          "aligned",
                          "logjac",
                          "local_correlation*",
                          "inverse",
                          "warped_reference*",
                          "inverse_residual",
                          "energy",
                          "landmarks*",
                          "affine",
                          "report",
                          "folds*",
                          "bias_field*",
                          "warped_labels*",
                          "dice*"};
  const auto memo = std::make_shared<LinearMemo>();
  registration.cpu = std::bind_front(runRegistration,
                                     Engine{registration::alignLinearly, registration::registerImages}, memo);
  registration.gpu = std::bind_front(
      runRegistration, Engine{gpu::registration::alignLinearly, gpu::registration::registerImages}, memo);
  registration.advice = validateRegistration;
  registration.seconds = registrationSeconds;
  registration.study = registrationStudy();
  registration.memory = registrationNeeds;
  registration.inputLayers = [](const AnalysisInputs& inputs, const OptionValues&, const Progress&) {
    return landmarkLayers(inputs);
  };
  registration.compare = compare;
  registration.compareWithTruth = compareWithTruth;
  registration.applyField = applyField;
  registration.demoTitle = "C to circle registration";
  registration.demoOptions = registrationDemoOptions();
  registration.demo = registrationDemo;
  registration.phantomInputs = registrationPhantomSlots();
  registration.phantomOf = registrationPhantomOf;
  return registration;
}

}  // namespace sulcus::app::analyses
