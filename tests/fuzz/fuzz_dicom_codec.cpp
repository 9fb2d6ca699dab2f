// Damaged code streams, decoded as they are in the program: whatever happens to the decoder, we go on.
#include "tests/fuzz/dicom_seeds.h"
#include "tests/fuzz/fuzz_main.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sulcus::fuzz::parseOrError(
      [&] { sulcus::io::openVolume(sulcus::fuzz::memoryFile("scan.dcm", data, size)); });
}

std::vector<std::string> sulcus::fuzz::seeds() { return compressedDicom(); }
