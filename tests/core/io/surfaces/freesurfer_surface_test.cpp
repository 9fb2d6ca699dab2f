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
  /// One triangle, followed by the text that mris_make_surfaces appends.
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
  static void word(std::string& bytes, const std::string& text) {
    big(bytes, std::int32_t(text.size() + 1));
    bytes += text + '\0';
  }
  struct Entry {
    std::int32_t label;
    std::string name;
    std::array<std::int32_t, 3> color;
  };
  /// Labels of points by the codes of their colors, as mris_ca_label writes them.
  static std::string annotation(const std::vector<std::int32_t>& codes, const std::vector<Entry>& entries,
                                bool numbered = true) {
    std::string bytes;
    big(bytes, std::int32_t(codes.size()));
    for (std::size_t i = 0; i < codes.size(); ++i) big(bytes, std::int32_t(i)), big(bytes, codes[i]);
    big(bytes, std::int32_t(1));
    if (numbered) big(bytes, std::int32_t(-2)), big(bytes, std::int32_t(100));
    if (!numbered) big(bytes, std::int32_t(entries.size()));
    word(bytes, "colors.ctab");
    if (numbered) big(bytes, std::int32_t(entries.size()));
    for (const Entry& entry : entries) {
      if (numbered) big(bytes, entry.label);
      word(bytes, entry.name);
      for (const std::int32_t part : entry.color) big(bytes, part);
      big(bytes, std::int32_t(0));
    }
    return bytes;
  }
  static constexpr std::int32_t code(std::int32_t r, std::int32_t g, std::int32_t b) {
    return r | g << 8 | b << 16;
  }
  /// The labels that a file gives to three points.
  Mesh labeled(const std::string& bytes) {
    writeBytes(folder_ / "lh.aparc.annot", bytes);
    Mesh mesh;
    mesh.points.resize(3);
    addPointValues(mesh, folder_ / "lh.aparc.annot");
    return mesh;
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
  // A volume whose columns run up and whose rows run forward.
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
  writeBytes(folder_ / "lh.curv", values(4, 0));  // of a different surface
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
  Mesh plain, larger;
  plain.points.resize(3), larger.points.resize(4);
  addPointValues(plain, folder_ / "values.func.gii");
  EXPECT_EQ(plain.pointScalars.at("height"), (std::vector<float>{1, 2, 3}));
  expectError([&] { addPointValues(larger, folder_ / "values.func.gii"); }, {"values.func.gii", "4 points"});
}

