#include "core/io/other_formats.h"

#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;

TEST(OtherFormats, AreNamedWithTheProgramThatTurnsThem) {
  TemporaryFolder folder;
  const std::string zeros(700, '\0'), numbers("\1\0\2\0\3\0", 6);
  struct Case {
    const char* name;
    std::string bytes;
    std::vector<std::string> words;
  };
  const std::string tar = std::string(257, 'x') + "ustar" + zeros;
  for (const Case& one :
       {Case{"a+orig.HEAD", "\ntype = integer-attribute\n", {"AFNI", "3dAFNItoNIFTI"}},
        {"a+orig.BRIK", numbers + zeros, {"AFNI", "3dAFNItoNIFTI"}},
        {"a.mnc", "CDF\1" + zeros, {"MINC", "mnc2nii"}},
        {"a.PAR", "# === DATA DESCRIPTION FILE ====\n", {"PAR/REC", "dcm2niix"}},
        {"a.REC", numbers + zeros, {"PAR/REC", "dcm2niix"}},
        {"lh.V1.label", "#!ascii label  , from subject\n1\n", {"label", "mris_label2annot"}},
        {"lh.thickness", "\xff\xff\xff" + zeros, {"values of FreeSurfer", "lh.white"}},
        {"scans.zip", "PK\3\4" + zeros, {"ZIP", "unpack it"}},
        {"s.tar", tar, {"TAR", "unpack it"}},
        {"s.nii.xz",
         "\xfd"
         "7zXZ" +
             zeros,
         {"xz", "unxz"}},
        {"s.png", "\x89PNG" + zeros, {"picture"}}}) {
    SCOPED_TRACE(one.name);
    writeBytes(folder / one.name, one.bytes);
    std::vector<std::string> words = one.words;
    words.push_back(std::string("'") + one.name + "'");
    expectError([&] { openLayers(folder / one.name, {}); }, words);
  }
  // A file that begins like a scan is one, whatever its name.
  writeBytes(folder / "a.REC", Nifti1().countingFile());
  EXPECT_EQ(openLayers(folder / "a.REC", {}).size(), 1u);
  writeBytes(folder / "motion.par", "0 0 0 0.1 0 0\n0 0 0 0.2 0 0\n");  // of FSL's mcflirt
  EXPECT_EQ(openLayers(folder / "motion.par", {}).size(), 1u);
}

}  // namespace
}  // namespace sulcus::io
