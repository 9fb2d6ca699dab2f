// All of DICOM that runs in this process: everything but the decoding of frames (fuzz_dicom_codec) and
// dcm2niix, which is not ours.
#include "core/io/formats.h"
#include "tests/fuzz/dicom_seeds.h"
#include "tests/fuzz/fuzz_main.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto decode = [](const std::filesystem::path&, const sulcus::io::CodedFrame& frame,
                         std::span<const char>, std::span<char> numbers, const sulcus::Progress&) {
    if (numbers.size() != frame.decodedBytes()) std::abort();
  };
  return sulcus::fuzz::parseOrError([&] {
    sulcus::io::readDicomByHeaders({sulcus::fuzz::memoryFile("scan.dcm", data, size)}, decode, {});
  });
}

std::vector<std::string> sulcus::fuzz::seeds() { return dicomSeeds(); }
