#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;

constexpr double kExact = 1e-12;

void expectDirection(const Vec3<double>& actual, const Vec3<double>& expected, double tolerance = kExact) {
  EXPECT_NEAR(norm(actual - expected), 0, tolerance)
      << actual.x << " " << actual.y << " " << actual.z << " instead of " << expected.x << " " << expected.y
      << " " << expected.z;
}

class FslGradients : public testing::Test {
 protected:
  GradientTable read(const std::string& bval, const std::string& bvec, int volumes,
                     const Grid& grid = Grid()) {
    writeBytes(folder_ / "a.bval", bval);
    writeBytes(folder_ / "a.bvec", bvec);
    return readFslGradients(folder_ / "a.bval", folder_ / "a.bvec", grid, volumes);
  }
  TemporaryFolder folder_;
};

TEST_F(FslGradients, AreTheSameInBothLayouts) {
  const auto wide = read("0 1000 1000 2000\n", "0 1 0 0.6\n0 0 1 0.8\n0 0 0 0\n", 4);
  const auto tall = read("0\n1000\n1000\n2000\n", "0 0 0\n1 0 0\n0 1 0\n0.6 0.8 0\n", 4);
  ASSERT_EQ(wide.rows.size(), 4u);
  for (int v = 0; v < 4; ++v) {
    EXPECT_EQ(wide.rows[v].b, tall.rows[v].b);
    expectDirection(wide.rows[v].directionWorld, tall.rows[v].directionWorld);
  }
  // Since the identity is right-handed, the first component changes sign.
  expectDirection(wide.rows[1].directionWorld, {-1, 0, 0});
  expectDirection(wide.rows[3].directionWorld, {-0.6, 0.8, 0});
  EXPECT_NE(wide.source.find("negated"), std::string::npos);
}

TEST_F(FslGradients, OfThreeVolumesAreReadAsThreeLines) {
  const auto table = read("0 1000 1000", "0 1 0\n0 0 0\n0 0 1\n", 3);
  expectDirection(table.rows[1].directionWorld, {-1, 0, 0});
  expectDirection(table.rows[2].directionWorld, {0, 0, 1});
  EXPECT_NE(table.source.find("either could be meant"), std::string::npos);
}

TEST_F(FslGradients, FollowTheImageAxesWhateverTheirHandedness) {
  // By definition, a gradient along +i points along the first axis in a left-handed image and against it in a
  // right-handed one. The second and third axes are never negated.
  for (const bool leftHanded : {false, true}) {
    const Grid grid = obliqueGrid(leftHanded);
    const auto table = read("1000 1000 1000 0", "1 0 0\n0 1 0\n0 0 1\n0 0 0\n", 4, grid);
    const double sign = leftHanded ? 1 : -1;
    expectDirection(table.rows[0].directionWorld, sign * normalized(grid.worldFromVoxel.column(0)));
    expectDirection(table.rows[1].directionWorld, normalized(grid.worldFromVoxel.column(1)));
    expectDirection(table.rows[2].directionWorld, normalized(grid.worldFromVoxel.column(2)));
  }
}

TEST_F(FslGradients, WithNanAreUnweighted) {
  const auto table = read("0 1000", "nan 1\nNaN 0\nnan 0\n", 2);
  EXPECT_EQ(table.rows[0].b, 0);
  expectDirection(table.rows[0].directionWorld, {});
  EXPECT_NE(table.source.find("1 row with nan taken as b = 0"), std::string::npos) << table.source;
}

TEST_F(FslGradients, WithNanAndWeightingAreRefused) {
  expectError([&] { read("0 3000", "1 nan\n0 nan\n0 nan\n", 2); }, {"volume 2", "b = 3000", "no direction"});
  expectError([&] { read("0 nan", "1 1\n0 0\n0 0\n", 2); }, {"volume 2", "not a diffusion weighting"});
  EXPECT_EQ(read("49 nan 1000", "nan nan 1\nnan nan 0\nnan nan 0\n", 3).rows[1].b, 0);
}

TEST_F(FslGradients, AreNormalizedAndSaySo) {
  const auto table = read("0 1000", "0 0\n0 2\n0 0\n", 2);
  EXPECT_EQ(table.rows[1].b, 1000);
  expectDirection(table.rows[1].directionWorld, {0, 1, 0});
  EXPECT_NE(table.source.find("1 directions were not of length 1"), std::string::npos) << table.source;
}

