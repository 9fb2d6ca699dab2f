#include "tests/fuzz/fuzz_meshes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sulcus::fuzz::openAsMesh("surface.ply", data, size);
}

std::vector<std::string> sulcus::fuzz::seeds() {
  std::string big = sulcus::io::plyBytes(seedMesh());
  big.replace(big.find("little"), 6, "big");
  return {
      sulcus::io::plyBytes(seedMesh()), big,
      "ply\nformat ascii 1.0\ncomment SPACE=LPS\nelement vertex 4\nproperty double x\nproperty double y\n"
      "property double z\nproperty uchar red\nproperty float depth\nelement face 3\n"
      "property list uchar int vertex_indices\nelement tristrips 1\nproperty list int int vertex_indices\n"
      "end_header\n0 0 0 9 1\n3 0 0 9 2\n0 3 0 9 3\n0 0 3 9 4\n3 0 2 1\n3 0 1 3\n4 0 3 2 1\n5 1 2 3 -1 0\n"};
}
