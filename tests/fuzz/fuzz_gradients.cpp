#include "tests/fuzz/fuzz_main.h"

// The first line goes into the bval file, the rest into the bvec file; all of it is also read as an MRtrix
// table.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sulcus;
  const std::uint8_t* const lineEnd = std::find(data, data + size, '\n');
  const auto bval = fuzz::inputFile("a.bval", data, std::size_t(lineEnd - data));
  const auto bvec = fuzz::inputFile("a.bvec", lineEnd, std::size_t(data + size - lineEnd));
  const auto table = fuzz::inputFile("a.b", data, size);
  fuzz::parseOrError([&] { io::readFslGradients(bval, bvec, Grid(), 4); });
  fuzz::parseOrError([&] { io::readGradients(table, Grid(), 4); });
  return fuzz::parseOrError([&] { io::readMrtrixGradients(table, 4); });
}

std::vector<std::string> sulcus::fuzz::seeds() {
  return {"0 1000 1000 2000\n0 1 0 0.6\n0 0 1 0.8\n0 0 0 0\n",
          "0 1000 1000 2000\nnan nan nan\n1 0 0\n0 1 0\n0 0 1\n",
          "0 0 0 0\n1 0 0 1000\n0 1 0 1000\n0 0 1 1e3\n", "# comment\n0,0,0,0\n"};
}