TEST_F(FreeSurferSurface, ThatIsDamagedIsRefused) {
  const std::string whole = surface(kConformed);
  expectError([&] { open(whole.substr(0, 60)); }, {"lh.white", "ends before"});
  expectError([&] { open(surface("", 2'000'000'000)); }, {"lh.white"});
  expectError([&] { open(surface("", -1)); }, {"lh.white", "no points"});
  expectError([&] { open("\xff\xff\xfe"); }, {"lh.white", "beginning"});
  writeBytes(folder_ / "lh.curv", values(3, 0).substr(0, 20));
  Mesh mesh;
  mesh.points.resize(3);
  expectError([&] { addPointValues(mesh, folder_ / "lh.curv"); }, {"lh.curv", "ends before"});
  writeBytes(folder_ / "lh.curv", "text");
  expectError([&] { addPointValues(mesh, folder_ / "lh.curv"); }, {"lh.curv", "beginning"});
  EXPECT_TRUE(mesh.pointScalars.empty());
}

TEST_F(FreeSurferSurface, HasTheLabelsOfAnAnnotationWithTheirNamesAndColors) {
  const std::vector<Entry> entries{{11, "cuneus", {220, 20, 100}}, {35, "insula", {255, 192, 32}}};
  const std::vector<std::int32_t> codes{code(255, 192, 32), code(220, 20, 100), 77};
  for (const bool numbered : {true, false}) {
    const Mesh mesh = labeled(annotation(codes, entries, numbered));
    const std::int32_t cuneus = numbered ? 11 : 0, insula = numbered ? 35 : 1;
    const auto& labels = mesh.pointScalars.at("lh.aparc.annot");
    EXPECT_EQ(labels[0], float(insula));
    EXPECT_EQ(labels[1], float(cuneus));
    EXPECT_TRUE(std::isnan(labels[2])) << "a color that no label has";
    const LabelTable& table = *mesh.labelTables.at("lh.aparc.annot");
    EXPECT_EQ(table.at(insula), (LabelEntry{"insula", {{255, 192, 32}}}));
    EXPECT_EQ(table.at(cuneus).name, "cuneus");
  }
}

TEST_F(FreeSurferSurface, FindsItsParcellationInTheFolderOfLabels) {
  std::filesystem::create_directories(folder_ / "surf");
  std::filesystem::create_directories(folder_ / "label");
  writeBytes(folder_ / "surf" / "lh.pial", surface(kConformed));
  writeBytes(folder_ / "label" / "lh.aparc.annot", annotation({1, 1, 1}, {{4, "everything", {1, 0, 0}}}));
  writeBytes(folder_ / "label" / "rh.aparc.annot", annotation({1, 1, 1}, {{4, "other side", {1, 0, 0}}}));
  const Layer layer = io::openLayer(folder_ / "surf" / "lh.pial");
  const Mesh& mesh = *std::get<MeshLayer>(layer.content).mesh;
  ASSERT_EQ(mesh.labelTables.size(), 1u);
  EXPECT_EQ(mesh.labelTables.at("lh.aparc.annot")->at(4).name, "everything");
}

TEST_F(FreeSurferSurface, IsFoundForValuesAndLabelsThatAreOpened) {
  std::filesystem::create_directories(folder_ / "surf");
  std::filesystem::create_directories(folder_ / "label");
  const std::filesystem::path file = folder_ / "label" / "lh.BA_exvivo.annot";
  // Points without a label have the color 0, or one that is not in the table, such as -1.
  writeBytes(file, annotation({code(1, 2, 3), 0, -1}, {{0, "unknown", {25, 5, 25}}, {6, "BA6", {1, 2, 3}}}));
  writeBytes(folder_ / "surf" / "lh.curv", values(3, 7));
  expectError([&] { io::openLayer(file); }, {"lh.BA_exvivo.annot", "open its surface"});
  writeBytes(folder_ / "surf" / "rh.white", surface(kConformed));
  expectError([&] { io::openLayer(file); }, {"lh.BA_exvivo.annot"});
  writeBytes(folder_ / "surf" / "lh.pial", surface(kConformed));
  const Layer layer = io::openLayer(file);
  EXPECT_EQ(layer.name, "lh.BA_exvivo.annot");
  EXPECT_EQ(layer.source, file.string());
  EXPECT_NE(allNotes(layer).find("on its surface 'lh.pial'"), std::string::npos) << allNotes(layer);
  const Mesh& mesh = *std::get<MeshLayer>(layer.content).mesh;
  EXPECT_EQ(mesh.points[0], (Vec3<float>{11, -18, 33}));
  ASSERT_EQ(mesh.pointScalars.size(), 1u);
  const auto& labels = mesh.pointScalars.at("lh.BA_exvivo.annot");
  EXPECT_EQ(labels[0], 6);
  EXPECT_TRUE(std::isnan(labels[1]) && std::isnan(labels[2]));
  EXPECT_EQ(mesh.labelTables.at("lh.BA_exvivo.annot")->at(6), (LabelEntry{"BA6", {{1, 2, 3}}}));
  const Layer curvature = io::openLayer(folder_ / "surf" / "lh.curv");
  EXPECT_EQ(std::get<MeshLayer>(curvature.content).mesh->pointScalars.at("lh.curv")[2], 9);
  writeBytes(file, annotation({0, 0}, {{0, "unknown", {0, 0, 0}}}));
  expectError([&] { io::openLayer(file); }, {"labels of 2 points"});
}

TEST_F(FreeSurferSurface, KeepsLabelsApartThatAFloatDoesNotHold) {
  const Mesh mesh = labeled(annotation(
      {1, 2, 3},
      {{312782546, "first", {1, 0, 0}}, {312782550, "second", {2, 0, 0}}, {1, "root", {3, 0, 0}}}));
  const LabelTable& table = *mesh.labelTables.at("lh.aparc.annot");
  const auto nameAt = [&](std::size_t point) {
    return table.at(Label(mesh.pointScalars.at("lh.aparc.annot")[point])).name;
  };
  EXPECT_EQ(nameAt(0), "first [312782546]");
  EXPECT_EQ(nameAt(1), "second [312782550]");
  EXPECT_EQ(nameAt(2), "root");
}

TEST_F(FreeSurferSurface, TakesLabelsOfGifti) {
  writeBytes(folder_ / "lh.label.gii",
             "<GIFTI Version=\"1.0\" NumberOfDataArrays=\"1\"><LabelTable>"
             "<Label Key=\"0\"><![CDATA[???]]></Label>"
             "<Label Key=\"5\" Red=\"1\" Green=\"0.5\" Blue=\"0\" Alpha=\"1\"><![CDATA[V1]]></Label>"
             "</LabelTable><DataArray Intent=\"NIFTI_INTENT_LABEL\" DataType=\"NIFTI_TYPE_INT32\" "
             "Dimensionality=\"1\" Dim0=\"3\" Encoding=\"ASCII\" ArrayIndexingOrder=\"RowMajorOrder\">"
             "<MetaData><MD><Name>Name</Name><Value>visual</Value></MD></MetaData>"
             "<Data>0 5 5</Data></DataArray></GIFTI>");
  Mesh mesh;
  mesh.points.resize(3);
  addPointValues(mesh, folder_ / "lh.label.gii");
  EXPECT_EQ(mesh.pointScalars.at("visual"), (std::vector<float>{0, 5, 5}));
  EXPECT_EQ(mesh.labelTables.at("visual")->at(5), (LabelEntry{"V1", {{255, 128, 0}}}));
  EXPECT_FALSE(mesh.labelTables.at("visual")->at(0).color);
}

TEST_F(FreeSurferSurface, RefusesAnAnnotationThatIsDamagedOrOfAnotherSurface) {
  const std::vector<Entry> entries{{4, "gyrus", {1, 2, 3}}};
  const std::string whole = annotation({1, 1, 1}, entries);
  EXPECT_NO_THROW(labeled(whole));
  expectError([&] { labeled(annotation({1, 1}, entries)); }, {"lh.aparc.annot", "2 points", "has 3"});
  for (std::size_t bytes = 28; bytes < whole.size(); bytes += 3)  // after the points
    expectError([&] { labeled(whole.substr(0, bytes)); }, {"lh.aparc.annot"});
  expectError([&] { labeled(whole.substr(0, 28)); }, {"names no labels"});
  const auto with = [&](std::size_t at, std::int32_t value) {
    std::string bytes = whole, number;
    big(number, value);
    return bytes.replace(at, 4, number);
  };
  expectError([&] { labeled(with(4, 3)); }, {"point 3"});
  expectError([&] { labeled(with(4, -1)); }, {"point -1"});
  expectError([&] { labeled(with(32, -3)); }, {"version"});
  expectError([&] { labeled(with(40, 2'000'000'000)); }, {"within a name"});
  expectError([&] { labeled(with(40, -5)); }, {"within a name"});
  expectError([&] { labeled(with(56, 2'000'000'000)); }, {"ends before"});
  expectError([&] { labeled(with(60, -7)); }, {"label -7"});
  expectError([&] { labeled(with(whole.size() - 16, 256)); }, {"0…255"});
}

}  // namespace
}  // namespace sulcus::io
