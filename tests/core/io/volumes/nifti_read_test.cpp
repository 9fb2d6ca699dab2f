#include "tests/core/io/io_test_support.h"

#include <limits>
#include <stop_token>

namespace sulcus::io {
namespace {

using namespace test;

class NiftiRead : public testing::Test {
 protected:
  Layer open(const std::string& bytes, const std::string& name = "scan.nii") {
    writeBytes(folder_ / name, bytes);
    return io::openVolume(folder_ / name);
  }
  TemporaryFolder folder_;
};

// The affines were computed by nibabel 5.4 from the same header fields.
TEST_F(NiftiRead, TakesTheQformAsNibabelDoes) {
  Nifti1 n;
  n.pixdim = {-1, 1.5f, 2.25f, 3.5f, 0, 0, 0, 0};
  n.qformCode = 1;
  n.quaternion[0] = 0.1f, n.quaternion[1] = -0.35f, n.quaternion[2] = 0.2f;
  n.offset[0] = -12.5f, n.offset[1] = 30.25f, n.offset[2] = 7;
  const double leftHanded[3][4] = {{1.012500009, -0.976203256, 2.088692123, -12.5},
                                   {0.440802171, 2.024999993, 1.126769198, 30.25},
                                   {1.01515377, 0.094351629, -2.572500027, 7}};
  Layer layer = open(n.countingFile());
  expectAffine(gridOf(layer)->worldFromVoxel, leftHanded, 1e-6);
  EXPECT_NE(allNotes(layer).find("qform (code 1, scanner)"), std::string::npos) << allNotes(layer);
  EXPECT_NE(allNotes(layer).find("left-handed"), std::string::npos);

  n.pixdim[0] = 0;  // 0 is read as 1
  const double rightHanded[3][4] = {{1.012500009, -0.976203256, -2.088692123, -12.5},
                                    {0.440802171, 2.024999993, -1.126769198, 30.25},
                                    {1.01515377, 0.094351629, 2.572500027, 7}};
  expectAffine(gridOf(open(n.countingFile()))->worldFromVoxel, rightHanded, 1e-6);

  n.quaternion[0] = 0.6f, n.quaternion[1] = 0.64f, n.quaternion[2] = 0.48f;  // a rotation by 180°, with a = 0
  const double halfTurn[3][4] = {{-0.419999914, 1.72800003, 2.016000035, -12.5},
                                 {1.15200002, -0.406800082, 2.150399904, 30.25},
                                 {0.864000015, 1.382399938, -1.887200072, 7}};
  expectAffine(gridOf(open(n.countingFile()))->worldFromVoxel, halfTurn, 1e-6);
}

TEST_F(NiftiRead, PrefersTheSformKeepsItsShearAndReportsTheDisagreement) {
  Nifti1 n;
  n.qformCode = 1, n.sformCode = 4;
  const float sheared[3][4] = {{-2, 0.5f, 0, 90}, {0, 2, 0.25f, -126}, {0, 0, 3, -72}};
  std::memcpy(n.sform, sheared, sizeof sheared);
  const Layer layer = open(n.countingFile());
  const double expected[3][4] = {{-2, 0.5, 0, 90}, {0, 2, 0.25, -126}, {0, 0, 3, -72}};
  expectAffine(gridOf(layer)->worldFromVoxel, expected, 0);
  const std::string notes = allNotes(layer);
  for (const char* part : {"sform (code 4, MNI)", "qform (code 1, scanner) disagrees", "sheared", "LAS"})
    EXPECT_NE(notes.find(part), std::string::npos) << part << " is not in\n" << notes;
}

TEST_F(NiftiRead, FallsBackToTheSpacingAloneAndSaysSo) {
  Nifti1 n;
  n.pixdim = {1, 4, 4, 6, 3, 0, 0, 0};
  const Layer layer = open(n.countingFile());
  const Vec3<int> size = gridOf(layer)->size;
  const double expected[3][4] = {{-4, 0, 0, 2. * (size.x - 1)},  // the base affine of nibabel
                                 {0, 4, 0, -2. * (size.y - 1)},
                                 {0, 0, 6, -3. * (size.z - 1)}};
  expectAffine(gridOf(layer)->worldFromVoxel, expected, 0);
  EXPECT_NE(allNotes(layer).find("Left and right are an assumption"), std::string::npos);
}

TEST_F(NiftiRead, FallsBackToTheQformIfTheSformIsSingular) {
  Nifti1 n;
  n.qformCode = 1, n.sformCode = 1;
  std::memset(n.sform, 0, sizeof n.sform);
  const Layer layer = open(n.countingFile());
  const double expected[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  expectAffine(gridOf(layer)->worldFromVoxel, expected, 1e-12);
  EXPECT_NE(allNotes(layer).find("sform cannot be used"), std::string::npos);
}

TEST_F(NiftiRead, ReadsEveryNumberType) {
  Nifti1 n;
  n.dim = {3, 2, 1, 1};
  const auto expectPair = [&](int datatype, auto low, auto high) {
    for (const bool swapped : {false, true}) {
      n.datatype = datatype, n.swapped = swapped;
      const Layer layer = open(n.file(std::vector{low, high}));
      EXPECT_EQ(seriesOf(layer).values, (std::vector<float>{float(low), float(high)}))
          << "datatype " << datatype;
    }
  };
  expectPair(2, std::uint8_t{3}, std::uint8_t{255});
  expectPair(4, std::int16_t{-32768}, std::int16_t{32767});
  expectPair(8, std::int32_t{-2147483647}, std::int32_t{7});
  expectPair(16, -1.5f, 3e38f);
  expectPair(64, -1.5, 2.25);
  expectPair(256, std::int8_t{-128}, std::int8_t{127});
  expectPair(512, std::uint16_t{1}, std::uint16_t{65535});
  expectPair(768, std::uint32_t{1}, std::uint32_t{4294967295u});
  expectPair(1024, std::int64_t{-5}, std::int64_t{1} << 40);
  expectPair(1280, std::uint64_t{5}, std::uint64_t{1} << 63);
}

TEST_F(NiftiRead, DoublesBeyondFloatBecomeInfinite) {
  Nifti1 n;
  n.dim = {3, 2, 1, 1}, n.datatype = 64;
  const Layer layer = open(n.file(std::vector<double>{1e300, -1e300}));
  EXPECT_EQ(seriesOf(layer).values[0], std::numeric_limits<float>::infinity());
  EXPECT_EQ(seriesOf(layer).values[1], -std::numeric_limits<float>::infinity());
}

TEST_F(NiftiRead, AppliesSlopeAndInterceptByTheRules) {
  Nifti1 n;
  n.dim = {3, 2, 1, 1}, n.datatype = 4;
  const std::vector<std::int16_t> raw{10, -20};
  const auto with = [&](float slope, float intercept) {
    n.slope = slope, n.intercept = intercept;
    return seriesOf(open(n.file(raw))).values;
  };
  const float nan = std::nanf("");
  EXPECT_EQ(with(0.5f, 3), (std::vector<float>{8, -7}));
  EXPECT_EQ(with(0, 3), (std::vector<float>{10, -20}));
  EXPECT_EQ(with(nan, 3), (std::vector<float>{10, -20}));
  EXPECT_EQ(with(2, nan), (std::vector<float>{20, -40}));
}

TEST_F(NiftiRead, AnInfiniteScalingIsNotAppliedAndReported) {
  Nifti1 n;
  n.dim = {3, 2, 1, 1}, n.datatype = 4;
  n.slope = std::numeric_limits<float>::infinity();
  const Layer layer = open(n.file(std::vector<std::int16_t>{10, -20}));
  EXPECT_EQ(seriesOf(layer).values, (std::vector<float>{10, -20}));
  EXPECT_NE(allNotes(layer).find("Warning: the header scales by a number that is infinite"),
            std::string::npos);
}

TEST_F(NiftiRead, RoundedNumbersAreReported) {
  Nifti1 n;
  n.dim = {3, 2, 1, 1}, n.datatype = 8;
  const auto note = [&](std::int32_t value) {
    return allNotes(open(n.file(std::vector<std::int32_t>{1, value}))).find("Warning: some whole numbers");
  };
  EXPECT_EQ(note(1 << 24), std::string::npos);
  EXPECT_NE(note((1 << 24) + 1), std::string::npos);
  n.intent = 1002;  // labels are kept exactly
  EXPECT_EQ(note((1 << 24) + 1), std::string::npos);
  n.datatype = 1024;  // int64
  const Layer labels = open(n.file(std::vector<std::int64_t>{1, 3'000'000'000}));
  EXPECT_EQ(allNotes(labels).find("Warning: some labels"), std::string::npos) << "within 64 bits";
}

TEST_F(NiftiRead, ScaledNumbersAreNotLabels) {
  Nifti1 n;
  n.dim = {3, 2, 1, 1}, n.datatype = 4, n.intent = 1002;
  const std::vector<std::int16_t> raw{10, 20};
  EXPECT_EQ(kindOf(open(n.file(raw))), "labels");
  n.slope = 3e38f;
  EXPECT_EQ(kindOf(open(n.file(raw))), "volume");
}

TEST_F(NiftiRead, HonoursUnitsOfSpaceAndTime) {
  Nifti1 n;
  n.dim = {4, 2, 2, 2, 5};
  n.pixdim = {1, 2000, 2000, 3000, 2500, 0, 0, 0};
  n.units = 3 | 16;  // µm, ms
  const Layer layer = open(n.countingFile());
  EXPECT_NEAR(gridOf(layer)->spacing().z, 3, 1e-9);
  EXPECT_NEAR(std::get<VolumeLayer>(layer.content).secondsPerVolume, 2.5, 1e-9);
  n.units = 1 | 8, n.pixdim = {1, 0.002f, 0.002f, 0.003f, 2.5f, 0, 0, 0};  // m, s
  EXPECT_NEAR(gridOf(open(n.countingFile()))->spacing().z, 3, 1e-6);
}

TEST_F(NiftiRead, OrdersVolumesAndVoxelsAsStored) {
  Nifti1 n;
  n.dim = {4, 2, 3, 4, 5};
  const Layer layer = open(n.countingFile());
  ASSERT_EQ(seriesOf(layer).count, 5);
  EXPECT_EQ(seriesOf(layer).volume(4)(1, 2, 3), 1 + 2 * (2 + 3 * (3 + 4 * 4.f)));
  EXPECT_EQ(kindOf(layer), "series");
}

TEST_F(NiftiRead, ReadsTwoDimensions) {
  Nifti1 n;
  n.dim = {2, 7, 5, 0, 0};
  const Layer layer = open(n.countingFile());
  EXPECT_EQ(gridOf(layer)->size, (Vec3<int>{7, 5, 1}));
}

TEST_F(NiftiRead, ReadsGzipByContentNotByName) {
  Nifti1 n;
  writeGzip(folder_ / "scan.nii", n.countingFile());
  EXPECT_EQ(seriesOf(io::openVolume(folder_ / "scan.nii")).values[23], 23);
  writeBytes(folder_ / "plain.nii.gz", n.countingFile());
  EXPECT_EQ(seriesOf(io::openVolume(folder_ / "plain.nii.gz")).values[23], 23);
}

TEST_F(NiftiRead, ReadsPairsFromEitherFile) {
  Nifti1 n;
  n.magic = "ni1", n.voxOffset = 0, n.sformCode = 1;
  const std::string all = n.countingFile();
  writeBytes(folder_ / "pair.hdr", all.substr(0, 348));
  writeBytes(folder_ / "pair.img", all.substr(352));
  for (const char* name : {"pair.hdr", "pair.img"})
    EXPECT_EQ(seriesOf(io::openVolume(folder_ / name)).values[23], 23) << name;
  std::filesystem::remove(folder_ / "pair.hdr");
  expectError([&] { io::openVolume(folder_ / "pair.img"); }, {"no header next to 'pair.img'", "pair.hdr"});
}

TEST_F(NiftiRead, ReadsAnalyzeWithTheOriginOfItsHeader) {
  Nifti1 n;
  n.magic = "\0\0\0", n.pixdim = {0, 2, 3, 4, 0, 0, 0, 0}, n.datatype = 4, n.voxOffset = 0;
  Bytes b = n.header();
  b.data.resize(348);
  writeBytes(folder_ / "old.hdr", b.data);
  writeBytes(folder_ / "old.img", std::string(2 * 3 * 4 * 2, '\1'));
  // In nibabel the grid is centered, with x to the left.
  const double centered[3][4] = {{-2, 0, 0, 1}, {0, 3, 0, -3}, {0, 0, 4, -6}};
  const Layer layer = io::openVolume(folder_ / "old.img");
  expectAffine(gridOf(layer)->worldFromVoxel, centered, 0);
  EXPECT_EQ(seriesOf(layer).values[0], 257);
  b.put<std::int16_t>(253, 2), b.put<std::int16_t>(255, 1), b.put<std::int16_t>(257, 4);
  writeBytes(folder_ / "old.hdr", b.data);
  const double withOrigin[3][4] = {{-2, 0, 0, 2}, {0, 3, 0, 0}, {0, 0, 4, -12}};
  expectAffine(gridOf(io::openVolume(folder_ / "old.img"))->worldFromVoxel, withOrigin, 0);
}

TEST_F(NiftiRead, TurnsDisplacementsOfBothIntentsIntoRas) {
  Nifti1 n;
  n.dim = {5, 2, 1, 1, 1, 3};
  for (const auto& [intent, sign] : {std::pair{1007, -1.f}, std::pair{1006, 1.f}}) {
    n.intent = intent;
    const Layer layer = open(n.countingFile());
    const auto& field = std::get<DisplacementLayer>(layer.content);
    const auto& u = *field.displacement;
    EXPECT_EQ(field.convention, intent == 1007 ? FieldConvention::itk : FieldConvention::slicer);
    EXPECT_EQ(u.values, (std::vector<float>{sign * 0, sign * 1, sign * 2, sign * 3, 4, 5})) << intent;
  }
}

TEST_F(NiftiRead, TakesFiveDimensionsAsVolumes) {
  Nifti1 n;
  n.dim = {5, 2, 1, 1, 1, 3};  // statistics of AFNI
  const Layer bucket = open(n.countingFile());
  const auto& statistics = std::get<VolumeLayer>(bucket.content);
  EXPECT_EQ(statistics.series->count, 3);
  EXPECT_EQ(statistics.series->values, (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(statistics.secondsPerVolume, 0);
  n.dim = {5, 2, 1, 1, 2, 3}, n.pixdim = {1, 1, 1, 1, 2, 1, 0, 0};  // echoes
  const Layer echoes = open(n.countingFile());
  EXPECT_EQ(std::get<VolumeLayer>(echoes.content).series->count, 6);
  EXPECT_EQ(std::get<VolumeLayer>(echoes.content).secondsPerVolume, 0);
  EXPECT_NE(echoes.notes.back().text.line().find("3 series of 2 volumes"), std::string::npos)
      << echoes.notes.back();
  n.dim = {6, 2, 1, 1, 1, 3, 2};
  expectError([&] { open(n.countingFile()); }, {"scan.nii", "6 dimensions", "2 × 1 × 1 × 1 × 3 × 2"});
  n.dim = {5, 2, 1, 1, 1, 3}, n.intent = 3006;
  expectError([&] { open(n.countingFile()); }, {"scan.nii", "CIFTI", "wb_command"});
}

TEST_F(NiftiRead, TakesTheStatisticOfAMapAsItsUnit) {
  Nifti1 n;
  n.dim = {3, 2, 1, 1}, n.datatype = 16;
  const std::vector<float> values{-2.5F, 3};
  EXPECT_EQ(open(n.file(values)).unit, "");
  n.intent = 5;
  EXPECT_EQ(open(n.file(values)).unit, "z");
}

TEST_F(NiftiRead, ReadsColors) {
  Nifti1 n;
  n.dim = {3, 2, 1, 1}, n.datatype = 128;
  const Layer rgb = open(n.file(std::vector<std::uint8_t>{255, 128, 0, 1, 2, 3}));
  EXPECT_TRUE(std::get<VolumeLayer>(rgb.content).colors);
  EXPECT_EQ(seriesOf(rgb).values, (std::vector<float>{255, 1, 128, 2, 0, 3}));
  EXPECT_EQ(kindOf(rgb), "color image");
  n.datatype = 2304;
  const Layer rgba = open(n.file(std::vector<std::uint8_t>{255, 128, 0, 9, 1, 2, 3, 8}));
  EXPECT_EQ(seriesOf(rgba).count, 4);
  EXPECT_EQ(seriesOf(rgba).at(1, 3), 8);
  n.dim = {5, 2, 1, 1, 1, 3}, n.datatype = 2, n.intent = 2003;
  const Layer vector = open(n.file(std::vector<std::uint8_t>{255, 1, 128, 2, 0, 3}));
  EXPECT_TRUE(std::get<VolumeLayer>(vector.content).colors);
  EXPECT_EQ(seriesOf(vector).values, seriesOf(rgb).values);
  io::saveLayer(rgba, folder_ / "saved.nii.gz", true);
  const Layer again = io::openVolume(folder_ / "saved.nii.gz");
  EXPECT_TRUE(std::get<VolumeLayer>(again.content).colors) << "also when saved";
  EXPECT_EQ(seriesOf(again).values, seriesOf(rgba).values);
}

TEST_F(NiftiRead, ReadsComplexNumbersAsMagnitudeAndPhase) {
  Nifti1 n;
  n.dim = {4, 1, 1, 1, 2}, n.datatype = 1792;
  for (const bool swapped : {false, true}) {
    n.swapped = swapped;
    writeBytes(folder_ / "complex.nii", n.file(std::vector<double>{3, 4, 0, -2}));
    const auto layers = io::openVolumes(folder_ / "complex.nii");
    ASSERT_EQ(layers.size(), 2u);
    EXPECT_EQ(seriesOf(layers[0]).values, (std::vector<float>{5, 2}));
    EXPECT_EQ(seriesOf(layers[1]).count, 2);
    EXPECT_FLOAT_EQ(seriesOf(layers[1]).values[1], -std::acos(0.F));
    EXPECT_EQ(layers[1].source, "");
  }
}

TEST_F(NiftiRead, ReadsTheTensorOfItsIntent) {
  Nifti1 n;
  n.dim = {5, 1, 1, 1, 1, 6}, n.intent = 1005;
  n.sformCode = 1;                                                                // along the scanner's axes
  const Layer layer = open(n.file(std::vector<float>{3, 1, 2, 0.5F, 0.25F, 1}));  // xx xy yy xz yz zz
  const auto& peaks = std::get<PeaksLayer>(layer.content);
  ASSERT_TRUE(peaks.tensor);
  EXPECT_EQ(peaks.tensor->values, (std::vector<float>{3, 1, 0.5F, 2, 0.25F, 1}));
  const Layer numbers = io::openVolume(folder_ / "scan.nii", {}, io::UnlabeledData::asImage);
  EXPECT_EQ(seriesOf(numbers).count, 6);
}

TEST_F(NiftiRead, ReadsTransformsOfNiftyRegAndSpm) {
  Nifti1 n;
  n.dim = {5, 2, 1, 1, 1, 3}, n.intent = 1007;
  n.sformCode = 1, n.sform[0][3] = 10;  // the voxels are at x = 10 and 11
  const auto with = [&](const char* name, float kind) {
    Bytes b{n.file(std::vector<float>{11, 13, 1, 1, 0, 0})};
    std::memcpy(b.data.data() + 328, name, std::strlen(name));
    b.put<float>(56, kind);
    return b.data;
  };
  const auto field = [&](const std::string& bytes) {
    const Layer layer = open(bytes);
    return std::get<DisplacementLayer>(layer.content).displacement->values;
  };
  EXPECT_EQ(field(with("NREG_TRANS", 0)), (std::vector<float>{1, 2, 1, 1, 0, 0})) << "positions";
  EXPECT_EQ(field(with("NREG_TRANS", 1)), (std::vector<float>{11, 13, 1, 1, 0, 0})) << "displacements, RAS";
  EXPECT_EQ(field(with("Mapping", 0)), (std::vector<float>{1, 2, 1, 1, 0, 0})) << "SPM's positions";
  for (const float kind : {2.F, 3.F, 5.F, std::nanf("")})
    expectError([&] { open(with("NREG_TRANS", kind)); }, {"scan.nii", "reg_transform -def"});
}

TEST_F(NiftiRead, LabelsAreExactWholeNumbers) {
  Nifti1 n;
  n.dim = {3, 2, 1, 1}, n.datatype = 8, n.intent = 1002;
  const Layer layer = open(n.file(std::vector<std::int32_t>{16777217, -3}));  // 2²⁴ + 1 is not exact in float
  EXPECT_EQ(std::get<LabelsLayer>(layer.content).labels->values, (std::vector<Label>{16777217, -3}));
}

TEST_F(NiftiRead, LabelsHave64Bits) {
  Nifti1 n;
  n.dim = {3, 2, 1, 1}, n.intent = 1002;
  const auto labelsOf = [&](int type, const auto& values) {
    n.datatype = type;
    return std::get<LabelsLayer>(open(n.file(values)).content).labels->values;
  };
  const std::int64_t large = (std::int64_t(1) << 53) + 1;  // which is not exact as a double
  EXPECT_EQ(labelsOf(768, std::vector<std::uint32_t>{4294967295U, 1}), (std::vector<Label>{4294967295, 1}));
  EXPECT_EQ(labelsOf(1024, std::vector<std::int64_t>{large, -large}), (std::vector<Label>{large, -large}));
  EXPECT_EQ(labelsOf(1280, std::vector<std::uint64_t>{std::uint64_t(large), 3}),
            (std::vector<Label>{large, 3}));
  n.datatype = 1280;
  const Layer beyond = open(n.file(std::vector<std::uint64_t>{~std::uint64_t(0), 3}));
  EXPECT_NE(allNotes(beyond).find("Warning: some labels"), std::string::npos) << "one of 2^64 - 1";
}

TEST_F(NiftiRead, WholeNumbersAreLabelsWhereTheyAreRequested) {
  Nifti1 n;
  n.dim = {3, 3, 1, 1};
  const auto read = [&](int type, const auto& values, io::UnlabeledData as) {
    n.datatype = type;
    writeBytes(folder_ / "scan.nii", n.file(values));
    return io::openVolume(folder_ / "scan.nii", {}, as);
  };
  for (const auto& layer :
       {read(768, std::vector<std::uint32_t>{312782546, 312782550, 312782554}, io::UnlabeledData::areLabels),
        read(64, std::vector<double>{312782546, 312782550, 312782554}, io::UnlabeledData::areLabels)})
    EXPECT_EQ(std::get<LabelsLayer>(layer.content).labels->values,
              (std::vector<Label>{312782546, 312782550, 312782554}));
  EXPECT_TRUE(std::holds_alternative<VolumeLayer>(
      read(64, std::vector<double>{0.5, 1, 2}, io::UnlabeledData::areLabels).content));
}

TEST_F(NiftiRead, RefusesATypeThatHasOtherBits) {
  Nifti1 n;
  Bytes file = n.header();
  file.data += std::string(96, '\0');
  for (const int bits : {8, 16, 64, -32}) {
    file.put<std::int16_t>(72, std::int16_t(bits));
    expectError([&] { open(file.data); }, {"scan.nii", std::to_string(bits) + " bits", "type of 32"});
  }
  file.put<std::int16_t>(72, 32);
  EXPECT_EQ(seriesOf(open(file.data)).count, 1);
}

TEST_F(NiftiRead, SaysThatTheFileIsLonger) {
  Nifti1 n;
  EXPECT_EQ(allNotes(open(n.countingFile())).find("continues after"), std::string::npos);
  EXPECT_NE(allNotes(open(n.countingFile() + "x")).find("continues after the data"), std::string::npos);
  writeGzip(folder_ / "scan.nii.gz", n.countingFile() + "more");
  EXPECT_NE(allNotes(io::openVolume(folder_ / "scan.nii.gz")).find("continues after"), std::string::npos);
}

TEST_F(NiftiRead, SaysThatVoxelSizesAreNegative) {
  Nifti1 n;
  n.pixdim = {1, -2, 2, 3, 0, 0, 0, 0};
  const Layer layer = open(n.countingFile());
  EXPECT_EQ(gridOf(layer)->spacing().x, 2);
  EXPECT_NE(allNotes(layer).find("negative voxel sizes"), std::string::npos) << allNotes(layer);
}

TEST_F(NiftiRead, TakesVoxelsOfMicroscopesAndRefusesThoseOfNothing) {
  Nifti1 n;
  n.pixdim = {1, 0.3f, 0.3f, 2, 0, 0, 0, 0};
  n.units = 3;  // µm
  EXPECT_NEAR(gridOf(open(n.countingFile()))->spacing().x, 3e-4, 1e-10);
  n.units = 2;
  for (const float edge : {1e5f, 1001.f, 1e-7f}) {
    n.pixdim[1] = edge;
    expectError([&] { open(n.countingFile()); }, {"scan.nii", "no usable voxel size"});
  }
}

TEST_F(NiftiRead, ReportsUnusableValues) {
  Nifti1 n;
  n.dim = {3, 3, 1, 1};
  EXPECT_NE(allNotes(open(n.file(std::vector<float>{1, std::nanf(""), INFINITY})))
                .find("1 not a number, 1 infinite"),
            std::string::npos);
  EXPECT_NE(allNotes(open(n.file(std::vector<float>{7, 7, 7}))).find("All values are 7."), std::string::npos);
}

TEST_F(NiftiRead, StopsWhenAskedTo) {
  Nifti1 n;
  writeBytes(folder_ / "scan.nii", n.countingFile());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(io::openVolume(folder_ / "scan.nii", Progress(stop.get_token(), {})), Cancelled);
}

}  // namespace
}  // namespace sulcus::io
