#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;

/// A file of 2 × 3 × 4 voxels with the values 0, 1, … and the geometry that nibabel 5.4 writes for the affine
/// below.
Bytes mghFile(int type = 3) {
  Bytes b;
  b.swapped = true;
  b.data.resize(284, '\0');
  const int header[] = {1, 2, 3, 4, 1, type, 0};
  for (int i = 0; i < 7; ++i) b.put<std::int32_t>(4 * i, header[i]);
  b.put<std::int16_t>(28, 1);
  const float delta[] = {1.5033296f, 2.0099752f, 2.5179358f};
  const float cosines[3][3] = {
      {-0.99778515f, 0.06651901f, 0}, {0.09950372f, 0, -0.9950372f}, {0, 0.9928768f, 0.11914522f}};
  const float center[] = {8.8f, -14.9f, 27.6f};
  for (int i = 0; i < 3; ++i) {
    b.put<float>(30 + 4 * i, delta[i]);
    for (int j = 0; j < 3; ++j) b.put<float>(42 + 12 * i + 4 * j, cosines[i][j]);
    b.put<float>(78 + 4 * i, center[i]);
  }
  for (int i = 0; i < 24; ++i) {
    if (type == 3) b.put<float>(284 + 4 * i, float(i));
    if (type == 4) b.put<std::int16_t>(284 + 2 * i, std::int16_t(i));
    if (type == 1) b.put<std::int32_t>(284 + 4 * i, i);
    if (type == 0) b.put<std::uint8_t>(284 + i, std::uint8_t(i));
  }
  return b;
}

const double kAffine[3][4] = {{-1.5, 0.2, 0, 10}, {0.1, 0, 2.5, -20}, {0, -2, 0.3, 30}};

TEST(Mgh, HasTheAffineAndTheNumbersOfNibabel) {
  TemporaryFolder folder;
  for (const int type : {0, 1, 3, 4}) {
    writeBytes(folder / "t.mgh", mghFile(type).data);
    const Layer layer = io::openVolume(folder / "t.mgh");
    expectAffine(gridOf(layer)->worldFromVoxel, kAffine, 2e-6);
    EXPECT_EQ(seriesOf(layer).values[23], 23) << "type " << type;
  }
  writeGzip(folder / "t.mgz", mghFile().data);
  EXPECT_EQ(seriesOf(io::openVolume(folder / "t.mgz")).values[23], 23);
}

TEST(Mgh, WithoutOrientationIsCoronal) {
  TemporaryFolder folder;
  Bytes b = mghFile();
  b.put<std::int16_t>(28, 0);
  writeBytes(folder / "t.mgh", b.data);
  const Layer layer = io::openVolume(folder / "t.mgh");
  EXPECT_EQ(orientationCode(*gridOf(layer)), "LIA");
  EXPECT_NE(allNotes(layer).find("default"), std::string::npos);
}

TEST(Mgh, SaysWhatFollowsUnlessItIsAFooter) {
  TemporaryFolder folder;
  const auto longer = [&](const std::string& rest) {
    writeBytes(folder / "t.mgh", mghFile().data + rest);
    return allNotes(io::openVolume(folder / "t.mgh")).find("continues after") != std::string::npos;
  };
  const std::string sequence(20, '\0');
  EXPECT_FALSE(longer(""));
  EXPECT_FALSE(longer(sequence));
  EXPECT_FALSE(longer(sequence + std::string("\0\0\0\3\0\0\0\0\0\0\0\3cmd", 15)));
  EXPECT_TRUE(longer(std::string(96, '\0')));
  EXPECT_TRUE(longer(sequence + "more numbers"));
}

TEST(Mgh, ThatLiesIsRefused) {
  TemporaryFolder folder;
  const auto open = [&](const Bytes& b) {
    return [&folder, b] {
      writeBytes(folder / "t.mgh", b.data);
      io::openVolume(folder / "t.mgh");
    };
  };
  Bytes shortened = mghFile();
  shortened.data.resize(300);
  expectError(open(shortened), {"t.mgh", "shorter than its header says", "300 of 380"});
  Bytes huge = mghFile();
  for (int i = 1; i < 5; ++i) huge.put<std::int32_t>(4 * i, 2000000000);
  expectError(open(huge), {"t.mgh", "not a valid scan size"});
  Bytes negative = mghFile();
  negative.put<std::int32_t>(4, -2);
  expectError(open(negative), {"t.mgh", "not a valid scan size"});
  Bytes unknown = mghFile();
  unknown.put<std::int32_t>(20, 99);
  expectError(open(unknown), {"t.mgh", "type 99"});
  Bytes singular = mghFile();
  for (int i = 0; i < 3; ++i) singular.put<float>(30 + 4 * i, 0.f);
  expectError(open(singular), {"t.mgh", "orientation"});
}

}  // namespace
}  // namespace sulcus::io
