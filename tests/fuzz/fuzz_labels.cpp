#include "core/io/tables/color_maps.h"
#include "core/io/tables/label_tables.h"
#include "tests/fuzz/fuzz_main.h"

// Names of labels as lines and as a table, which is written and read again, and a color map.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sulcus;
  for (const char* const name : {"labels.txt", "labels.tsv"}) {
    const auto file = fuzz::memoryFile(name, data, size);
    fuzz::parseOrError([&] {
      const std::string saved = io::labelTableText(io::openLabelNames(file));
      try {
        io::openLabelNames(fuzz::memoryFile("saved.tsv", saved.data(), saved.size()));
      } catch (const Error&) {
        std::abort();  // a written file must be readable
      }
    });
  }
  return fuzz::parseOrError([&] { io::openColorMap(fuzz::memoryFile("colors.txt", data, size)); });
}

std::vector<std::string> sulcus::fuzz::seeds() {
  return {"index\tname\tcolor\n1\tleft\t#1f77b4\n2\tright\tn/a\n",
          "id,label,r,g,b\n1,\"a, b\",255,0,7\n",
          "# FreeSurfer\n0  Unknown  0 0 0 0\n2  Left-Cerebral-White-Matter  245 245 245 0\n",
          "    1  255    0    0        1  1  1    \"Label 1\"\n",
          "1 ctx Cortex 10 20 30 255\n",
          "FAG Precentral_L 2001\n",
          "7 Thalamus 12\n",
          "0 0 0\n0.5 0.25 1\n1 1 1 0.5\n",
          "%\n0 Black 0 0 0 255\n1 White 255 255 255 255\n"};
}
