// Random valid headers of NIfTI-1 are read as ITK reads them.
#include "tests/core/io/io_test_support.h"
#include "tests/core/io/itk_oracle.h"
#include "tests/support/for_each_seed.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::io {
namespace {

using namespace test;

/// A header without contradictions: ITK uses only rotations and takes lengths from the voxel size.
struct RandomScan {
  Nifti1 header;
  std::string bytes;
};

template <class T>
std::string randomNumbers(const Nifti1& header, Rng& rng) {
  std::size_t count = 1;
  for (int i = 1; i <= header.dim[0]; ++i) count *= std::size_t(header.dim[std::size_t(i)]);
  std::vector<T> values(count);
  for (T& value : values) value = T(rng.integer(std::is_signed_v<T> ? -100 : 0, 100));
  return header.file(values);
}

RandomScan randomScan(Rng& rng) {
  constexpr int kTypes[] = {2, 4, 8, 16, 64, 256, 512, 768};
  Nifti1 h;
  h.dim = {rng.integer(3, 4), rng.integer(2, 6), rng.integer(2, 6), rng.integer(2, 6), rng.integer(2, 4)};
  h.pixdim[0] = rng.integer(0, 1) ? 1 : -1;
  for (std::size_t i = 1; i < 5; ++i) h.pixdim[i] = float(rng.uniform(0.3, 4));
  h.swapped = rng.integer(0, 1);
  h.datatype = kTypes[rng.integer(0, 7)];
  if (rng.integer(0, 1)) h.slope = float(rng.uniform(0.1, 3)), h.intercept = float(rng.uniform(-5, 5));
  // A rotation by any angle about any axis, and the position of the first voxel.
  double axis[3], length = 0;
  for (double& part : axis) part = rng.uniform(-1, 1), length += part * part;
  const double half = rng.uniform(0, 1.5), sine = std::sin(half) / std::sqrt(length);
  for (int i = 0; i < 3; ++i)
    h.quaternion[i] = float(axis[i] * sine), h.offset[i] = float(rng.uniform(-99, 99));
  const double a = std::cos(half), b = h.quaternion[0], c = h.quaternion[1], d = h.quaternion[2];
  const double turn[3][3] = {{a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
                             {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)},
                             {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - c * c - b * b}};
  const int codes = rng.integer(0, 2);  // qform, sform or both
  h.qformCode = codes != 1, h.sformCode = codes != 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      h.sform[i][j] = float(turn[i][j] * h.pixdim[j + 1] * (j == 2 ? h.pixdim[0] : 1.0f));
    h.sform[i][3] = h.offset[i];
  }
  const auto bytes = [&] {
    switch (h.datatype) {
      case 2:
        return randomNumbers<std::uint8_t>(h, rng);
      case 4:
        return randomNumbers<std::int16_t>(h, rng);
      case 8:
        return randomNumbers<std::int32_t>(h, rng);
      case 16:
        return randomNumbers<float>(h, rng);
      case 64:
        return randomNumbers<double>(h, rng);
      case 256:
        return randomNumbers<std::int8_t>(h, rng);
      case 512:
        return randomNumbers<std::uint16_t>(h, rng);
      default:
        return randomNumbers<std::uint32_t>(h, rng);
    }
  }();
  return {h, bytes};
}

TEST(NiftiHeader, IsReadAsItkDoes) {
  const TemporaryFolder folder;
  forEachSeed(300, [&](Rng& rng) {
    const RandomScan scan = randomScan(rng);
    Bytes bytes{scan.bytes, scan.header.swapped};
    constexpr int kBytes[] = {1, 2, 4, 4, 8, 1, 2, 4};
    constexpr int kTypes[] = {2, 4, 8, 16, 64, 256, 512, 768};
    for (std::size_t i = 0; i < std::size(kTypes); ++i)
      if (kTypes[i] == scan.header.datatype) bytes.put<std::int16_t>(72, std::int16_t(8 * kBytes[i]));
    writeBytes(folder / "scan.nii", bytes.data);
    const Layer layer = openVolume(folder / "scan.nii");
    const ItkImage itk = readByItk(folder / "scan.nii");
    const Series<float>& series = seriesOf(layer);
    ASSERT_EQ(series.grid.size, itk.grid.size);
    ASSERT_EQ(series.count, itk.volumes);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)  // the header has 32-bit numbers
        EXPECT_NEAR(series.grid.worldFromVoxel.m[i][j], itk.grid.worldFromVoxel.m[i][j], 2e-5) << i << j;
      EXPECT_NEAR(series.grid.worldFromVoxel.t[i], itk.grid.worldFromVoxel.t[i], 1e-4) << i;
    }
    for (std::size_t i = 0; i < itk.values.size(); ++i)
      ASSERT_NEAR(series.values[i], itk.values[i], 1e-4) << "number " << i;
    if (series.count > 1) {
      EXPECT_FLOAT_EQ(float(std::get<VolumeLayer>(layer.content).secondsPerVolume), float(itk.lastSpacing));
    }
  });
}

}  // namespace
}  // namespace sulcus::io
