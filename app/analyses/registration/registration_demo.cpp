#include "app/analyses/registration/registration_demo.h"

#include "app/analyses/input_layers.h"
#include "core/base/error.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/display/layer_values.h"
#include "core/phantom/registration_phantom.h"

namespace sulcus::app::analyses {
namespace {

Layer imageLayer(std::string name, std::shared_ptr<const Series<float>> image) {
  Layer layer;
  layer.name = std::move(name);
  layer.content = VolumeLayer{std::move(image), {}, 0, {}};
  return layer;
}

AnalysisInputs inputsOf(const phantom::RegistrationPhantom& phantom) {
  AnalysisInputs inputs;
  give(inputs, "template", imageLayer("template", phantom.templateImage));
  give(inputs, "reference", imageLayer("reference", phantom.reference));
  if (phantom.templateLabels) {
    give(inputs, "labels", labelsLayer("labels", phantom.templateLabels));
    give(inputs, "reference-labels", labelsLayer("reference-labels", phantom.referenceLabels));
  }
  if (!phantom.truth) return inputs;
  Layer truth;
  truth.name = "true_displacement";
  truth.unit = "mm";
  truth.content = DisplacementLayer{phantom.truth};
  truth.display.visible = false;
  give(inputs, "truth", std::move(truth));
  give(inputs, "truth", maskLayer("object", *phantom.object));
  return inputs;
}

}  // namespace

/// The demo is the C, small enough to flow while one watches; command line and form also offer the brain.
std::vector<OptionInfo> registrationDemoOptions() {
  auto options = describeOptions<phantom::RegistrationPhantomOptions>();
  for (auto& option : options) {
    if (option.name == "kind") option.defaultValue = std::string("c");
    if (option.name == "size") option.defaultValue = std::int64_t(64);
  }
  return options;
}

AnalysisInputs registrationDemo(const OptionValues& values) {
  return inputsOf(phantom::makeRegistrationPhantom(optionsFrom<phantom::RegistrationPhantomOptions>(values)));
}

std::vector<InputSlot> registrationPhantomSlots() {
  return {{"image", "Image",
           "A scan from which the pair is made instead of being computed: the template is the scan, the "
           "reference the scan under a known warp, and the options Kind and Size are ignored",
           false, isImage},
          ofLabels({"labels", "Labels", "Regions of the image, which are warped with it", false, isMask})};
}

AnalysisInputs registrationPhantomOf(const AnalysisInputs& given, const OptionValues& values) {
  const Layer* image = layerOf(given, "image");
  if (!image)
    throw Error("There are labels but no image", "they are warped with one", "give {image} too"_message,
                ErrorKind::usage);
  phantom::RegistrationPhantomImage scan{volumeOf(*image, "image").series, nullptr};
  if (const Layer* labels = layerOf(given, "labels"))
    scan.labels = labelsOn(*labels, "labels", scan.image->grid, "image");
  return inputsOf(
      phantom::makeRegistrationPhantom(optionsFrom<phantom::RegistrationPhantomOptions>(values), scan));
}

}  // namespace sulcus::app::analyses
