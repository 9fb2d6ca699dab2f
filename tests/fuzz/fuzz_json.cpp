#include "tests/fuzz/fuzz_main.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sulcus;
  return fuzz::parseOrError(
      [&] { io::optionsFromJson(std::string(reinterpret_cast<const char*>(data), size)); });
}

std::vector<std::string> sulcus::fuzz::seeds() {
  return {R"({"order": 8, "model": "csd", "tolerance": 1e-6, "fast": true})", "{}",
          R"({"a": [1, {"b": null}]})"};
}
