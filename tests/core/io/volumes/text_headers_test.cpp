// NRRD and MetaImage files are compared with ITK's readers and writers.
#include "tests/core/io/io_test_support.h"
#include "tests/core/io/itk_oracle.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace sulcus::io {
namespace {

using namespace test;

/// 96 bytes that are valid numbers of every type and all different.
std::string someBytes() {
  std::string bytes;
  for (int i = 0; i < 96; ++i) bytes += char(i % 4 == 3 ? 0x40 + i / 8 : 37 * i);
  return bytes;
}

const Series<float>& numbersOf(const Layer& layer) {
  if (const auto* field = std::get_if<DisplacementLayer>(&layer.content)) return *field->displacement;
  return seriesOf(layer);
}

void expectAsItk(const std::filesystem::path& file) {
  const Layer layer = io::openVolume(file);
  const ItkImage itk = readByItk(file);
  const Grid& grid = *gridOf(layer);
  EXPECT_EQ(grid.size, itk.grid.size);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(grid.worldFromVoxel.m[i][j], itk.grid.worldFromVoxel.m[i][j], 1e-12) << i << " " << j;
    EXPECT_NEAR(grid.worldFromVoxel.t[i], itk.grid.worldFromVoxel.t[i], 1e-12) << i;
  }
  const Series<float>& series = numbersOf(layer);
  ASSERT_EQ(series.count, itk.volumes);
  const bool displacement = kindOf(layer) == "displacement";
  for (int c = 0; c < series.count; ++c)
    for (std::int64_t i = 0; i < grid.voxels(); ++i) {
      const float theirs = itk.values[std::size_t(c * grid.voxels() + i)];
      ASSERT_EQ(series.at(i, c), displacement && c < 2 ? -theirs : theirs) << i << " of " << c;
    }
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content); volume && itk.lastSpacing > 1) {
    EXPECT_EQ(volume->secondsPerVolume, itk.lastSpacing);
  }
}

struct HeaderCase {
  const char* name;
  const char* header;
};
void PrintTo(const HeaderCase& c, std::ostream* out) { *out << c.name; }
const auto nameOf = [](const auto& info) { return std::string(info.param.name); };

class MetaHeader : public testing::TestWithParam<HeaderCase> {};

TEST_P(MetaHeader, IsReadAsItkDoes) {
  TemporaryFolder folder;
  const std::string header = GetParam().header;
  const bool series = header.find("NDims = 4") != header.npos || header.find("NDims = 2") != header.npos;
  writeBytes(folder / "a.mha",
             (series ? "" : "NDims = 3\nDimSize = 2 3 2\n") + header +
                 (header.find("ElementType") == header.npos ? "ElementType = MET_SHORT\n" : "") +
                 "ElementDataFile = LOCAL\n" + someBytes());
  expectAsItk(folder / "a.mha");
}

