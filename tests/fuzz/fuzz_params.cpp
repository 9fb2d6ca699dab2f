#include "core/activation/activation.h"
#include "core/fibers/fibers.h"
#include "core/registration/registration.h"
#include "core/registration/registration_plan.h"
#include "core/surface/surface.h"
#include "tests/fuzz/fuzz_main.h"

// A file for --params, read as the parameters of every analysis and written again.
namespace {

template <class Options>
void takeAs(const sulcus::OptionValues& values) {
  using namespace sulcus;
  static const auto infos = describeOptions<Options>();
  sulcus::OptionValues known;
  for (const auto& info : infos)
    if (const auto value = values.find(info.name); value != values.end()) {
      sulcus::fuzz::parseOrError([&] { known[info.name] = sulcus::checkedOption(info, value->second); });
    }
  optionsFrom<Options>(known);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sulcus;
  return sulcus::fuzz::parseOrError([&] {
    const auto values = sulcus::io::optionsFromJson(std::string(reinterpret_cast<const char*>(data), size));
    takeAs<sulcus::fibers::FiberOptions>(values);
    takeAs<sulcus::activation::ActivationOptions>(values);
    takeAs<sulcus::registration::RegistrationOptions>(values);
    takeAs<sulcus::surface::SurfaceOptions>(values);
    if (sulcus::io::optionsFromJson(sulcus::io::optionsJson(values)).size() != values.size()) std::abort();
  });
}

std::vector<std::string> sulcus::fuzz::seeds() {
  return {sulcus::io::optionsJson(sulcus::optionValues(sulcus::fibers::FiberOptions())),
          sulcus::io::optionsJson(sulcus::optionValues(sulcus::activation::ActivationOptions())),
          sulcus::io::optionsJson(sulcus::optionValues(sulcus::registration::RegistrationOptions())),
          sulcus::io::optionsJson(sulcus::optionValues(sulcus::surface::SurfaceOptions())),
          R"({"order": 8, "model": "csd", "tolerance": 1e-6, "fast": true, "order": 4})",
          R"({"draws": -9223372036854775808, "seed": 18446744073709551615, "a": "\ud83e\udde0\u0000"})",
          R"({"a": [1, {"b": null}]})"};
}
