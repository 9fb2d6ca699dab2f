#include "tests/fuzz/fuzz_values.h"

// The distances to a small ball, some of them changed, as a level set to be denoised.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sulcus;
  constexpr int kSize = 7;
  auto values = sulcus::fuzz::ballDistances(kSize);
  sulcus::fuzz::change(values, data, size);
  return sulcus::fuzz::runAnalysis(
      "surface", {{"phi", fuzz::imageLayer(sulcus::fuzz::cube(kSize), 1, std::move(values))}},
      {{"patch", std::int64_t(3)}, {"neighbours", std::int64_t(4)}, {"iterations", std::int64_t(2)}});
}

std::vector<std::string> sulcus::fuzz::seeds() { return valueSeeds(); }