INSTANTIATE_TEST_SUITE_P(
    Headers, MetaHeader,
    testing::Values(
        HeaderCase{"Bare", ""}, HeaderCase{"Spacing", "ElementSpacing = 1 2.5 3e0\nOffset = -1 2 +3\n"},
        HeaderCase{"Size", "ElementSize = 1 2 3\n"},
        HeaderCase{"SizeAndSpacing", "ElementSize = 1 2 3\nElementSpacing = 4 5 6\n"},
        HeaderCase{"Position", "Position = 1 2 3\n"}, HeaderCase{"Origin", "Origin = 1 2 3\n"},
        HeaderCase{"ImagePosition", "ImagePosition = 1 2 3\n"},
        HeaderCase{"Matrix",
                   "ElementSpacing = 1 2 3\nTransformMatrix = 0 1 0 -1 0 0 0 0 1\nCenterOfRotation = 5 6 7\n"
                   "AnatomicalOrientation = RAS\n"},
        HeaderCase{"Rotation", "Rotation = 0.6 0.8 0 -0.8 0.6 0 0 0 1\n"},
        HeaderCase{"Orientation", "Orientation = 0 0 1 0 1 0 1 0 0\n"},
        HeaderCase{"NegativeSpacing", "ElementSpacing = -1 2 3\n"},
        HeaderCase{"BigEndian", "ElementByteOrderMSB = True\n"},
        HeaderCase{"BigEndianData", "BinaryDataByteOrderMSB = True\n"},
        HeaderCase{"BothOrders", "BinaryDataByteOrderMSB = True\nElementByteOrderMSB = True\n"},
        HeaderCase{"Colons", "ElementSpacing : 1 2 3\nOffset: 7 8 9\n"},
        HeaderCase{"NoBlanks", "ElementSpacing=1 2 3\nOffset=7 8 9\n"},
        HeaderCase{"ManyBlanks", "  ElementSpacing  =  1   2\t3  \n\nOffset =  7   8  9  \n"},
        HeaderCase{"WindowsLines", "ElementSpacing = 1 2 3\r\nOffset = 7 8 9\r\n"},
        HeaderCase{
            "Remarks",
            "ObjectType = Image\nComment = a = b: c\nColor = 1 0 0 1\nModality = MET_MOD_MR\nElementMin = 0\n"
            "ITK_original = here\nDistanceUnits = mm\nSeq_Frame0000_Transform = 1 0 0\nID = 7\n"},
        HeaderCase{"Chars", "ElementType = MET_CHAR\n"},
        HeaderCase{"UnsignedChars", "ElementType = MET_UCHAR\n"},
        HeaderCase{"AsciiChars", "ElementType = MET_ASCII_CHAR\n"},
        HeaderCase{"UnsignedShorts", "ElementType = MET_USHORT\n"},
        HeaderCase{"Ints", "ElementType = MET_INT\n"}, HeaderCase{"UnsignedInts", "ElementType = MET_UINT\n"},
        HeaderCase{"Longs", "ElementType = MET_LONG\n"},
        HeaderCase{"UnsignedLongs", "ElementType = MET_ULONG\n"},
        HeaderCase{"LongLongs", "ElementType = MET_LONG_LONG\n"},
        HeaderCase{"UnsignedLongLongs", "ElementType = MET_ULONG_LONG\n"},
        HeaderCase{"Floats", "ElementType = MET_FLOAT\n"},
        HeaderCase{"Doubles", "ElementType = MET_DOUBLE\n"},
        HeaderCase{"Channels", "ElementNumberOfChannels = 4\n"},
        HeaderCase{"OldChannels", "ElementNumberOfChannels = 2\nElementType = MET_FLOAT_ARRAY\n"},
        HeaderCase{
            "Flat",
            "NDims = 2\nDimSize = 4 3\nElementSpacing = 2 3\nOffset = 4 5\nTransformMatrix = 0 1 -1 0\n"},
        HeaderCase{"FlatVectors",
                   "NDims = 2\nDimSize = 2 3\nElementNumberOfChannels = 3\nElementType = MET_FLOAT\n"},
        HeaderCase{"Series",
                   "NDims = 4\nDimSize = 2 3 2 4\nElementSpacing = 1 2 3 2.5\nOffset = 1 2 3 4\n"
                   "TransformMatrix = 0 1 0 0 -1 0 0 0 0 0 1 0 0 0 0 1\n"}),
    nameOf);

class NrrdHeaders : public testing::TestWithParam<HeaderCase> {};

TEST_P(NrrdHeaders, IsReadAsItkDoes) {
  TemporaryFolder folder;
  const std::string header = GetParam().header;
  writeBytes(folder / "a.nrrd",
             "NRRD0005\n" + std::string(header.find("type:") == header.npos ? "type: short\n" : "") +
                 (header.find("sizes:") == header.npos ? "dimension: 3\nsizes: 2 3 2\n" : "") + header +
                 (header.find("endian:") == header.npos ? "endian: little\n" : "") + "encoding: raw\n\n" +
                 someBytes());
  expectAsItk(folder / "a.nrrd");
}

#define SPACE(name) "space: " name "\nspace directions: (1,0.5,0) (0,2,0) (0,0,3)\nspace origin: (4,5,6)\n"