TEST_F(FslGradients, WhoseLengthsHoldTheWeightingAreScaled) {
  // A scan with b = 1000, 2000 and 4000, all written as 4000, as MRtrix interprets it.
  const auto table =
      read("4000 4000 4000 4000 4000 4000", "0 0.5 0 0.707107 0 1\n0 0 0.5 0 0 0\n0 0 0 0 0.707107 0\n", 6);
  const double expected[] = {0, 1000, 1000, 2000, 2000, 4000};
  for (std::size_t v = 0; v < 6; ++v) EXPECT_NEAR(table.rows[v].b, expected[v], 0.1);
  expectDirection(table.rows[2].directionWorld, {0, 1, 0});
  EXPECT_NE(table.source.find("the lengths of the directions hold the weighting: 5 b-values of 4000"),
            std::string::npos)
      << table.source;
  // b-values that differ already contain it.
  const auto twice = read("0 1000 1000 1000 4000 4000", "0 0.5 0 0 1 0\n0 0 0.5 0 0 1\n0 0 0 0.5 0 0\n", 6);
  EXPECT_EQ(twice.rows[1].b, 1000);
}

TEST_F(FslGradients, OfBaselinesNeedNoDirection) {
  EXPECT_EQ(read("60 nan 1000", "0 nan 1\n0 nan 0\n0 nan 0\n", 3).rows[0].b, 60);
}

TEST_F(FslGradients, OfTheWrongCountNameFileFoundAndWanted) {
  const std::string two = "1 0\n0 1\n0 0\n";
  expectError([&] { read("0 1000 1000", two, 2); }, {"a.bval", "3 b-values", "2 volumes"});
  expectError([&] { read("0 1000 1000", two, 3); }, {"a.bvec", "2 directions", "3 volumes"});
  expectError([&] { read("0 1000", "1 0 0 1\n0 1 0 0\n", 2); }, {"a.bvec", "not a list of directions"});
  expectError([&] { read("0 1000", "1 0\n0 1\n0\n", 2); }, {"a.bvec", "different lengths"});
}

TEST_F(FslGradients, ThatMakeNoSenseAreRefused) {
  const std::string two = "0 1\n0 0\n0 0\n";
  expectError([&] { read("0 -5", two, 2); }, {"volume 2", "not a diffusion weighting"});
  expectError([&] { read("0 inf", two, 2); }, {"volume 2", "not a diffusion weighting"});
  expectError([&] { read("1000 1000", two, 2); }, {"volume 1", "no direction"});
  expectError([&] { read("0 abc", two, 2); }, {"a.bval", "line 1", "'abc'"});
  expectError([&] { read(std::string("0\0 1", 4), two, 2); }, {"a.bval", "not a text file"});
  expectError([&] { read("\n\n", two, 2); }, {"a.bval", "no numbers"});
}

TEST(MrtrixGradients, AreTakenInScannerAxes) {
  TemporaryFolder folder;
  writeBytes(folder / "g.b", "# command_history: dwgradcheck\n0 0 0 0\n0.6 0.8 0 1000\n0 0 -1 3000\n");
  const auto table = readMrtrixGradients(folder / "g.b", 3);
  expectDirection(table.rows[1].directionWorld, {0.6, 0.8, 0});
  EXPECT_EQ(table.rows[2].b, 3000);
  expectError([&] { readMrtrixGradients(folder / "g.b", 4); }, {"g.b", "3 rows", "4 volumes"});
  writeBytes(folder / "g.b", "0 0 0\n1 0 0\n");
  expectError([&] { readMrtrixGradients(folder / "g.b", 2); }, {"g.b", "row 1 has 3 numbers"});
}

class FindGradients : public testing::Test {
 protected:
  void pair(const std::string& bval, const std::string& bvec) {
    std::filesystem::create_directories((folder_ / bval).parent_path());
    writeBytes(folder_ / bval, "0 1000\n");
    writeBytes(folder_ / bvec, "0 0\n0 1\n0 0\n");
  }
  GradientTable find(const std::string& scan, int volumes = 2) {
    return findGradients(folder_ / scan, Grid(), volumes);
  }
  TemporaryFolder folder_;
};

TEST_F(FindGradients, KnowsTheNamesBesideAScan) {
  for (const auto& [val, vec] : {std::pair{"a.bval", "a.bvec"}, {"b.bvals", "b.bvecs"}}) {
    pair(val, vec);
    EXPECT_EQ(find(std::string(1, val[0]) + ".nii.gz").rows.size(), 2u) << val;
  }
  writeBytes(folder_ / "c.b", "0 0 0 0\n1 0 0 700\n");
  EXPECT_EQ(find("c.nii").rows.at(1).b, 700);
  EXPECT_TRUE(find("d.nii").empty());
  pair("bvals", "bvecs");
  EXPECT_EQ(find("d.nii").rows.size(), 2u);
  EXPECT_TRUE(find("d.nii", 5).empty()) << "names of a whole folder may belong to another scan";
  EXPECT_TRUE(find("a.nii", 1).empty()) << "one volume is no diffusion series";
}

