// Damaged code streams, decoded as in the program: whatever happens to the decoder, this process continues.
#include "core/io/formats.h"
#include "tests/fuzz/dicom_seeds.h"
#include "tests/fuzz/fuzz_main.h"

#include <functional>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sulcus::io::DicomDecoder decoder;
  const auto decode = std::bind_front(&sulcus::io::DicomDecoder::decode, &decoder);
  return sulcus::fuzz::parseOrError([&] {
    sulcus::io::readDicomByHeaders({sulcus::fuzz::memoryFile("scan.dcm", data, size)}, decode, {});
  });
}

std::vector<std::string> sulcus::fuzz::seeds() { return compressedDicom(); }
