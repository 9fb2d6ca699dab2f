#include "core/activation/activation.h"
#include "core/fibers/fibers.h"
#include "core/registration/registration.h"
#include "core/registration/registration_plan.h"
#include "core/surface/surface.h"
#include "tests/fuzz/fuzz_main.h"

// A file for --params, taken as the parameters of every analysis and written again.
namespace {

template <class Options>
void takeAs(const sulcus::OptionValues& values) {
  using namespace sulcus;
  static const auto infos = describeOptions<Options>();
  OptionValues known;
  for (const auto& info : infos)
    if (const auto value = values.find(info.name); value != values.end()) {
      fuzz::parseOrError([&] { known[info.name] = checkedOption(info, value->second); });
    }
  optionsFrom<Options>(known);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sulcus;
  return fuzz::parseOrError([&] {
    const auto values = io::optionsFromJson(std::string(reinterpret_cast<const char*>(data), size));
    takeAs<FiberOptions>(values);
    takeAs<ActivationOptions>(values);
    takeAs<RegistrationOptions>(values);
    takeAs<SurfaceOptions>(values);
    if (io::optionsFromJson(io::optionsJson(values)).size() != values.size()) std::abort();
  });
}

std::vector<std::string> sulcus::fuzz::seeds() {
  return {io::optionsJson(optionValues(FiberOptions())),
          io::optionsJson(optionValues(ActivationOptions())),
          io::optionsJson(optionValues(RegistrationOptions())),
          io::optionsJson(optionValues(SurfaceOptions())),
          R"({"order": 8, "model": "csd", "tolerance": 1e-6, "fast": true, "order": 4})",
          R"({"draws": -9223372036854775808, "seed": 18446744073709551615, "a": "\ud83e\udde0\u0000"})",
          R"({"a": [1, {"b": null}]})"};
}
