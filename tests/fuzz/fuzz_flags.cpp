#include "core/activation/activation.h"
#include "core/activation/contrasts.h"
#include "core/fibers/fibers.h"
#include "core/phantom/registration_phantom.h"
#include "core/registration/registration.h"
#include "core/registration/registration_plan.h"
#include "core/surface/surface.h"
#include "tests/fuzz/fuzz_main.h"

// The text behind any flag of the command line, as the value of every parameter there is.
namespace {

template <class Options>
void giveToAll(const std::string& text) {
  using namespace sulcus;
  static const auto infos = describeOptions<Options>();
  OptionValues taken;
  for (const auto& info : infos) fuzz::parseOrError([&] { taken[info.name] = parseOption(info, text); });
  optionsFrom<Options>(taken);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sulcus;
  const std::string text(reinterpret_cast<const char*>(data), size);
  giveToAll<FiberOptions>(text);
  giveToAll<ActivationOptions>(text);
  giveToAll<RegistrationOptions>(text);
  giveToAll<SurfaceOptions>(text);
  giveToAll<RegistrationPhantomOptions>(text);
  fuzz::parseOrError([&] { iterationsOf(text, 3); });
  return fuzz::parseOrError([&] { allContrasts(text, {"intercept", "visual", "auditory", "a-b"}); });
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
