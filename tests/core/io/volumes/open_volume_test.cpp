#include "tests/core/io/io_test_support.h"

#include <sys/stat.h>
#include <unistd.h>

// Every kind of damaged file gets its own message.
namespace sulcus::io {
namespace {

using namespace test;

class OpenVolume : public testing::Test {
 protected:
  std::function<void()> opening(const std::string& name) {
    return [this, name] { io::openVolume(folder_ / name); };
  }
  std::function<void()> opening(const std::string& name, const std::string& bytes) {
    writeBytes(folder_ / name, bytes);
    return opening(name);
  }
  TemporaryFolder folder_;
};

TEST_F(OpenVolume, RefusesWhatIsNotAFile) {
  expectError(opening("missing.nii"), {"missing.nii", "does not exist"});
  std::filesystem::create_directory(folder_ / "folder.nii");
  expectError(opening("folder.nii"), {"folder.nii", "is a folder"});
  expectError(opening("empty.nii.gz", ""), {"empty.nii.gz", "0 bytes"});
  ASSERT_EQ(mkfifo((folder_ / "pipe.nii").c_str(), 0600), 0);
  expectError(opening("pipe.nii"), {"pipe.nii", "not a regular file"});
}

TEST_F(OpenVolume, RefusesAFileWithoutPermission) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  writeBytes(folder_ / "secret.nii", Nifti1().countingFile());
  chmod((folder_ / "secret.nii").c_str(), 0);
  expectError(opening("secret.nii"), {"Cannot read 'secret.nii'"});
}

TEST_F(OpenVolume, RefusesTextAndNoise) {
  expectError(opening("text.nii", "Dear reader, this is a letter.\n"),
              {"text.nii", "cannot be read by Sulcus"});
  expectError(opening("noise.nii", std::string(5000, '\xa5')), {"noise.nii", "cannot be read by Sulcus"});
  expectError(opening("text.dcm", std::string(200, 'x')), {"text.dcm", "cannot be read by Sulcus"});
  expectError(opening("lh.aparc.annot", std::string("\0\0\0\2", 4)),
              {"contains labels, not an image", "lh.white"});
  expectError(opening("text.mgz", std::string(400, 'x')), {"text.mgz", "cannot be read by Sulcus"});
}

TEST_F(OpenVolume, RefusesTruncatedScans) {
  const std::string whole = Nifti1().countingFile();
  expectError(opening("header.nii", whole.substr(0, 200)), {"header.nii", "cannot be read by Sulcus"});
  expectError(opening("cut.nii", whole.substr(0, 400)), {"cut.nii", "400 of 448 bytes"});
  writeGzip(folder_ / "short.nii.gz", whole.substr(0, 400));
  expectError(opening("short.nii.gz"), {"short.nii.gz", "ends too early"});
  writeGzip(folder_ / "whole.nii.gz", whole);
  const std::string gz = readBytes(folder_ / "whole.nii.gz");
  for (const int missing : {30, 8, 2, 1})  // the last eight bytes are checksum and size
    expectError(opening("cut.nii.gz", gz.substr(0, gz.size() - std::size_t(missing))),
                {"cut.nii.gz", "ends too early"});
  std::string wrong = gz;
  wrong[wrong.size() - 6] ^= 1;
  expectError(opening("wrong.nii.gz", wrong), {"wrong.nii.gz' is damaged (incorrect data check)"});
  writeGzip(folder_ / "longer.nii.gz", whole + "what damage has made longer");
  std::string longer = readBytes(folder_ / "longer.nii.gz");
  longer[longer.size() - 6] ^= 1;
  expectError(opening("longer.nii.gz", longer), {"longer.nii.gz' is damaged (incorrect data check)"});
}

TEST_F(OpenVolume, NoticesADamagedGzip) {
  Nifti1 n;
  n.dim = {3, 20, 20, 20};
  writeGzip(folder_ / "scan.nii.gz", n.countingFile());
  const std::string gz = readBytes(folder_ / "scan.nii.gz");
  std::string flipped = gz;
  flipped[gz.size() - 6] ^= 1;  // a byte of the checksum
  expectError(opening("flipped.nii.gz", flipped), {"flipped.nii.gz", "is damaged"});
}

TEST_F(OpenVolume, RefusesAbsurdSizesBeforeAllocating) {
  Nifti1 n;
  n.dim = {7, 32767, 32767, 32767, 32767, 1, 1, 1};
  expectError(opening("huge.nii", n.header().data), {"huge.nii"});
  n.dim = {3, 30000, 30000, 30000};
  expectError(opening("big.nii", n.header().data),
              {"big.nii", "shorter than its header says", "108000000000352"});
  writeGzip(folder_ / "big.nii.gz", n.header().data);
  expectError(opening("big.nii.gz"), {"big.nii.gz", "cannot be as large", "108 TB"});
  n.dim = {3, -4, 3, 4};
  expectError(opening("negative.nii", n.header().data), {"negative.nii", "-4 voxels along dimension 1"});
  n.dim = {3, 4, 0, 4};
  expectError(opening("zero.nii", n.header().data), {"zero.nii", "0 voxels along dimension 2"});
}

TEST_F(OpenVolume, StopsAGzipBombAtTheSizeItsHeaderAnnounces) {
  Nifti1 n;
  const gzFile out = gzopen((folder_ / "bomb.nii.gz").c_str(), "wb");
  const std::string header = n.countingFile(), zeros(1 << 20, '\0');
  gzwrite(out, header.data(), unsigned(header.size()));
  for (int i = 0; i < 64; ++i) gzwrite(out, zeros.data(), unsigned(zeros.size()));
  gzclose(out);
  EXPECT_EQ(seriesOf(io::openVolume(folder_ / "bomb.nii.gz")).values.size(), 24u);
}

TEST_F(OpenVolume, RefusesHeadersThatMakeNoSense) {
  Nifti1 n;
  const auto with = [&](auto change) {
    Nifti1 changed = n;
    change(changed);
    return opening("odd.nii", changed.countingFile());
  };
  expectError(with([](Nifti1& c) { c.datatype = 1792; }), {"odd.nii", "shorter than its header says"});
  expectError(with([](Nifti1& c) { c.datatype = 2048; }), {"odd.nii", "128-bit"});
  expectError(with([](Nifti1& c) {
                c.datatype = 128, c.dim = {4, 2, 2, 2, 2};
              }),
              {"odd.nii", "2 color images"});
  expectError(with([](Nifti1& c) { c.datatype = 1; }), {"odd.nii", "unknown type (1)"});
  expectError(with([](Nifti1& c) { c.voxOffset = -8; }), {"odd.nii", "start at byte"});
  expectError(with([](Nifti1& c) { c.voxOffset = 1e30f; }), {"odd.nii", "start at byte"});
  expectError(with([](Nifti1& c) { c.voxOffset = std::nanf(""); }), {"odd.nii", "start at byte"});
  expectError(with([](Nifti1& c) { c.voxOffset = 400; }), {"odd.nii", "shorter than its header says"});
  expectError(with([](Nifti1& c) { c.pixdim[1] = std::nanf(""); }), {"odd.nii", "no voxel size"});
  expectError(with([](Nifti1& c) { c.pixdim[2] = 1e30f; }), {"odd.nii", "no usable voxel size"});
  expectError(with([](Nifti1& c) {
                c.dim = {3, 2, 3, 4}, c.pixdim[1] = INFINITY;
              }),
              {"odd.nii", "no voxel size"});
}

TEST_F(OpenVolume, IgnoresAnOrientationOfNans) {
  Nifti1 n;
  n.sformCode = n.qformCode = 1;
  n.sform[0][0] = n.quaternion[0] = std::nanf("");
  writeBytes(folder_ / "nan.nii", n.countingFile());
  const Layer layer = io::openVolume(folder_ / "nan.nii");
  EXPECT_NE(allNotes(layer).find("Left and right are an assumption"), std::string::npos) << allNotes(layer);
}

TEST_F(OpenVolume, TakesAScanOfNansAsItIs) {
  Nifti1 n;
  n.dim = {3, 2, 1, 1};
  writeBytes(folder_ / "nan.nii", n.file(std::vector<float>{std::nanf(""), INFINITY}));
  const Layer layer = io::openVolume(folder_ / "nan.nii");
  EXPECT_TRUE(std::isnan(seriesOf(layer).values[0]));
}

TEST_F(OpenVolume, RefusesBrokenNrrdAndMetaImage) {
  expectError(opening("a.nrrd", "NRRD0004\ntype: float\ndimension: 3\nsizes: 2 2 2\nencoding: raw\n\nxx"),
              {"a.nrrd"});
  expectError(opening("b.nrrd", "NRRD0004\ngarbage\n\n"), {"b.nrrd", "'garbage' is not a field"});
  expectError(
      opening("c.nrrd", "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 20000 20000 20000\nencoding: raw\n\nxx"),
      {"c.nrrd", "shorter than its header says"});
  expectError(
      opening("d.mha", "NDims = 3\nDimSize = 2 2 2\nElementType = MET_FLOAT\nElementDataFile = LOCAL\nxx"),
      {"d.mha"});
  expectError(
      opening("e.mha",
              "NDims = 3\nDimSize = 20000 20000 20000\nElementType = MET_FLOAT\nElementDataFile = LOCAL\nxx"),
      {"e.mha"});
  const std::string meta = "NDims = 3\nDimSize = 2 2 2\nElementType = MET_FLOAT\nElementDataFile = ";
  expectError(opening("f.mhd", meta + "none.raw\n"), {"none.raw", "does not exist"});
  expectError(opening("h.mha", "NDims = 4777777\nDimSize = 2 2 2\nElementDataFile = LOCAL\n"),
              {"h.mha", "'4777777'"});
  expectError(opening("i.mha", "NDims = 3\nDimSize = 2 -2 2\nElementDataFile = LOCAL\n"),
              {"i.mha", "2 -2 2"});
  expectError(opening("g.mhd", meta + "../../etc/passwd\n"), {"g.mhd", "one file next to it"});
}

TEST_F(OpenVolume, SaysHowTheNumbersAreStored) {
  Nifti1 n;
  n.datatype = 4;
  writeBytes(folder_ / "short.nii", n.file(std::vector<std::int16_t>(24, 7)));
  EXPECT_NE(allNotes(io::openVolume(folder_ / "short.nii")).find("Stored as int16."), std::string::npos);
  writeBytes(folder_ / "float.nii", Nifti1().countingFile());
  EXPECT_NE(allNotes(io::openVolume(folder_ / "float.nii")).find("Stored as float32."), std::string::npos);
}

TEST_F(OpenVolume, OpensAScanWhoseGradientsDoNotFitAndSaysSo) {
  Nifti1 n;
  n.dim = {4, 2, 2, 2, 3};
  writeBytes(folder_ / "dwi.nii", n.countingFile());
  writeBytes(folder_ / "dwi.bval", "0 1000\n");
  writeBytes(folder_ / "dwi.bvec", "0 0\n0 1\n0 0\n");
  Layer layer = io::openVolume(folder_ / "dwi.nii");
  EXPECT_EQ(kindOf(layer), "series");
  EXPECT_NE(allNotes(layer).find("gradients cannot be used: 'dwi.bval' has 2 b-values"), std::string::npos)
      << allNotes(layer);
  EXPECT_NE(std::get<VolumeLayer>(layer.content).gradients.source.find("3 volumes"), std::string::npos);

  writeBytes(folder_ / "right.b", "0 0 0 0\n1 0 0 1000\n0 1 0 1000\n");
  replaceGradients(layer, readMrtrixGradients(folder_ / "right.b", 3));
  EXPECT_EQ(kindOf(layer), "diffusion series");
  EXPECT_EQ(allNotes(layer).find("gradients cannot be used"), std::string::npos);
  EXPECT_NE(allNotes(layer).find("Gradients from right.b"), std::string::npos);
}

TEST_F(OpenVolume, OpensAnNrrdWhoseGradientsAreBroken) {
  std::string nrrd =
      "NRRD0005\ntype: short\ndimension: 4\nspace: left-posterior-superior\nsizes: 3 2 2 1\n"
      "space directions: none (2,0,0) (0,2,0) (0,0,3)\nkinds: list space space space\nendian: "
      "little\nencoding: raw\nspace origin: (0,0,0)\nDWMRI_b-value:=2000\nDWMRI_gradient_0000:=0 0 0\n\n";
  writeBytes(folder_ / "dwi.nrrd", nrrd + std::string(24, '\0'));
  const Layer layer = io::openVolume(folder_ / "dwi.nrrd");
  EXPECT_EQ(kindOf(layer), "series");
  EXPECT_NE(allNotes(layer).find("DWMRI_gradient_0001"), std::string::npos) << allNotes(layer);
}

TEST_F(OpenVolume, ReadsTheGradientsOfAnNrrdHeader) {
  std::string nrrd =
      "NRRD0005\ntype: short\ndimension: 4\nspace: left-posterior-superior\nsizes: 3 2 2 1\n"
      "space directions: none (2,0,0) (0,2,0) (0,0,3)\nkinds: list space space space\nendian: "
      "little\nencoding: raw\n"
      "space origin: (10,20,30)\nmeasurement frame: (0,1,0) (1,0,0) (0,0,1)\nmodality:=DWMRI\n"
      "DWMRI_b-value:=2000\nDWMRI_gradient_0000:=0 0 0\nDWMRI_gradient_0001:=1 0 0\n"
      "DWMRI_gradient_0002:=0 0 0.70710678118\n\n";
  for (short i = 0; i < 12; ++i) nrrd += std::string(reinterpret_cast<const char*>(&i), 2);
  writeBytes(folder_ / "dwi.nrrd", nrrd);
  const Layer layer = io::openVolume(folder_ / "dwi.nrrd");
  const auto& volume = std::get<VolumeLayer>(layer.content);
  ASSERT_EQ(volume.gradients.rows.size(), 3u);
  EXPECT_EQ(volume.series->volume(1)(1, 0, 0), 4) << "the components of a voxel lie together";
  const double affine[3][4] = {{-2, 0, 0, -10}, {0, -2, 0, -20}, {0, 0, 3, 30}};
  expectAffine(volume.series->grid.worldFromVoxel, affine, 1e-12);
  // The frame turns x into the second axis of the file, posterior, which is (0, −1, 0) in RAS.
  EXPECT_NEAR(norm(volume.gradients.rows[1].directionWorld - Vec3<double>{0, -1, 0}), 0, 1e-12);
  EXPECT_NEAR(volume.gradients.rows[1].b, 2000, 1e-9);
  EXPECT_NEAR(volume.gradients.rows[2].b, 1000, 1e-6) << "b goes with the square of the length";
}

TEST_F(OpenVolume, HandsOverTheFirstVolumeOfALargeSeriesBeforeTheOthersAreRead) {
  const std::size_t each = 128 * 128 * 16, count = 70;
  std::string numbers(each * count, '\0');
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = char(i % 101);
  Nifti1 nifti;
  nifti.dim = {4, 128, 128, 16, int(count)};
  nifti.datatype = 2;
  writeBytes(folder_ / "s.nii", nifti.header().data + numbers);
  writeBytes(folder_ / "s.nrrd",
             "NRRD0005\ntype: uint8\ndimension: 4\nsizes: 128 128 16 70\nspace: right-anterior-superior\n"
             "space directions: (1,0,0) (0,1,0) (0,0,1) none\nencoding: raw\n\n" +
                 numbers);
  std::string mif =
      "mrtrix image\ndim: 128,128,16,70\nvox: 1,1,1,1\nlayout: -0,-1,+2,+3\ndatatype: UInt8\n"
      "transform: 1,0,0,0\ntransform: 0,1,0,0\ntransform: 0,0,1,0\nfile: . 256\nEND\n";
  mif.resize(256, '\0');
  writeBytes(folder_ / "s.mif", mif + numbers);
  for (const char* name : {"s.nii", "s.nrrd", "s.mif"}) {
    std::vector<Layer> early;
    const auto layers = openLayers(folder_ / name, {}, UnlabeledData::judged,
                                   [&](Layer layer) { early.push_back(std::move(layer)); });
    ASSERT_EQ(early.size(), 1u) << name;
    const auto& whole = *std::get<VolumeLayer>(layers.front().content).series;
    const auto& first = *std::get<VolumeLayer>(early.front().content).series;
    EXPECT_EQ(whole.count, int(count));
    EXPECT_EQ(first.count, 1);
    EXPECT_TRUE(sameGrid(first.grid, whole.grid)) << name;
    EXPECT_TRUE(std::equal(first.values.begin(), first.values.end(), whole.values.begin())) << name;
    EXPECT_EQ(early.front().name, layers.front().name);
  }
}

}  // namespace
}  // namespace sulcus::io
