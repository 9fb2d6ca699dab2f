#include "tests/fuzz/fuzz_meshes.h"

#include <bit>

// A surface of FreeSurfer, and the same bytes as numbers or labels for its points.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sulcus;
  fuzz::openAsPointValues("lh.curv", data, size);
  return fuzz::openAsMesh("lh.white", data, size);
}

namespace {

/// A number as in FreeSurfer files, big-endian.
template <class T>
std::string bigEndian(const std::vector<T>& values) {
  std::string bytes;
  for (const T value : values)
    for (int shift = 24; shift >= 0; shift -= 8) bytes += char(std::bit_cast<std::uint32_t>(value) >> shift);
  return bytes;
}

/// Four points with labels, and their table, with or without numbers of its entries.
std::string annotation(bool numbered) {
  const auto word = [](const std::string& text) {
    return bigEndian<std::int32_t>({std::int32_t(text.size())}) + text;
  };
  std::string bytes = bigEndian<std::int32_t>({4, 0, 0x0a141e, 1, 0x0a141e, 2, 0x28323c, 3, 0, 1});
  bytes +=
      bigEndian<std::int32_t>(numbered ? std::vector<std::int32_t>{-2, 3} : std::vector<std::int32_t>{2});
  bytes += word("colors.txt");
  if (numbered) bytes += bigEndian<std::int32_t>({2, 1});
  bytes += word("cuneus") + bigEndian<std::int32_t>({30, 20, 10, 0});
  if (numbered) bytes += bigEndian<std::int32_t>({2});
  return bytes + word("insula") + bigEndian<std::int32_t>({60, 50, 40, 0});
}

}  // namespace

std::vector<std::string> sulcus::fuzz::seeds() {
  const Mesh mesh = seedMesh();
  std::string surface =
      "\xff\xff\xfe"
      "created by hand\n\n" +
      bigEndian<std::int32_t>({4, 4});
  for (const auto& p : mesh.points) surface += bigEndian<float>({p.x, p.y, p.z});
  for (const auto& t : mesh.triangles) surface += bigEndian<std::int32_t>({t[0], t[1], t[2]});
  return {surface,
          surface +
              "valid = 1  # volume info valid\nfilename = orig.mgz\nvolume = 256 256 256\nvoxelsize = 1 1 1\n"
              "xras   = -1 0 0\nyras   = 0 0 -1\nzras   = 0 1 0\ncras   = 10 -20 30\n",
          annotation(true), annotation(false),
          "\xff\xff\xff" + bigEndian<std::int32_t>({4, 4, 1}) + bigEndian<float>({0.5f, -1, 2, 7})};
}
