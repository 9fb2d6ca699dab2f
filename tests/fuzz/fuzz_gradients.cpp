#include "tests/fuzz/fuzz_main.h"

// The first line goes to the bval file, the rest to the bvec file; all of it is also read as an MRtrix table.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sulcus;
  const std::uint8_t* const lineEnd = std::find(data, data + size, '\n');
  const auto bval = sulcus::fuzz::memoryFile("a.bval", data, std::size_t(lineEnd - data));
  const auto bvec = sulcus::fuzz::memoryFile("a.bvec", lineEnd, std::size_t(data + size - lineEnd));
  const auto table = sulcus::fuzz::memoryFile("a.b", data, size);
  sulcus::fuzz::parseOrError([&] { sulcus::io::readFslGradients(bval, bvec, sulcus::Grid(), 4); });
  sulcus::fuzz::parseOrError([&] { sulcus::io::readGradients(table, sulcus::Grid(), 4); });
  return sulcus::fuzz::parseOrError([&] { sulcus::io::readMrtrixGradients(table, 4); });
}

std::vector<std::string> sulcus::fuzz::seeds() {
  return {"0 1000 1000 2000\n0 1 0 0.6\n0 0 1 0.8\n0 0 0 0\n",
          "0 1000 1000 2000\nnan nan nan\n1 0 0\n0 1 0\n0 0 1\n",
          "0 0 0 0\n1 0 0 1000\n0 1 0 1000\n0 0 1 1e3\n", "# comment\n0,0,0,0\n"};
}