INSTANTIATE_TEST_SUITE_P(
    Headers, NrrdHeaders,
    testing::Values(
        HeaderCase{"Bare", ""}, HeaderCase{"Lps", SPACE("left-posterior-superior")},
        HeaderCase{"LpsBrief", SPACE("LPS")}, HeaderCase{"Ras", SPACE("right-anterior-superior")},
        HeaderCase{"RasBrief", SPACE("ras")}, HeaderCase{"MixedCase", SPACE("Right-Anterior-SUPERIOR")},
        HeaderCase{"ScannerXyz", SPACE("scanner-xyz")},
        HeaderCase{
            "Unnamed",
            "space dimension: 3\nspace directions: (1,0.5,0) (0,2,0) (0,0,3)\nspace origin: (4,5,6)\n"},
        HeaderCase{
            "Blanks",
            "space: LPS\nspace directions:  ( 1, 0.5 , 0 )  (0,2,0)\t(0,0,3) \nspace origin: (4,5,6)\n"},
        HeaderCase{"NoOrigin", "space: LPS\nspace directions: (1,0,0) (0,2,0) (0,0,3)\n"},
        HeaderCase{"OriginOnly", "space: LPS\nspace origin: (4,5,6)\n"},
        HeaderCase{"Spacings", "spacings: 1 2 3\n"},
        HeaderCase{"SpacingsAndMins", "spacings: 1 2 3\naxis mins: 4 5 6\n"},
        HeaderCase{"Cells", "spacings: 1 2 3\naxis mins: 4 5 6\ncenterings: cell cell cell\n"},
        HeaderCase{"Nodes", "spacings: 1 2 3\naxis mins: 4 5 6\ncenters: node node node\n"},
        HeaderCase{"NanSpacing", "spacings: nan 2 3\n"}, HeaderCase{"NegativeSpacing", "spacings: -1 2 3\n"},
        HeaderCase{"OldNames", "axismins: 4 5 6\nspacings: 1 2 3\n"},
        HeaderCase{"Remarks",
                   "# a comment\ncontent: a: b\nnumber: 12\nmin: 0\nmax: 1\noldmin: 2\nthicknesses: 1 2 3\n"
                   "labels: \"a\" \"b c\" \"c\"\nunits: \"mm\" \"mm\" \"mm\"\nsample units: mm\na b:=c: d\n"
                   "foo:bar:=x\nmodality:=MR\n"},
        HeaderCase{"BigEndian", "endian: big\n"}, HeaderCase{"Int8", "type: int8\n"},
        HeaderCase{"SignedChar", "type: signed char\n"}, HeaderCase{"UnsignedChar", "type: unsigned char\n"},
        HeaderCase{"Uint16", "type: uint16_t\n"}, HeaderCase{"Int", "type: int\n"},
        HeaderCase{"Uint", "type: unsigned int\n"}, HeaderCase{"Int64", "type: long long int\n"},
        HeaderCase{"Uint64", "type: unsigned long long\n"}, HeaderCase{"Float", "type: float\n"},
        HeaderCase{"Double", "type: double\n"},
        HeaderCase{"Flat", "dimension: 2\nsizes: 4 3\nspacings: 2 3\n"},
        HeaderCase{
            "FlatInSpace",
            "dimension: 2\nsizes: 4 3\nspace dimension: 2\nspace directions: (1,0.5) (0,2)\nspace origin: "
            "(3,4)\n"},
        HeaderCase{"Series", "dimension: 4\nsizes: 2 3 2 4\nspacings: 1 2 3 4\n"},
        HeaderCase{
            "SeriesInSpace",
            "dimension: 4\nsizes: 2 3 2 4\nspace dimension: 4\nspace directions: (1,0.5,0,0) (0,2,0,0) "
            "(0,0,3,0) "
            "(0,0,0,2.5)\nspace origin: (1,2,3,4)\nkinds: domain domain domain domain\n"},
        HeaderCase{
            "ListFirst",
            "dimension: 4\nsizes: 4 2 3 2\nspace: LPS\nspace directions: none (1,0,0) (0,2,0) (0,0,3)\n"
            "kinds: list domain domain domain\n"},
        HeaderCase{
            "ListLast",
            "dimension: 4\nsizes: 2 3 2 4\nspace: LPS\nspace directions: (1,0,0) (0,2,0) (0,0,3) none\n"
            "kinds: space space space list\n"},
        HeaderCase{
            "ListBetween",
            "dimension: 4\nsizes: 2 4 3 2\nspace: LPS\nspace directions: (1,0,0) none (0,2,0) (0,0,3)\n"
            "kinds: space list space space\n"},
        HeaderCase{"ListWithoutSpace",
                   "dimension: 4\nsizes: 4 2 3 2\nspacings: nan 2 3 4\nkinds: list domain domain domain\n"},
        HeaderCase{
            "VectorFirst",
            "type: float\ndimension: 4\nsizes: 3 2 2 2\nspace: LPS\nspace directions: none (1,0,0) (0,2,0) "
            "(0,0,3)\nkinds: vector domain domain domain\n"},
        HeaderCase{"VectorLast",
                   "type: float\ndimension: 4\nsizes: 2 2 2 3\nspace: LPS\nspace directions: (1,0,0) (0,2,0) "
                   "(0,0,3) "
                   "none\nkinds: space space space vector\n"},
        HeaderCase{
            "CovariantVector",
            "type: float\ndimension: 4\nsizes: 3 2 2 2\nspace: RAS\nspace directions: none (1,0,0) (0,2,0) "
            "(0,0,3)\nkinds: covariant-vector domain domain domain\n"},
        HeaderCase{
            "Tensor",
            "type: float\ndimension: 4\nsizes: 6 2 2 1\nspace: RAS\nspace directions: none (1,0,0) (0,2,0) "
            "(0,0,3)\nkinds: 3D-symmetric-matrix domain domain domain\n"},
        HeaderCase{
            "MaskedTensor",
            "type: float\ndimension: 4\nsizes: 7 2 1 1\nspace: RAS\nspace directions: none (1,0,0) (0,2,0) "
            "(0,0,3)\nkinds: 3D-masked-symmetric-matrix domain domain domain\n"},
        HeaderCase{"Stub", "dimension: 4\nsizes: 1 2 3 2\nkinds: stub domain domain domain\n"}),
    nameOf);

