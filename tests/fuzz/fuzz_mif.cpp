#include "tests/fuzz/fuzz_main.h"
#include "tests/fuzz/fuzz_seeds.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sulcus::fuzz::parseOrError(
      [&] { sulcus::io::openVolume(sulcus::fuzz::memoryFile("scan.mif", data, size)); });
}

std::vector<std::string> sulcus::fuzz::seeds() {
  const auto image = [](const std::string& type, const std::string& more, std::size_t bytes) {
    std::string text = "mrtrix image\ndim: 2,3,2,2\nvox: 2,2,2,1\nlayout: -1,+2,+3,+0\ndatatype: " + type +
                       "\n" + "transform: 1,0,0,-1\ntransform: 0,1,0,-2\ntransform: 0,0,1,-3\n" + more +
                       "file: . 300\nEND\n";
    text.resize(300 + bytes, '\1');
    return text;
  };
  return {image("Float32LE", "dw_scheme: 0,0,0,0\ndw_scheme: 0,1,0,1000\n", 96),
          image("Int16BE", "scaling: 1,0.5\n", 48), image("CFloat32LE", "", 192), image("Bit", "", 3)};
}
