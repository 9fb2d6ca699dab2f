#include "core/io/dicom/dicom_elements.h"

#include "tests/core/io/dicom/dicom_bytes.h"
#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;

class DicomElements : public testing::Test {
 protected:
  DicomSet read(const std::string& bytes) {
    writeBytes(folder_ / "scan.dcm", bytes);
    ByteSource source(folder_ / "scan.dcm");
    return readDicomHeader(source, folder_ / "scan.dcm").set;
  }
  void expectRefused(const std::string& bytes, const std::string& words) {
    expectError([&] { read(bytes); }, {"scan.dcm", "cannot be read as DICOM", words});
  }
  TemporaryFolder folder_;
};

/// A sequence or an item that ends with its delimiter.
std::string open(const std::string& start, const std::string& content, unsigned end) {
  return start + "\xff\xff\xff\xff" + content + us(0xfffe) + us(end) + std::string(4, '\0');
}
std::string openItem(const std::string& content) { return open(us(0xfffe) + us(0xe000), content, 0xe00d); }
std::string openSequence(unsigned group, unsigned element, const std::string& type,
                         const std::string& content) {
  return open(us(group) + us(element) + type + std::string(2, '\0'), content, 0xe0dd);
}

/// A file that contains these bytes, which are elements of group 0009.
std::string with(const std::string& elements) {
  std::string bytes = DicomFile().bytes();
  return bytes.insert(bytes.find(dicomElement(0x18, 0x50, "DS", "3")), elements);
}

TEST_F(DicomElements, HoldWhatIsAskedFor) {
  const DicomSet set =
      read(DicomFile().set(0x0008103e, "LO", "ep2d ").set(0x00080070, "LO", "SIEMENS").bytes());
  EXPECT_EQ(set.text(0x0008103e), "ep2d");
  EXPECT_EQ(set.numbers(0x00200037), (std::vector<double>{1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(set.number(0x00280010), 2);
  EXPECT_EQ(set.number(0x00180080), std::nullopt);
  EXPECT_TRUE(set.items(0x52009230).empty());
  EXPECT_EQ(set.text(0x00080070), "");  // an element that is not kept
}

TEST_F(DicomElements, SequencesAreReadHoweverTheyEnd) {
  const std::string spacing = dicomElement(0x28, 0x30, "DS", "2\\3");
  DicomFile file = enhancedFile({0, 3});
  const std::string measures = openSequence(0x28, 0x9110, "SQ", openItem(spacing));
  file.set(0x52009229, "SQ", openItem(measures));
  const auto groups = read(file.bytes()).items(0x52009229);
  ASSERT_EQ(groups.size(), 1u);
  ASSERT_EQ(groups[0].items(0x00289110).size(), 1u);
  EXPECT_EQ(groups[0].items(0x00289110)[0].numbers(0x00280030), (std::vector<double>{2, 3}));
  // Sequences that are not kept are skipped item by item; the items of type UN are implicit.
  const std::string implicit = us(9) + us(0x1002) + littleEndian(std::uint32_t(2)) + "ab";
  EXPECT_EQ(read(with(openSequence(9, 0x1001, "SQ", openItem(dicomElement(9, 0x1002, "LO", "ab"))) +
                      openSequence(9, 0x1003, "UN", openItem(implicit))))
                .number(0x00280010),
            2);
}

TEST_F(DicomElements, DamageIsRefused) {
  const std::string whole = DicomFile().bytes();
  for (std::size_t size = 1; size < whole.size() - 20; size += 3)
    expectError([&] { read(whole.substr(0, size)); }, {"scan.dcm"});
  const std::string item = openItem(dicomElement(9, 0x1002, "LO", "ab"));
  expectRefused(with(us(9) + us(0x1001) + "ZZ" + us(0)), "unknown value representation");
  expectRefused(with(dicomElement(9, 0x1002, "LO", "ab") + dicomElement(9, 0x1001, "LO", "ab")),
                "out of order");
  expectRefused(with(us(9) + us(0x1001) + "UN" + us(0) + littleEndian(0x7fffffff)), "longer than the file");
  expectRefused(with(openSequence(9, 0x1001, "SQ", dicomElement(9, 0x1002, "LO", "ab"))),
                "sequence is damaged");
  expectRefused(with(us(9) + us(0x1001) + "SQ" + us(0) + "\xff\xff\xff\xff" + item), "sequence");
  std::string deep;
  for (int depth = 0; depth < 20; ++depth) deep = openSequence(9, 0x1001, "SQ", openItem(deep));
  expectRefused(with(deep), "nested too deeply");
  // A sequence that is kept contains an item longer than the sequence.
  expectRefused(DicomFile()
                    .set(0x52009229, "SQ", us(0xfffe) + us(0xe000) + littleEndian(std::uint32_t(10)) + "ab")
                    .bytes(),
                "longer than its sequence");
}

TEST_F(DicomElements, OtherFilesAreRefused) {
  expectRefused(DicomFile().remove(0x7fe00010).bytes(), "no image");
  expectRefused(DicomFile().bytes().replace(128, 4, "DICE"), "does not start as DICOM does");
}

}  // namespace
}  // namespace sulcus::io