TEST(TextHeaders, WhatWeWriteIsReadByItk) {
  const Grid grid = obliqueGrid(true);
  const auto filled = [&](int count) {
    Series<float> series(grid, count);
    for (std::size_t i = 0; i < series.values.size(); ++i)
      series.values[i] = float(std::sin(double(i)) * 100);
    return std::make_shared<const Series<float>>(std::move(series));
  };
  auto labels = std::make_shared<Volume<Label>>(grid);
  for (std::size_t i = 0; i < labels->values.size(); ++i) labels->values[i] = std::int32_t(i * 1000) - 7;
  VolumeLayer volume, series;
  volume.series = filled(1), series.series = filled(5), series.secondsPerVolume = 2.5;
  const std::vector<LayerContent> contents{volume, series, LabelsLayer{labels}, DisplacementLayer{filled(3)},
                                           PeaksLayer{filled(6), nullptr}};
  for (const char* const name : {"a.nrrd", "a.mha"})
    for (const LayerContent& content : contents) {
      Layer layer;
      layer.content = content;
      SCOPED_TRACE(name + (" " + kindOf(layer)));
      TemporaryFolder folder;
      const auto file = folder / name;
      io::saveLayer(layer, file);
      const ItkImage itk = readByItk(file);
      EXPECT_TRUE(sameGrid(itk.grid, grid));
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          EXPECT_NEAR(itk.grid.worldFromVoxel.m[i][j], grid.worldFromVoxel.m[i][j], 1e-14);
      std::vector<float> expected;
      if (const auto* whole = std::get_if<LabelsLayer>(&content))
        expected.assign(whole->labels->values.begin(), whole->labels->values.end());
      else if (const auto* field = std::get_if<DisplacementLayer>(&content))
        expected = field->displacement->values;
      else if (const auto* peaks = std::get_if<PeaksLayer>(&content))
        expected = peaks->peaks->values;
      else
        expected = std::get<VolumeLayer>(content).series->values;
      if (std::holds_alternative<DisplacementLayer>(content))
        for (std::size_t i = 0; i < 2 * std::size_t(grid.voxels()); ++i) expected[i] = -expected[i];
      EXPECT_EQ(itk.values, expected);
      if (const auto* times = std::get_if<VolumeLayer>(&content); times && times->secondsPerVolume > 0) {
        EXPECT_EQ(itk.lastSpacing, 2.5);
      }
      // Sulcus also reads the file.
      const Layer back = io::openVolume(file);
      EXPECT_EQ(kindOf(back), kindOf(layer));
      EXPECT_TRUE(sameGrid(*gridOf(back), grid));
    }
}

}  // namespace
}  // namespace sulcus::io
