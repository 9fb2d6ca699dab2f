#include "tests/fuzz/fuzz_main.h"
#include "tests/fuzz/fuzz_seeds.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sulcus::fuzz::parseOrError(
      [&] { sulcus::io::openVolume(sulcus::fuzz::memoryFile("scan.mgz", data, size)); });
}

std::vector<std::string> sulcus::fuzz::seeds() { return {mghScan()}; }
