#include "tests/fuzz/fuzz_meshes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sulcus::fuzz::openAsMesh("surface.stl", data, size);
}

std::vector<std::string> sulcus::fuzz::seeds() {
  const sulcus::Mesh mesh = seedMesh();
  std::string text = "solid made by hand SPACE=LPS\n";
  for (const auto& t : mesh.triangles) {
    text += "facet normal 0 0 1\n outer loop\n";
    for (const std::int32_t corner : t) {
      const sulcus::Vec3<float>& p = mesh.points[std::size_t(corner)];
      text +=
          "  vertex " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
    }
    text += " endloop\nendfacet\n";
  }
  return {sulcus::io::stlBytes(mesh), text + "endsolid made by hand\n"};
}
