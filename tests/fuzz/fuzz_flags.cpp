#include "core/activation/activation.h"
#include "core/activation/design/contrasts.h"
#include "core/fibers/fibers.h"
#include "core/phantom/registration_phantom.h"
#include "core/registration/registration.h"
#include "core/registration/registration_plan.h"
#include "core/surface/surface.h"
#include "tests/fuzz/fuzz_main.h"

// The value of any flag of the command line, as the value of a parameter of each analysis.
namespace {

/// The text selects the parameter: refusing it for all of them would take most of the time.
template <class Options>
void give(const std::string& text) {
  using namespace sulcus;
  static const auto infos = describeOptions<Options>();
  const sulcus::OptionInfo& info = infos[std::hash<std::string>()(text) % infos.size()];
  sulcus::fuzz::parseOrError([&] { optionsFrom<Options>({{info.name, sulcus::parseOption(info, text)}}); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sulcus;
  const std::string text(reinterpret_cast<const char*>(data), size);
  give<sulcus::fibers::FiberOptions>(text);
  give<sulcus::activation::ActivationOptions>(text);
  give<sulcus::registration::RegistrationOptions>(text);
  give<sulcus::surface::SurfaceOptions>(text);
  give<sulcus::phantom::RegistrationPhantomOptions>(text);
  sulcus::fuzz::parseOrError([&] { sulcus::registration::iterationsPerLevel(text, 3); });
  return sulcus::fuzz::parseOrError([&] {
    sulcus::activation::allContrasts(text, {"intercept", "visual", "auditory", "a-b"});
  });
}

std::vector<std::string> sulcus::fuzz::seeds() {
  return {"3",
          "-0.25",
          "1e-7",
          "9223372036854775807",
          "nan",
          "inf",
          "true",
          "csd",
          "100/100/60",
          "visual - auditory",
          "d: 0 1 -1 0; 2*visual - a-b"};
}