TEST_F(FindGradients, InheritsWithinABidsDataSet) {
  std::filesystem::create_directories(folder_ / "sub-01/ses-a/dwi");
  writeBytes(folder_ / "dataset_description.json", "{}");
  const std::string scan = "sub-01/ses-a/dwi/sub-01_ses-a_dir-AP_dwi.nii.gz";
  EXPECT_TRUE(find(scan).empty());
  pair("dwi.bval", "dwi.bvec");
  const auto table = find(scan);
  EXPECT_EQ(table.rows.size(), 2u);
  EXPECT_NE(table.source.find("BIDS inheritance"), std::string::npos);
  EXPECT_TRUE(find("sub-01/ses-a/dwi/sub-01_ses-a_bold.nii.gz").empty()) << "another suffix";
  writeBytes(folder_ / "sub-01/dir-PA_dwi.bval", "0 1 2 3\n");  // another entity, which does not apply
  EXPECT_EQ(find(scan).rows.size(), 2u);
  writeBytes(folder_ / "sub-01/sub-01_dir-AP_dwi.bval", "0 700\n");  // a closer file
  EXPECT_EQ(find(scan).rows.at(1).b, 700);
}

TEST_F(FindGradients, SaysWhichFilesTheRowsAreFrom) {
  pair("a.bval", "a.bvec");
  const std::vector<std::string> files{(folder_ / "a.bval").string(), (folder_ / "a.bvec").string()};
  EXPECT_EQ(find("a.nii").files, files);
  writeBytes(folder_ / "c.b", "0 0 0 0\n1 0 0 700\n");
  EXPECT_EQ(find("c.nii").files, std::vector<std::string>{(folder_ / "c.b").string()});
}

class ReadGradients : public testing::Test {
 protected:
  GradientTable read(const std::string& name, int volumes = 4) {
    return readGradients(folder_ / name, Grid(), volumes);
  }
  TemporaryFolder folder_;
  const std::string b_ = "0 1000 1000 2000\n", wide_ = "0 1 0 0.6\n0 0 1 0.8\n0 0 0 0\n",
                    tall_ = "0 0 0\n1 0 0\n0 1 0\n0.6 0.8 0\n",
                    table_ = "0 0 0 0\n-1 0 0 1000\n0 1 0 1000\n-0.6 0.8 0 2000\n";
};

TEST_F(ReadGradients, KnowsPairsAndTablesByTheirContent) {
  for (const auto& [val, vec, directions] : {std::tuple{"bvals", "bvecs", wide_},
                                             {"x.bvals", "x.eddy_rotated_bvecs", tall_},
                                             {"sub_bval.txt", "sub_bvec.txt", wide_}}) {
    writeBytes(folder_ / val, b_);
    writeBytes(folder_ / vec, directions);
    for (const char* chosen : {val, vec}) {
      SCOPED_TRACE(chosen);
      if (chosen == std::string("x.bvals")) continue;  // its partner has another name
      const auto table = read(chosen);
      ASSERT_EQ(table.rows.size(), 4u);
      expectDirection(table.rows[3].directionWorld, {-0.6, 0.8, 0});
      EXPECT_EQ(table.rows[3].b, 2000);
    }
  }
  writeBytes(folder_ / "directions.bvec", table_);  // a table, despite its name
  expectDirection(read("directions.bvec").rows[3].directionWorld, {-0.6, 0.8, 0});
}

TEST_F(ReadGradients, TellsATableOfThreeVolumesFromThreeLines) {
  writeBytes(folder_ / "t.b", "0 0 0 0\n1 0 0 1000\n0 1 0 1000\n");
  expectDirection(read("t.b", 3).rows[1].directionWorld, {1, 0, 0});
}

TEST_F(ReadGradients, NameTheOtherFileThatIsMissing) {
  writeBytes(folder_ / "lone.bvec", wide_);
  expectError([&] { read("lone.bvec"); }, {"b-values are missing for 'lone.bvec'", "'lone.bval'", "'bvals'"});
  writeBytes(folder_ / "lone.bval", b_);
  std::filesystem::remove(folder_ / "lone.bvec");
  expectError([&] { read("lone.bval"); }, {"directions are missing for 'lone.bval'", "'lone.bvec'"});
}

TEST_F(FindGradients, DoesNotLookAboveTheDataSet) {
  std::filesystem::create_directories(folder_ / "set/sub-01/dwi");
  writeBytes(folder_ / "set/dataset_description.json", "{}");
  pair("dwi.bval", "dwi.bvec");
  EXPECT_TRUE(find("set/sub-01/dwi/sub-01_dwi.nii.gz").empty());
}

}  // namespace
}  // namespace sulcus::io
