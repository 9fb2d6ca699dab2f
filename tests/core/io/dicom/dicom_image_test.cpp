#include "core/io/streams/code_stream.h"
#include "tests/core/io/dicom/dicom_bytes.h"
#include "tests/core/io/io_test_support.h"
#include "tests/core/io/streams/code_streams.h"

namespace sulcus::io {
namespace {

using namespace test;

constexpr std::uint32_t kFrames = 0x00280008, kHighBit = 0x00280102, kSigned = 0x00280103,
                        kColors = 0x00280004, kSamples = 0x00280002, kPixels = 0x7fe00010;

class DicomImage : public testing::Test {
 protected:
  Layer openBytes(const std::string& bytes) {
    writeBytes(folder_ / "scan.dcm", bytes);
    return io::openVolume(folder_ / "scan.dcm");
  }
  std::vector<float> valuesOf(const DicomFile& file) { return seriesOf(openBytes(file.bytes())).values; }
  void expectRefused(const DicomFile& file, const std::string& words) {
    expectError([&] { openBytes(file.bytes()); }, {"scan.dcm", words});
  }
  TemporaryFolder folder_;
};

/// A slice whose pixels are the code stream, with a header that fits it.
DicomFile coded(const CodeStream& stream) {
  return DicomFile().size(8, 6).bits(16, 12).compressed(stream.syntax, {stream.bytes});
}

TEST_F(DicomImage, StoredBitsAreTheNumber) {
  const DicomFile plain = DicomFile().pixels({0x0fff, 0xf801, 0x0800, 7});
  EXPECT_EQ(valuesOf(plain), (std::vector<float>{0x0fff, 0xf801, 0x0800, 7}));
  DicomFile twelve = plain;
  EXPECT_EQ(valuesOf(twelve.bits(16, 12)), (std::vector<float>{0x0fff, 0x0801, 0x0800, 7}));
  EXPECT_EQ(valuesOf(twelve.set(kSigned, "US", us(1))), (std::vector<float>{-1, -2047, -2048, 7}));
  EXPECT_EQ(valuesOf(DicomFile().bits(16, 12).set(kHighBit, "US", us(15)).pixels({0x10, 0x20, 0xfff0, 0xf})),
            (std::vector<float>{1, 2, 0xfff, 0}));
  EXPECT_EQ(valuesOf(DicomFile().bits(8, 7).set(kPixels, "OB", "\x01\x7f\x80\x81")),
            (std::vector<float>{1, 127, 0, 1}));
  EXPECT_EQ(
      valuesOf(DicomFile().bits(32, 32).set(kSigned, "US", us(1)).pixels({1, 0, 2, 0, 3, 0, 0xffff, 0xffff})),
      (std::vector<float>{1, 2, 3, -1}));
}

TEST_F(DicomImage, NumbersAreScaled) {
  const DicomFile file =
      DicomFile().pixels({0, 1, 2, 3}).set(0x00281052, "DS", "-1024").set(0x00281053, "DS", "0.5");
  EXPECT_EQ(valuesOf(file), (std::vector<float>{-1024, -1023.5, -1023, -1022.5}));
}

TEST_F(DicomImage, NumbersOfATableAreRefused) {
  expectRefused(DicomFile().set(0x00283000, "SQ", dicomItems({dicomElement(0x28, 0x3003, "LO", "mm")})),
                "ModalityLUTSequence");
}

TEST_F(DicomImage, BigEndianAndImplicitFilesAreRead) {
  const auto element = [](std::uint32_t tag, const std::string& value, bool big) {
    Bytes bytes;
    bytes.swapped = big;
    bytes.put<std::uint16_t>(0, std::uint16_t(tag >> 16));
    bytes.put<std::uint16_t>(2, std::uint16_t(tag));
    if (big) {
      bytes.data += tag == kPixels ? std::string("OW\0\0", 4) : tag == 0x00280030 ? "DS" : "US";
      tag == kPixels ? bytes.put<std::uint32_t>(8, std::uint32_t(value.size()))
                     : bytes.put<std::uint16_t>(6, std::uint16_t(value.size()));
    } else {
      bytes.put<std::uint32_t>(4, std::uint32_t(value.size()));
    }
    return bytes.data + value;
  };
  for (const bool big : {false, true}) {
    const auto number = [&](std::uint16_t value) {
      return big ? std::string{char(value >> 8), char(value)} : us(value);
    };
    std::string bytes = std::string(128, '\0') + "DICM" +
                        dicomElement(2, 0x10, "UI", big ? "1.2.840.10008.1.2.2" : "1.2.840.10008.1.2");
    for (const auto& [tag, value] : {std::pair{0x00280010u, 1}, {0x00280011u, 2}})
      bytes += element(tag, number(std::uint16_t(value)), big);
    bytes += element(0x00280030, "3\\2 ", big);
    for (const auto& [tag, value] : {std::pair{0x00280100u, 16}, {0x00280101u, 16}, {0x00280102u, 15}})
      bytes += element(tag, number(std::uint16_t(value)), big);
    bytes += element(kPixels, number(258) + number(5), big);
    const Layer layer = openBytes(bytes);
    EXPECT_EQ(seriesOf(layer).values, (std::vector<float>{258, 5}));
    EXPECT_EQ(gridOf(layer)->spacing().x, 2);
  }
}

TEST_F(DicomImage, GzippedFilesAreRead) {
  writeGzip(folder_ / "scan.dcm.gz", DicomFile().pixels({1, 2, 3, 4}).bytes());
  EXPECT_EQ(seriesOf(io::openVolume(folder_ / "scan.dcm.gz")).values, (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(DicomImage, NumbersOfFramesThatAreNoneAreRefused) {
  for (const char* frames : {"0", "-5", "1.5", "1e9", "x"})
    expectError([&] { valuesOf(DicomFile().set(kFrames, "IS", frames)); }, {"scan.dcm", "number"});
}

TEST_F(DicomImage, PixelsOfAnotherLengthAreRefused) {
  expectRefused(DicomFile().pixels({1, 2, 3}), "need 8");
  expectRefused(DicomFile().pixels(std::vector<std::uint16_t>(16)), "need 8");
  expectRefused(DicomFile().remove(kPixels), "no image");
  expectRefused(DicomFile().set(0x7fe00008, "OW", "12345678"), "floating-point");
  // A remainder of less than an image is not read, and a note is given.
  const Layer layer = openBytes(DicomFile().pixels({1, 2, 3, 4, 5}).bytes());
  EXPECT_EQ(seriesOf(layer).values, (std::vector<float>{1, 2, 3, 4}));
  EXPECT_NE(allNotes(layer).find("Warning: 2 bytes"), std::string::npos);
  // An odd number of bytes is padded, without a note.
  const Layer odd = openBytes(DicomFile().size(1, 3).bits(8, 8).set(kPixels, "OB", "abc").bytes());
  EXPECT_EQ(seriesOf(odd).values, (std::vector<float>{'a', 'b', 'c'}));
  EXPECT_EQ(allNotes(odd).find("Warning"), std::string::npos);
}

TEST_F(DicomImage, TypesThatContradictThemselvesAreRefused) {
  expectRefused(DicomFile().bits(16, 17), "do not fit");
  expectRefused(DicomFile().bits(16, 12).set(kHighBit, "US", us(7)), "do not fit");
  expectRefused(DicomFile().bits(16, 12).set(kHighBit, "US", us(16)), "do not fit");
  expectRefused(DicomFile().set(0x00280101, "US", us(0)), "do not fit");
  expectRefused(DicomFile().set(kSigned, "US", us(2)), "do not fit");
  expectRefused(DicomFile().bits(12, 12), "12 bits");
  expectRefused(DicomFile().bits(1, 1), "1 bits");
  expectRefused(DicomFile().bits(64, 64), "64 bits");
  expectRefused(DicomFile().size(0, 2), "no size");
  expectRefused(DicomFile().set(kSamples, "US", us(3)), "color");
  expectRefused(DicomFile().set(kColors, "CS", "PALETTE COLOR"), "color");
  expectRefused(DicomFile().set(0x00280010, "US", "four"), "wrong length");
}

TEST_F(DicomImage, SyntaxesThatAreNotReadAreRefused) {
  for (const char* syntax : {"1.2.840.10008.1.2.4.100", "1.2.840.10008.1.2.4.55", "1.2"})
    expectRefused(DicomFile().compressed(syntax, {"12"}), "not known");
  expectRefused(DicomFile().compressed("1.2.840.10008.1.2.1.99", {"12"}), "deflated");
  expectRefused(DicomFile().compressed("1.2.840.10008.1.2.1", {"12"}), "not stored as its transfer syntax");
  DicomFile plain = DicomFile().compressed("1.2.840.10008.1.2.4.90", {"12"});
  expectRefused(plain.pixels({1, 2, 3, 4}), "not stored as its transfer syntax");
}

/// Images decoded by sulcus-dicom, which builds without a window lack.
struct CodedDicomImage : DicomImage {
  void SetUp() override {
    if (!std::filesystem::exists(std::filesystem::canonical("/proc/self/exe").parent_path() / "sulcus-dicom"))
      GTEST_SKIP() << "sulcus-dicom is not built";
  }
};

TEST_F(CodedDicomImage, CompressedPicturesAreDecoded) {
  for (const CodeStream& stream : kCodeStreams) {
    const auto values = valuesOf(coded(stream));
    ASSERT_EQ(values.size(), 48u);
    for (int i = 0; i < 48; ++i) EXPECT_EQ(values[i], 3 * (i % 8) + 200 * (i / 8)) << stream.name << i;
  }
}

TEST_F(CodedDicomImage, CompressedFramesAreDecodedEach) {
  for (const CodeStream& stream : kCodeStreams) {
    DicomFile file = enhancedFile({0, 3, 6}).size(8, 6).bits(16, 12);
    // Two fragments could belong to either frame.
    const std::string half = stream.bytes.substr(0, 60), rest = stream.bytes.substr(60);
    expectRefused(file.compressed(stream.syntax, {half, rest, stream.bytes, stream.bytes}),
                  "fragments cannot be assigned");
    const auto values = valuesOf(file.compressed(stream.syntax, {stream.bytes, stream.bytes, stream.bytes}));
    ASSERT_EQ(values.size(), 144u);
    for (int i = 0; i < 144; ++i) EXPECT_EQ(values[i], 3 * (i % 8) + 200 * (i % 48 / 8)) << stream.name << i;
    EXPECT_EQ(valuesOf(coded(stream).compressed(stream.syntax, {half, rest})).size(), 48u) << stream.name;
  }
}

TEST_F(CodedDicomImage, CodeStreamsOfAnotherSizeAreRefused) {
  for (const CodeStream& stream : kCodeStreams)
    for (const unsigned size : {1u, 7u, 12u})
      for (const bool rows : {false, true}) {
        SCOPED_TRACE(stream.name + " " + std::to_string(size));
        DicomFile file = coded(stream);
        file.size(rows ? 8 : size, rows ? size : 6);
        expectError([&] { valuesOf(file); }, {"scan.dcm", "compressed image"});
      }
}

TEST_F(CodedDicomImage, CodeStreamsOfOtherNumbersAreRefused) {
  for (const CodeStream& stream : kCodeStreams) {
    SCOPED_TRACE(stream.name);
    expectRefused(coded(stream).bits(8, 8), "compressed image");
    for (const unsigned stored : {1u, 7u})
      expectRefused(coded(stream).bits(16, stored), "larger numbers than its header says");
    expectRefused(coded(stream).set(kHighBit, "US", us(15)), "last stored bit");
  }
}

TEST_F(CodedDicomImage, Jpeg2000OfAnotherSignIsReadAsTheHeaderSays) {
  const CodeStream& jpeg2000 = kCodeStreams[2];
  const Layer layer = openBytes(coded(jpeg2000).set(kSigned, "US", us(1)).bytes());
  EXPECT_EQ(seriesOf(layer).values[47], 3 * 7 + 200 * 5);
  EXPECT_NE(allNotes(layer).find("the header is taken"), std::string::npos) << allNotes(layer);
}

TEST_F(CodedDicomImage, CodeStreamsThatAreCutOrDamagedAreRefusedOrRead) {
  // Whatever the decoder does with a damaged stream, this program continues.
  for (const CodeStream& stream : kCodeStreams) {
    for (std::size_t size = 0; size < 40; size += 2)
      expectError([&] { valuesOf(coded(stream).compressed(stream.syntax, {stream.bytes.substr(0, size)})); },
                  {"scan.dcm"});
    for (std::size_t at = 0; at < stream.bytes.size(); at += 7) {
      DicomFile file = coded(stream);
      std::string damaged = stream.bytes;
      damaged[at] = char(damaged[at] ^ 0x55);
      try {
        EXPECT_EQ(valuesOf(file.compressed(stream.syntax, {damaged})).size(), 48u);
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("scan.dcm"), std::string::npos) << error.what();
      }
    }
  }
}

TEST_F(CodedDicomImage, EmptyPicturesOfAnySizeAreNotBelieved) {
  const CodeStream& rle = kCodeStreams[3];
  expectRefused(coded(rle).size(8000, 8000), "do not fit");
}

TEST(CodeStreamHeader, HoldsSizeAndTypeOrIsNone) {
  const Codec codecs[] = {Codec::jpeg, Codec::jpegLs, Codec::jpeg2000};
  for (int i = 0; i < 3; ++i) {
    const std::string& bytes = kCodeStreams[i].bytes;
    const auto header = readCodeStreamHeader(codecs[i], bytes);
    ASSERT_TRUE(header) << kCodeStreams[i].name;
    EXPECT_EQ(header->columns, 8u);
    EXPECT_EQ(header->rows, 6u);
    EXPECT_EQ(header->components, 1u);
    EXPECT_EQ(header->bits, 16);
    EXPECT_FALSE(header->isSigned);
    for (std::size_t size = 0; size < 12; ++size)
      EXPECT_FALSE(readCodeStreamHeader(codecs[i], bytes.substr(0, size)));
  }
  const std::string& rle = kCodeStreams[3].bytes;
  EXPECT_TRUE(rleSegmentsFit(rle, 2, 48));
  EXPECT_FALSE(rleSegmentsFit(rle, 1, 48));
  for (const int pixels : {0, 1, 47, 49, 96}) EXPECT_FALSE(rleSegmentsFit(rle, 2, pixels)) << pixels;
  for (std::size_t size = 0; size + 2 < rle.size(); ++size)
    EXPECT_FALSE(rleSegmentsFit(rle.substr(0, size), 2, 48)) << size;
}

}  // namespace
}  // namespace sulcus::io
