#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;

struct FreeSurferSurface : testing::Test {
  static void big(std::string& bytes, auto value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof raw);
    std::reverse(raw, raw + sizeof raw);
    bytes.append(raw, sizeof raw);
  }
  /// One triangle, with the text that mris_make_surfaces writes behind it.
  static std::string surface(const std::string& footer, std::int32_t points = 3) {
    std::string bytes =
        "\xff\xff\xfe"
        "created by nobody\n\n";
    big(bytes, points), big(bytes, std::int32_t(1));
    for (const float c : {1.F, 2.F, 3.F, 4.F, 5.F, 6.F, 7.F, 9.F, 8.F}) big(bytes, c);
    for (const std::int32_t corner : {0, 1, 2}) big(bytes, corner);
    return bytes + footer;
  }
  static std::string values(std::int32_t count, float first) {
    std::string bytes = "\xff\xff\xff";
    big(bytes, count), big(bytes, std::int32_t(1)), big(bytes, std::int32_t(1));
    for (std::int32_t i = 0; i < count; ++i) big(bytes, first + float(i));
    return bytes;
  }
  Layer open(const std::string& bytes) {
    writeBytes(folder_ / "lh.white", bytes);
    return io::openLayer(folder_ / "lh.white");
  }
  TemporaryFolder folder_;
};

const std::string kConformed =
    "valid = 1  # volume info valid\nfilename = orig.mgz\nvolume = 256 256 256\nvoxelsize = 1 1 1\n"
    "xras   = -1 0 0\nyras   = 0 0 -1\nzras   = 0 1 0\ncras   = 10 -20 30\n";

TEST_F(FreeSurferSurface, IsBroughtToTheScanner) {
  const Layer layer = open(surface(kConformed));
  const Mesh& mesh = *std::get<MeshLayer>(layer.content).mesh;
  ASSERT_EQ(mesh.points.size(), 3u);
  EXPECT_EQ(mesh.points[0], (Vec3<float>{11, -18, 33})) << "conformed volumes are moved alone";
  EXPECT_EQ(mesh.triangles[0], (std::array<std::int32_t, 3>{0, 1, 2}));
  EXPECT_EQ(layer.name, "lh.white");
  // A volume whose columns run up and whose rows run to the front.
  std::string turned = kConformed;
  turned.replace(turned.find("-1 0 0"), 6, "0 0 1 ");
  turned.replace(turned.find("0 0 -1"), 6, "0 1 0 ");
  turned.replace(turned.rfind("0 1 0\ncras"), 5, "1 0 0");
  const Layer again = open(surface(turned));
  const Mesh& other = *std::get<MeshLayer>(again.content).mesh;
  EXPECT_EQ(other.points[0], (Vec3<float>{10 + 2, -20 - 3, 30 - 1}));
}

TEST_F(FreeSurferSurface, SaysWhenNobodyKnowsWhereItLies) {
  const Layer layer = open(surface(""));
  EXPECT_EQ(std::get<MeshLayer>(layer.content).mesh->points[0], (Vec3<float>{1, 2, 3}));
  EXPECT_NE(allNotes(layer).find("Warning: the file does not say"), std::string::npos);
}

TEST_F(FreeSurferSurface, HasTheValuesBesideIt) {
  writeBytes(folder_ / "lh.thickness", values(3, 2.5F));
  writeBytes(folder_ / "lh.curv", values(4, 0));  // of another surface
  writeBytes(folder_ / "rh.sulc", values(3, 0));
  const Layer layer = open(surface(kConformed));
  const auto& scalars = std::get<MeshLayer>(layer.content).mesh->pointScalars;
  ASSERT_EQ(scalars.size(), 1u);
  EXPECT_EQ(scalars.at("lh.thickness"), (std::vector<float>{2.5F, 3.5F, 4.5F}));
  EXPECT_NE(allNotes(layer).find("'lh.curv' has 4 values"), std::string::npos);
}

TEST_F(FreeSurferSurface, TakesValuesOfGifti) {
  Layer other = open(surface(kConformed));
  Mesh mesh = *std::get<MeshLayer>(other.content).mesh;
  mesh.pointScalars["height"] = {1, 2, 3};
  other.content = MeshLayer{std::make_shared<const Mesh>(mesh)};
  io::saveLayer(other, folder_ / "values.func.gii", true);
  EXPECT_EQ(io::openPointValues(folder_ / "values.func.gii", 3).at("height"), (std::vector<float>{1, 2, 3}));
  expectError([&] { io::openPointValues(folder_ / "values.func.gii", 4); }, {"values.func.gii", "4 points"});
}

TEST_F(FreeSurferSurface, ThatIsDamagedIsRefused) {
  const std::string whole = surface(kConformed);
  expectError([&] { open(whole.substr(0, 60)); }, {"lh.white", "ends before"});
  expectError([&] { open(surface("", 2'000'000'000)); }, {"lh.white"});
  expectError([&] { open(surface("", -1)); }, {"lh.white", "no points"});
  expectError([&] { open("\xff\xff\xfe"); }, {"lh.white", "beginning"});
  writeBytes(folder_ / "lh.curv", values(3, 0).substr(0, 20));
  expectError([&] { io::openPointValues(folder_ / "lh.curv", 3); }, {"lh.curv", "ends before"});
  writeBytes(folder_ / "lh.curv", "text");
  expectError([&] { io::openPointValues(folder_ / "lh.curv", 3); }, {"lh.curv", "beginning"});
}

}  // namespace
}  // namespace sulcus::io
