#include "app/analyses/registration/registration_inputs.h"

#include "app/analyses/input_layers.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/display/layer_values.h"
#include "core/image/grids/value_check.h"
#include "core/image/transform_table.h"
#include "core/registration/deformation/landmark_table.h"
#include "core/registration/deformation/landmarks.h"
#include "core/registration/registration_memory.h"
#include "core/registration/registration_plan.h"
#include "core/registration/similarity/channel.h"
#include "gpu/registration/registration.h"

#include <algorithm>

namespace sulcus::app::analyses {
namespace {

/// An image to register. Labels are also accepted: shapes can be registered.
std::shared_ptr<const Series<float>> imageOf(const Layer* layer, const std::string& slot) {
  if (!layer) return nullptr;
  const auto* labels = std::get_if<LabelsLayer>(&layer->content);
  if (!labels) return volumeOf(*layer, slot).series;
  Series<float> image(labels->labels->grid, 1);
  std::copy(labels->labels->values.begin(), labels->labels->values.end(), image.values.begin());
  return std::make_shared<const Series<float>>(std::move(image));
}

/// What is taken automatically: labels, masks and tissue maps are registered only if chosen.
bool isIntensities(const Layer& layer) { return isVolume(layer) && !isTissueMap(layer); }

constexpr const char *kFurtherTemplates = "further-templates", *kFurtherReferences = "further-references";

/// Throws Error unless each template has its reference.
std::size_t channelCount(const AnalysisInputs& inputs) {
  const std::size_t templates = 1 + inputs.count(kFurtherTemplates),
                    references = 1 + inputs.count(kFurtherReferences);
  if (templates != references)
    throw Error(text("There are ", counted(templates, "template"), " and ", counted(references, "reference")),
                "each channel is a template and its reference", "give as many templates as references");
  return templates;
}

/// The images as they are, without a mask: enough to determine what a run would use.
registration::RegistrationInput imagesOf(const AnalysisInputs& inputs) {
  registration::RegistrationInput input;
  input.templateImage = imageOf(layerOf(inputs, "template"), "template");
  input.reference = imageOf(layerOf(inputs, "reference"), "reference");
  (void)channelCount(inputs);
  const auto templates = layersOf(inputs, kFurtherTemplates),
             references = layersOf(inputs, kFurtherReferences);
  for (std::size_t i = 0; i < templates.size(); ++i)
    input.further.push_back({imageOf(templates[i], "template"), imageOf(references[i], "reference")});
  return input;
}

/// The template's mask without the lesion; null if neither is given.
std::shared_ptr<const Mask> templateMaskIn(const AnalysisInputs& inputs) {
  const auto mask = maskIn(inputs, "template-mask"), lesion = maskIn(inputs, "lesion");
  if (!lesion) return mask;
  if (mask) requireOn(inputs, "lesion", mask->grid, "template's mask");
  auto healthy = mask ? std::make_shared<Mask>(*mask) : std::make_shared<Mask>(lesion->grid, std::uint8_t(1));
  for (std::size_t i = 0; i < lesion->values.size(); ++i)
    if (lesion->values[i]) healthy->values[i] = 0;
  return healthy;
}

}  // namespace

std::vector<InputSlot> registrationSlots() {
  return {
      {.name = "template",
       .label = "Moving",
       .help = "The moving image, which is deformed; of several the others are further moving images",
       .accepts = isMask,
       .unasked = isIntensities,
       .overflow = kFurtherTemplates,
       .alias = "moving"},
      {.name = "reference",
       .label = "Fixed (target)",
       .help =
           "The fixed image, onto which the moving one is deformed; the results lie on its grid. Of several "
           "the others are further fixed images",
       .accepts = isMask,
       .unasked = isIntensities,
       .overflow = kFurtherReferences,
       .alias = "fixed"},
      advanced(InputSlot{
          kFurtherTemplates, "Further moving images",
          "Other images of the moving object, such as a T2 beside the T1: each a channel "
          "with the further fixed image of the same place in the list. They lie where their headers say",
          false, isMask, true}),
      advanced(InputSlot{kFurtherReferences, "Further fixed images",
                         "Other images of the fixed object, as many as further moving images", false, isMask,
                         true}),
      {"mask", "Mask",
       "Only voxels of the fixed image that are not 0 here are compared; default: all that both images cover",
       false, isMask, false, "", true, isSingleLabel, "reference"},
      advanced(
          InputSlot{"template-mask", "Moving mask",
                    "Only voxels of the moving image that are not 0 here are compared, on its grid: such as "
                    "all but a lesion. "
                    "The mask goes where the moving image goes; default: all",
                    false, isMask}),
      advanced(InputSlot{"lesion", "Lesion",
                         "A lesion of the moving image, on its grid: its voxels that are not 0 here are not "
                         "compared, and left out of the moving mask",
                         false, isMask}),
      advanced(InputSlot{"weights", "Weights",
                         "Weight of each voxel of the fixed image in the similarity, 0 or more, on its grid: "
                         "only ratios matter, and voxels outside the mask do not count; default: all equal",
                         false, isMask}),
      advanced(InputSlot{
          "initial", "Initial transform",
          "Where the pre-alignment starts, fixed to moving: affine.txt of another registration, or an "
          "affine, "
          "rigid, similarity or translation transform of ITK and ANTs (.txt, .tfm, .mat); default: the "
          "centers of mass",
          false, isTransform}),
      advanced(InputSlot{
          "landmarks", "Landmarks",
          "Points known in both images, which the deformation brings closer together: a table (CSV, TSV) "
          "with x, y and z of each in the moving image and then in the fixed image, mm, RAS+; a "
          "name may stand before "
          "them, and a line of column names above",
          false, isTable}),
      ofLabels(advanced(InputSlot{"labels", "Moving labels",
                                  "Regions of the moving image, which are deformed with it", false, isMask})),
      ofLabels(advanced(InputSlot{"reference-labels", "Fixed labels",
                                  "The same regions in the fixed image: their overlap (Dice) is measured",
                                  false, isMask})),
      advanced(InputSlot{
          "truth", "Truth",
          "True displacement of a phantom, to measure the error against; and its object, to measure it in",
          false,
          [](const Layer& layer) {
            return std::holds_alternative<DisplacementLayer>(layer.content) || isMask(layer);
          },
          true}),
  };
}

registration::RegistrationInput registrationInput(const AnalysisInputs& inputs) {
  registration::RegistrationInput input = imagesOf(inputs);
  input.mask = maskIn(inputs);
  input.templateMask = templateMaskIn(inputs);
  if (const Layer* weights = layerOf(inputs, "weights"))
    input.weights = std::make_shared<const Volume<float>>(firstVolume(*weights, "weights"));
  if (const Layer* initial = layerOf(inputs, "initial"))
    input.initial = transformOf(*initial, "initial transform");
  if (const Layer* landmarks = layerOf(inputs, "landmarks"))
    input.landmarks = registration::landmarksIn(*landmarks);
  return input;
}

std::shared_ptr<const Volume<Label>> labelsIn(const AnalysisInputs& inputs, const std::string& slot,
                                              const Grid& grid, const std::string& of) {
  const Layer* layer = layerOf(inputs, slot);
  return layer ? labelsOn(*layer, slot, grid, of) : nullptr;
}

RegistrationTruth registrationTruth(const AnalysisInputs& inputs, const Grid& grid) {
  RegistrationTruth truth;
  for (const Layer* layer : layersOf(inputs, "truth")) {
    if (const auto* field = std::get_if<DisplacementLayer>(&layer->content))
      truth.displacement = field->displacement;
    else if (isMask(*layer))
      truth.object = std::make_shared<const Mask>(maskOf(*layer));
    else
      throw Error("'" + layer->name + "' cannot be used as truth", "it holds " + kindWithArticle(*layer),
                  "give the true displacement, and the object as a mask");
    requireTruthOn(grid, *gridOf(*layer), "reference");
  }
  if (truth.displacement)
    requireSound(truth.displacement->values, "The true displacement", "nothing can be compared with them",
                 "give a field without them");
  if (truth.object && !truth.displacement)
    throw Error("The truth holds no displacement", "nothing can be compared with it",
                "give the true displacement beside the object");
  return truth;
}

std::string validateRegistration(const AnalysisInputs& inputs, const OptionValues& values) {
  const auto options = optionsFrom<registration::RegistrationOptions>(values);
  registration::iterationsPerLevel(options.iterations, options.levels);
  registration::channelShares(options.channelWeights, channelCount(inputs));
  const Layer* reference = layerOf(inputs, "reference");
  if (!reference) return {};
  const Grid& grid = *gridOf(*reference);
  const Layer *landmarks = layerOf(inputs, "landmarks"), *moving = layerOf(inputs, "template");
  if (landmarks && moving)
    registration::checkLandmarks(registration::landmarksIn(*landmarks), *gridOf(*moving), grid);
  for (const char* slot : {"mask", "weights", "reference-labels", "truth"})
    requireOn(inputs, slot, grid, "reference");
  for (const char* slot : {"labels", "template-mask", "lesion"})
    if (moving) requireOn(inputs, slot, *gridOf(*moving), "template");
  return std::to_string(options.levels) + (options.levels == 1 ? " level of " : " levels of ") +
         options.iterations + " iterations at most, on " + describeGrid(grid);
}

std::vector<Layer> landmarkLayers(const AnalysisInputs& inputs) {
  const Layer* given = layerOf(inputs, "landmarks");
  if (!given) return {};
  Layer landmarks;
  landmarks.name = "landmarks";
  landmarks.content = registration::landmarkTable(registration::landmarksIn(*given));
  return {landmarks};
}

MemoryNeed registrationNeeds(const AnalysisInputs& inputs, const OptionValues& values) {
  try {
    const registration::RegistrationInput images = imagesOf(inputs);
    const auto options = optionsFrom<registration::RegistrationOptions>(values);
    auto beside = options;  // the data for comparing images are on the device
    beside.similarity = registration::Similarity::l2;
    return {registration::registrationHostBytes(images, options),
            gpu::registration::registrationDeviceBytes(images, options),
            registration::registrationHostBytes(images, beside)};
  } catch (const Error&) {
    return {};
  }
}

}  // namespace sulcus::app::analyses
