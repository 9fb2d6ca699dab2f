#pragma once

#include "core/base/error.h"
#include "core/io/files.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

namespace sulcus::test {

inline void writeBytes(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
}
inline std::string readBytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline void writeGzip(const std::filesystem::path& file, const std::string& bytes) {
  const gzFile out = gzopen(file.c_str(), "wb");
  gzwrite(out, bytes.data(), unsigned(bytes.size()));
  gzclose(out);
}

/// Puts numbers at byte offsets, in either byte order.
struct Bytes {
  std::string data;
  bool swapped = false;

  template <class T>
  void put(std::size_t at, T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof raw);
    if (swapped) std::reverse(raw, raw + sizeof raw);
    if (data.size() < at + sizeof raw) data.resize(at + sizeof raw, '\0');
    std::memcpy(data.data() + at, raw, sizeof raw);
  }
};

/// A NIfTI-1 header by the offsets of nifti1.h, independent of the project's own writer. The data begin at
/// byte 352.
struct Nifti1 {
  std::vector<int> dim{3, 2, 3, 4};
  std::vector<float> pixdim{1, 1, 1, 1, 0, 0, 0, 0};
  int datatype = 16, intent = 0, units = 2 | 8;
  float slope = 0, intercept = 0, voxOffset = 352;
  int qformCode = 0, sformCode = 0;
  float quaternion[3]{}, offset[3]{};
  float sform[3][4]{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  const char* magic = "n+1";
  bool swapped = false;

  Bytes header() const {
    Bytes b;
    b.swapped = swapped;
    b.data.resize(352, '\0');
    b.put<std::int32_t>(0, 348);
    for (std::size_t i = 0; i < dim.size(); ++i) b.put<std::int16_t>(40 + 2 * i, std::int16_t(dim[i]));
    for (std::size_t i = 0; i < pixdim.size(); ++i) b.put<float>(76 + 4 * i, pixdim[i]);
    b.put<std::int16_t>(68, std::int16_t(intent));
    b.put<std::int16_t>(70, std::int16_t(datatype));
    b.put<float>(108, voxOffset);
    b.put<float>(112, slope);
    b.put<float>(116, intercept);
    b.data[123] = char(units);
    b.put<std::int16_t>(252, std::int16_t(qformCode));
    b.put<std::int16_t>(254, std::int16_t(sformCode));
    for (int i = 0; i < 3; ++i) {
      b.put<float>(256 + 4 * i, quaternion[i]);
      b.put<float>(268 + 4 * i, offset[i]);
      for (int j = 0; j < 4; ++j) b.put<float>(280 + 16 * i + 4 * j, sform[i][j]);
    }
    std::memcpy(b.data.data() + 344, magic, 3);
    return b;
  }

  /// The header and `values` as type T.
  template <class T>
  std::string file(const std::vector<T>& values) const {
    Bytes b = header();
    for (std::size_t i = 0; i < values.size(); ++i) b.put<T>(352 + i * sizeof(T), values[i]);
    return b.data;
  }
  /// The header and 0, 1, 2, … as float32.
  std::string countingFile() const {
    std::size_t count = 1;
    for (int i = 1; i <= dim[0]; ++i) count *= std::size_t(dim[i]);
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = float(i);
    return file(values);
  }
};

inline const Series<float>& seriesOf(const Layer& layer) {
  return *std::get<VolumeLayer>(layer.content).series;
}

inline std::string allNotes(const Layer& layer) {
  std::string text;
  for (const auto& note : layer.notes) text += note.line() + "\n";
  return text;
}

inline void expectAffine(const Affine& a, const double (&expected)[3][4], double tolerance) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(a.m[i][j], expected[i][j], tolerance) << "row " << i << " column " << j;
    EXPECT_NEAR(a.t[i], expected[i][3], tolerance) << "row " << i;
  }
}

/// Opens bytes as a volume, from a file with the usual name of a format unless another one is given.
class VolumeBytesTest : public testing::Test {
 protected:
  explicit VolumeBytesTest(std::string usualName) : usualName_(std::move(usualName)) {}

  Layer opened(const std::string& bytes) { return opened(bytes, usualName_); }
  Layer opened(const std::string& bytes, const std::string& name) {
    writeBytes(folder_ / name, bytes);
    return io::openVolume(folder_ / name);
  }
  /// Expects an Error whose sentence contains the file's name and all of `words`.
  void expectRefused(const std::string& bytes, const std::vector<std::string>& words) {
    expectRefused(bytes, words, usualName_);
  }
  void expectRefused(const std::string& bytes, std::vector<std::string> words, const std::string& name) {
    SCOPED_TRACE(bytes.substr(0, 300));
    words.push_back(name);
    expectError([&] { opened(bytes, name); }, words);
  }
  void expectFirst(const Layer& layer, float value) { EXPECT_EQ(seriesOf(layer).values[0], value); }

  TemporaryFolder folder_;

 private:
  std::string usualName_;
};

/// An oblique, anisotropic grid of either handedness.
inline Grid obliqueGrid(bool leftHanded = false) {
  Grid grid;
  grid.size = {5, 4, 3};
  const double a = 0.3, b = -0.2, ca = std::cos(a), sa = std::sin(a), cb = std::cos(b), sb = std::sin(b);
  const double r[3][3] = {{ca, -sa * cb, sa * sb}, {sa, ca * cb, -ca * sb}, {0, sb, cb}};
  const double spacing[3] = {leftHanded ? -1.5 : 1.5, 2.25, 3.5};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) grid.worldFromVoxel.m[i][j] = r[i][j] * spacing[j];
  grid.worldFromVoxel.t = {-12.5, 30.25, 7};
  return grid;
}

}  // namespace sulcus::test
