#include "tests/core/io/io_test_support.h"

#include <sys/stat.h>

// MetaImage headers as programs write them, and damaged ones. Valid ones are compared with ITK's reader in
// text_headers_test.
namespace sulcus::io {
namespace {

using namespace test;

/// A MetaImage of 2 × 2 × 2 bytes, with `more` lines before the last line of the header.
std::string metaImage(const std::string& more = "", const std::string& numbers = "abcdefgh",
                      const std::string& where = "LOCAL") {
  return "ObjectType = Image\nNDims = 3\nDimSize = 2 2 2\nElementType = MET_UCHAR\nElementSpacing = 1 2 3\n" +
         more + "ElementDataFile = " + where + "\n" + numbers;
}

class MetaImage : public VolumeBytesTest {
 protected:
  MetaImage() : VolumeBytesTest("a.mha") {}
};

TEST_F(MetaImage, ContradictingDimensionsAreRefused) {
  std::string sizes;
  for (int i = 0; i < 200'000; ++i) sizes += " 1";
  expectRefused("NDims = 3\nNDims : 200000\nDimSize =" + sizes + "\nElementDataFile = LOCAL\nx",
                {"NDims", "200000"});
  std::string comments;
  for (int i = 0; i < 1000; ++i) comments += "Comment = " + std::string(90, 'x') + "\n";
  expectRefused(metaImage(comments + "NDims = 200000\n"), {"NDims", "twice"});
  EXPECT_NO_THROW(opened(metaImage(comments)));
  expectRefused(metaImage("DimSize = 2 2 3\n"), {"DimSize", "twice"});
  expectRefused(metaImage("ElementSpacing = 1 2 4\n"), {"ElementSpacing", "twice"});
  expectRefused(metaImage("Offset = 1 2 3\nOrigin = 1 2 4\n"), {"Origin", "Offset"});
  expectRefused(metaImage("TransformMatrix = 1 0 0 0 1 0 0 0 1\nRotation = 0 1 0 1 0 0 0 0 1\n"),
                {"Rotation"});
  expectRefused(metaImage("ElementByteOrderMSB = True\nBinaryDataByteOrderMSB = False\n"), {"ByteOrderMSB"});
}

TEST_F(MetaImage, EndlessTextIsRefused) {
  for (const int length : {255, 256, 300, 5000})
    expectRefused(metaImage(std::string(std::size_t(length), 'n') + " = 1\n"), {"not a field"});
  expectRefused(metaImage("Comment = " + std::string(70'000, 'x') + "\n"), {"header that is too long"});
  std::string comments;
  for (int i = 0; i < 50'000; ++i) comments += "Comment = " + std::string(90, 'x') + "\n";
  expectRefused(metaImage(comments), {"header that is too long"});
}

TEST_F(MetaImage, WhatIsMissingIsNamed) {
  const std::string whole = metaImage();
  for (const char* const field : {"NDims", "DimSize", "ElementType", "ElementDataFile"}) {
    std::string cut = whole;
    const auto at = cut.find(field);
    cut.erase(at, cut.find('\n', at) + 1 - at);
    cut.resize(cut.find("abcdefgh"));
    expectRefused(cut, {field});
  }
  expectRefused("NDims = 3\nDimSize = 2 2 2\nElementType = MET_UCHAR\nElementDataFile =\n",
                {"ElementDataFile"});
  expectRefused(metaImage("a line without a sign\n"), {"not a field with a value"});
}

TEST_F(MetaImage, NumbersThatMakeNoSenseAreRefused) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string bytes = metaImage("Offset = 1 2 3\nTransformMatrix = 1 0 0 0 1 0 0 0 1\n");
    return bytes.replace(bytes.find(from), from.size(), to);
  };
  for (const char* const dims : {"0", "1", "5", "-3", "3.5", "3 3", "200000", "1e9", "nan", "three", ""})
    expectRefused(with("NDims = 3", std::string("NDims = ") + dims), {"NDims"});
  for (const char* const size :
       {"0 2 2", "-2 2 2", "2 2", "2 2 2 2", "2.5 2 2", "nan 2 2", "99999999999 2 2", "2,2,2"})
    expectRefused(with("DimSize = 2 2 2", std::string("DimSize = ") + size), {"DimSize"});
  expectRefused(with("DimSize = 2 2 2", "DimSize = 2000000000 2000000000 2000000000"),
                {"larger than any file"});
  expectRefused(with("DimSize = 2 2 2", "DimSize = 2 2 20000"), {"shorter than its header says"});
  for (const char* const spacing : {"1 2", "1 2 x", "1 2 3 4", "1e400 1 1"})
    expectRefused(with("ElementSpacing = 1 2 3", std::string("ElementSpacing = ") + spacing),
                  {"ElementSpacing"});
  for (const char* const spacing : {"0 2 3", "nan 2 3", "inf 2 3", "1e30 2 3"})
    expectRefused(with("ElementSpacing = 1 2 3", std::string("ElementSpacing = ") + spacing),
                  {"no usable orientation"});
  expectRefused(with("1 0 0 0 1 0 0 0 1", "1 0 0 1 0 0 0 0 1"), {"no usable orientation"});
  expectRefused(with("1 0 0 0 1 0 0 0 1", "nan 0 0 0 1 0 0 0 1"), {"no usable orientation"});
  expectRefused(with("Offset = 1 2 3", "Offset = nan 2 3"), {"no usable orientation"});
  for (const char* const type : {"MET_OTHER", "MET_NONE", "MET_STRING", "UCHAR", "float", ""})
    expectRefused(with("MET_UCHAR", type), {"ElementType"});
  expectRefused(metaImage("ElementNumberOfChannels = 0\n"), {"ElementNumberOfChannels"});
  expectRefused(metaImage("ElementNumberOfChannels = 2000000000\n"), {"shorter than its header says"});
  expectRefused(metaImage("ElementNumberOfChannels = 3\n", std::string(24, 'x')), {"color"});
}

TEST_F(MetaImage, FilesOfTheWrongLength) {
  expectRefused(metaImage("", "abcdefg"), {"shorter than its header says"});
  const Layer layer = opened(metaImage("", "abcdefghi"));
  expectFirst(layer, 'a');
  EXPECT_NE(allNotes(layer).find("continues after the data"), std::string::npos) << allNotes(layer);
  EXPECT_EQ(allNotes(opened(metaImage())).find("continues after"), std::string::npos);
}

TEST_F(MetaImage, CompressedNumbers) {
  const auto zipped = [](const std::string& bytes) {
    uLongf size = compressBound(bytes.size());
    std::string small(size, '\0');
    compress(reinterpret_cast<Bytef*>(small.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
             bytes.size());
    return small.substr(0, size);
  };
  const std::string on = "CompressedData = True\n", numbers = zipped("abcdefgh");
  expectFirst(opened(metaImage(on, numbers)), 'a');
  writeBytes(folder_ / "a.zraw", numbers);
  expectFirst(opened(metaImage(on, "", "a.zraw"), "a.mhd"), 'a');
  writeGzip(folder_ / "a.raw.gz", "abcdefgh");
  expectFirst(opened(metaImage(on, "", "a.raw.gz"), "a.mhd"), 'a');
  expectRefused(metaImage(on, zipped("abcdefg")), {"ends too early"});
  expectRefused(metaImage(on, numbers.substr(0, 6)), {"ends too early"});
  std::string damaged = numbers;
  damaged.back() ^= 1;
  expectRefused(metaImage(on, damaged), {"damaged"});
  expectRefused(metaImage(on, "abcdefgh"), {"damaged"});
  EXPECT_NE(allNotes(opened(metaImage(on, zipped("abcdefghi")))).find("continues after"), std::string::npos);
  expectRefused(metaImage(on + "HeaderSize = 3\n", numbers), {"HeaderSize"});
}

TEST_F(MetaImage, NumbersInAFileBeside) {
  std::filesystem::create_directory(folder_ / "below");
  writeBytes(folder_ / "a.raw", "abcdefgh");
  writeBytes(folder_ / "below" / "a b.raw", "01abcdefgh");
  expectFirst(opened(metaImage("", "", "a.raw"), "a.mhd"), 'a');
  expectFirst(opened(metaImage("HeaderSize = 2\n", "", "below/a b.raw"), "a.mhd"), 'a');
  expectFirst(opened(metaImage("HeaderSize = -1\n", "", "below/a b.raw"), "a.mhd"), 'a');
  expectFirst(opened(metaImage("HeaderSize = -1\n", "01abcdefgh")), 'a');
  for (const char* const where : {"/etc/passwd", "../a.raw", "/dev/zero"})
    expectRefused(metaImage("", "", where), {"one file next to it"}, "a.mhd");
  for (const char* const where : {"LIST", "LIST 2", "a%03d.raw 1 3 1"})
    expectRefused(metaImage("", "", where), {"ElementDataFile", "several files"}, "a.mhd");
}

TEST_F(MetaImage, RefusesWhatItDoesNotKnow) {
  expectRefused(metaImage("BinaryData = False\n", "1 2 3 4 5 6 7 8"), {"BinaryData"});
  expectRefused(metaImage("HeaderSize = 4\n"), {"HeaderSize"});
  expectRefused(metaImage(std::string("Comment = a\0b\n", 14)), {"binary data"});
}

TEST_F(MetaImage, IsRecognizedWhateverItsName) {
  for (const char* const name : {"a.nii", "a.img", "a.nrrd", "a.dcm", "a"}) {
    const Layer layer = opened(metaImage(), name);
    expectFirst(layer, 'a');
    EXPECT_EQ(allNotes(layer).find("The file is MetaImage, whatever its name says.") != std::string::npos,
              std::string(name) != "a")
        << name << allNotes(layer);
  }
  EXPECT_EQ(allNotes(opened(metaImage())).find("whatever"), std::string::npos);
  EXPECT_EQ(kindOf(io::openLayer(folder_ / "a.nii")), "volume") << "though all of it is text";
}

TEST_F(MetaImage, SaysWhatWasAssumed) {
  const Layer bare =
      opened("NDims = 3\nDimSize = 2 2 2\nElementType = MET_UCHAR\nElementDataFile = LOCAL\nabcdefgh");
  EXPECT_NE(allNotes(bare).find("no voxel size: 1 mm assumed"), std::string::npos);
  EXPECT_NE(allNotes(opened(metaImage("ElementToIntensityFunctionSlope = 2\n"))).find("not applied"),
            std::string::npos);
  EXPECT_EQ(allNotes(opened(metaImage("ElementToIntensityFunctionSlope = 1\n"))).find("applied"),
            std::string::npos);
  const Layer tiny = opened(metaImage("DistanceUnits = um\nOffset = 1000 0 0\n"));
  const double affine[3][4] = {{-0.001, 0, 0, -1}, {0, -0.002, 0, 0}, {0, 0, 0.003, 0}};
  expectAffine(gridOf(tiny)->worldFromVoxel, affine, 1e-12);
  EXPECT_NE(allNotes(tiny).find("units of 0.001 mm"), std::string::npos) << allNotes(tiny);
}

TEST_F(MetaImage, UnitsOfLength) {
  const auto spacingOf = [&](const std::string& unit) {
    return gridOf(opened(metaImage("DistanceUnits = " + unit + "\n")))->spacing().y;
  };
  for (const char* const unit : {"mm", "MM", "?"}) EXPECT_EQ(spacingOf(unit), 2) << unit;
  for (const char* const unit : {"cm", "CM", "Cm"}) EXPECT_EQ(spacingOf(unit), 20) << unit;
  EXPECT_NEAR(spacingOf("UM"), 0.002, 1e-15);
  EXPECT_NE(allNotes(opened(metaImage("DistanceUnits = ?\n"))).find("mm assumed"), std::string::npos);
  std::string metres = metaImage("DistanceUnits = m\n");
  metres.replace(metres.find("1 2 3"), 5, "1e-3 2e-3 3e-3");
  EXPECT_NEAR(gridOf(opened(metres))->spacing().y, 2, 1e-12);
  for (const char* const unit : {"inch", "in", "nm", "mm mm", "s"})
    expectRefused(metaImage(std::string("DistanceUnits = ") + unit + "\n"), {"DistanceUnits", unit});
}

TEST_F(MetaImage, TheTimeRunsForwardAndOnItsOwn) {
  const auto series = [](const std::string& spacing, const std::string& more = "") {
    return "NDims = 4\nDimSize = 2 2 1 2\nElementType = MET_UCHAR\nElementSpacing = 1 1 1 " + spacing + "\n" +
           more + "ElementDataFile = LOCAL\nabcdefgh";
  };
  const auto matrix = [](const std::string& numbers) { return "TransformMatrix = " + numbers + "\n"; };
  const Layer sound = opened(series("2.5", matrix("1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1")));
  EXPECT_EQ(std::get<VolumeLayer>(sound.content).secondsPerVolume, 2.5);
  EXPECT_EQ(std::get<VolumeLayer>(opened(series("0")).content).secondsPerVolume, 0);
  for (const char* const spacing : {"-2", "nan", "inf"}) expectRefused(series(spacing), {"ElementSpacing"});
  for (const char* const numbers : {"1 0 0 0.5 0 1 0 0 0 0 1 0 0 0 0 1", "1 0 0 0 0 1 0 0 0 0 1 0 0.5 0 0 1",
                                    "0 0 0 1 0 1 0 0 0 0 1 0 1 0 0 0", "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 -1",
                                    "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 0"})
    expectRefused(series("2", matrix(numbers)), {"TransformMatrix"});
}

TEST_F(MetaImage, WordsThatSayNeitherYesNorNoAreRefused) {
  for (const char* const field :
       {"ElementByteOrderMSB", "BinaryDataByteOrderMSB", "CompressedData", "BinaryData"})
    for (const char* const word : {"maybe", "yes", "Truth", "10", ""})
      expectRefused(metaImage(std::string(field) + " = " + word + "\n"), {field});
  for (const char* const word : {"False", "false", "F", "0"})
    EXPECT_NO_THROW(opened(
        metaImage(std::string("ElementByteOrderMSB = ") + word + "\nCompressedData = " + word + "\n")));
  for (const char* const word : {"True", "TRUE", "t", "1"})
    EXPECT_NO_THROW(
        opened(metaImage(std::string("ElementByteOrderMSB = ") + word + "\nBinaryData = " + word + "\n")));
}

TEST_F(MetaImage, ObjectsThatAreNoImagesAreRefused) {
  std::string tube = metaImage();
  tube.replace(tube.find("Image"), 5, "Tube");
  expectRefused(tube, {"ObjectType", "Tube"});
}

TEST_F(MetaImage, TheSameNumbersAreNoContradiction) {
  EXPECT_NO_THROW(
      opened(metaImage("TransformMatrix = 1 0 0 0 1 0 0 0 1\nRotation = 1.0 0 0 0 1e0  0 0 -0 +1\n")));
  expectRefused(metaImage("Offset = 1 2 3\nOrigin = 1 2\n"), {"Origin"});
}

TEST_F(MetaImage, SaysThatAxesAreSheared) {
  const std::string notes = allNotes(opened(metaImage("TransformMatrix = 1 0 0 1 1 0 0 0 1\n")));
  EXPECT_NE(notes.find("not perpendicular (sheared): 45°"), std::string::npos) << notes;
  EXPECT_EQ(allNotes(opened(metaImage())).find("sheared"), std::string::npos);
}

}  // namespace
}  // namespace sulcus::io
