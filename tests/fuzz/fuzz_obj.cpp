#include "tests/fuzz/fuzz_meshes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sulcus::fuzz::openAsMesh("surface.obj", data, size);
}

std::vector<std::string> sulcus::fuzz::seeds() {
  return {sulcus::io::objBytes(seedMesh()),
          "# SPACE=LPS\no a\nv 0 0 0 1\nv 3 0 0\nv 0 3 0\nv 0 0 3\nvn 0 0 1\nvt 0 0\nf 1/1/1 3//1 2/1\nf 1 2 "
          "\\\n4\n"
          "f -4 -1 -2\nf 2 3 4\nf 1 2 3 4\nl 1 2\nusemtl none\n"};
}
