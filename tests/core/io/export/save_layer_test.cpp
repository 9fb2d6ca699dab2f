#include "core/image/diffusion/harmonics_image.h"
#include "core/image/grids/assumed_sides.h"
#include "tests/core/io/io_test_support.h"

#include <csignal>

#include <sys/resource.h>
#include <unistd.h>

namespace sulcus::io {
namespace {

using namespace test;

Series<float> countingSeries(const Grid& grid, int count) {
  Series<float> series(grid, count);
  for (std::size_t i = 0; i < series.values.size(); ++i) series.values[i] = 0.5f * float(i) - 7;
  return series;
}

Layer volumeLayer(const Grid& grid, int count = 1) {
  Layer layer;
  layer.name = "scan";
  VolumeLayer volume;
  volume.series = std::make_shared<const Series<float>>(countingSeries(grid, count));
  layer.content = volume;
  return layer;
}

int entriesOf(const std::filesystem::path& folder) {
  return int(std::distance(std::filesystem::directory_iterator(folder), {}));
}

/// Tests every format that can be written, on grids of either handedness.
class RoundTrip : public testing::TestWithParam<std::tuple<const char*, bool>> {
 protected:
  Layer saveAndOpen(const Layer& layer) {
    const auto file = folder_ / (std::string("scan") + std::get<0>(GetParam()));
    io::saveLayer(layer, file);
    Layer opened = io::openVolume(file);
    EXPECT_TRUE(sameGrid(*gridOf(opened), *gridOf(layer)));
    EXPECT_EQ(kindOf(opened), kindOf(layer));
    return opened;
  }
  Grid grid() const { return obliqueGrid(std::get<1>(GetParam())); }
  TemporaryFolder folder_;
};

TEST_P(RoundTrip, OfAVolume) {
  const Layer layer = volumeLayer(grid());
  EXPECT_EQ(seriesOf(saveAndOpen(layer)).values, seriesOf(layer).values);
}

TEST_P(RoundTrip, OfASeriesWithTimeUnitAndNames) {
  Layer layer = volumeLayer(grid(), 4);
  layer.unit = "mm";
  std::get<VolumeLayer>(layer.content).secondsPerVolume = 2.5;
  std::get<VolumeLayer>(layer.content).volumeNames = {"a", "b", "c", "d"};
  const Layer opened = saveAndOpen(layer);
  EXPECT_EQ(seriesOf(opened).values, seriesOf(layer).values);
  EXPECT_EQ(std::get<VolumeLayer>(opened.content).secondsPerVolume, 2.5);
  EXPECT_EQ(std::get<VolumeLayer>(opened.content).volumeNames,
            std::get<VolumeLayer>(layer.content).volumeNames);
  EXPECT_EQ(opened.unit, "mm");
}

TEST_P(RoundTrip, OfADiffusionSeries) {
  Layer layer = volumeLayer(grid(), 3);
  GradientTable table;
  table.rows = {
      {0, {}}, {1000, normalized(Vec3<double>{1, 2, -3})}, {2500, normalized(Vec3<double>{-0.3, 0.1, 0.9})}};
  std::get<VolumeLayer>(layer.content).gradients = table;
  const Layer opened = saveAndOpen(layer);
  const auto& rows = std::get<VolumeLayer>(opened.content).gradients.rows;
  ASSERT_EQ(rows.size(), 3u);
  for (int v = 0; v < 3; ++v) {
    EXPECT_NEAR(rows[v].b, table.rows[v].b, 1e-6);
    EXPECT_NEAR(norm(rows[v].directionWorld - table.rows[v].directionWorld), 0, 1e-6);
  }
}

TEST_P(RoundTrip, OfLabels) {
  for (const Label largest : {Label(200), Label(-300), Label(16777217), Label(4294967295), Label(-2147483649),
                              (Label(1) << 53) + 1}) {
    Volume<Label> labels(grid());
    for (std::size_t i = 0; i < labels.values.size(); ++i) labels.values[i] = Label(i);
    labels.values.back() = largest;
    Layer layer;
    layer.content = LabelsLayer{std::make_shared<const Volume<Label>>(labels)};
    const auto file = folder_ / (std::string("labels") + std::get<0>(GetParam()));
    io::saveLayer(layer, file, true);
    EXPECT_EQ(std::get<LabelsLayer>(io::openVolume(file).content).labels->values, labels.values) << largest;
  }
}

TEST_P(RoundTrip, OfPeaks) {
  Series<float> peaks = countingSeries(grid(), 6);
  peaks.values[0] = std::nanf("");
  Layer layer;
  layer.content = PeaksLayer{std::make_shared<const Series<float>>(peaks), nullptr};
  const Layer opened = saveAndOpen(layer);
  const auto& values = std::get<PeaksLayer>(opened.content).peaks->values;
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_TRUE(std::equal(values.begin() + 1, values.end(), peaks.values.begin() + 1));
}

TEST_P(RoundTrip, OfFunctionsAsHarmonics) {
  const Series<float> harmonics = countingSeries(grid(), 15);
  const Layer layer = functionLayer("fod", std::make_shared<const Series<float>>(functionsOf(harmonics)));
  const Layer opened = saveAndOpen(layer);
  ASSERT_TRUE(isFunctionAlone(opened));
  const auto& forms = std::get<PeaksLayer>(layer.content).tensor->values;
  const auto& again = std::get<PeaksLayer>(opened.content).tensor->values;
  const float largest = *std::max_element(forms.begin(), forms.end());
  for (std::size_t i = 0; i < forms.size(); ++i) ASSERT_NEAR(again[i], forms[i], 1e-5 * largest);
  // A reader that ignores the sidecar sees the coefficients.
  const auto file = folder_ / (std::string("plain") + std::get<0>(GetParam()));
  io::saveLayer(layer, file, true);
  std::filesystem::remove(folder_ / "plain.json");
  const Layer plain = io::openVolume(file);
  const auto& coefficients = *std::get<VolumeLayer>(plain.content).series;
  ASSERT_EQ(coefficients.count, 15);
  for (std::size_t i = 0; i < coefficients.values.size(); ++i)
    ASSERT_NEAR(coefficients.values[i], harmonics.values[i],
                1e-4 * std::max(1.F, std::abs(harmonics.values.back())));
}

TEST_P(RoundTrip, OfADisplacement) {
  Layer layer;
  layer.content = DisplacementLayer{std::make_shared<const Series<float>>(countingSeries(grid(), 3))};
  const Layer opened = saveAndOpen(layer);
  EXPECT_EQ(std::get<DisplacementLayer>(opened.content).displacement->values,
            std::get<DisplacementLayer>(layer.content).displacement->values);
}

TEST_P(RoundTrip, OfADisplacementInSlicersConvention) {
  Layer layer;
  layer.content = DisplacementLayer{std::make_shared<const Series<float>>(countingSeries(grid(), 3)),
                                    FieldConvention::slicer};
  const Layer opened = saveAndOpen(layer);
  const auto& field = std::get<DisplacementLayer>(opened.content);
  EXPECT_EQ(field.displacement->values, std::get<DisplacementLayer>(layer.content).displacement->values);
  const bool nifti = std::string(std::get<0>(GetParam()))
                         .starts_with(".nii");  // the other formats have only the convention of ITK
  EXPECT_EQ(field.convention, nifti ? FieldConvention::slicer : FieldConvention::itk);
}

TEST_P(RoundTrip, OfAShearedGrid) {
  Grid sheared = grid();
  for (int i = 0; i < 3; ++i) sheared.worldFromVoxel.m[i][2] += 0.2 * sheared.worldFromVoxel.m[i][1];
  saveAndOpen(volumeLayer(sheared));
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundTrip,
                         testing::Combine(testing::Values(".nii", ".nii.gz", ".nrrd", ".mha"),
                                          testing::Bool()));

TEST(SaveLayer, WritesNiftiThatItsStandardDescribes) {
  TemporaryFolder folder;
  const Layer layer = volumeLayer(obliqueGrid(true), 2);
  io::saveLayer(layer, folder / "scan.nii");
  const std::string bytes = readBytes(folder / "scan.nii");
  const auto at = [&]<class T>(std::size_t offset, T) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  };
  EXPECT_EQ(at(0, std::int32_t{}), 348);
  EXPECT_EQ(at(40, std::int16_t{}), 4);
  EXPECT_EQ(at(48, std::int16_t{}), 2);
  EXPECT_EQ(at(70, std::int16_t{}), 16);
  EXPECT_EQ(at(76, float{}), -1) << "qfac of a left-handed image";
  EXPECT_EQ(at(108, float{}), 352);
  EXPECT_EQ(at(252, std::int16_t{}), 1);
  EXPECT_EQ(at(254, std::int16_t{}), 1);
  EXPECT_EQ(bytes.substr(344, 4), std::string("n+1\0", 4));
  EXPECT_EQ(bytes.size(), 352u + 5 * 4 * 3 * 2 * 4);
  // The qform alone gives the same affine as the sform.
  std::string qformOnly = bytes;
  qformOnly[254] = 0;
  writeBytes(folder / "q.nii", qformOnly);
  EXPECT_TRUE(sameGrid(*gridOf(io::openVolume(folder / "q.nii")), *gridOf(layer)));
}

TEST(SaveLayer, KeepsTheSpaceOfNifti) {
  TemporaryFolder folder;
  for (const Space space :
       {Space::scanner, Space::aligned, Space::talairach, Space::mni, Space::otherTemplate}) {
    Grid grid = obliqueGrid();
    grid.space = space;
    io::saveLayer(volumeLayer(grid), folder / "s.nii", true);
    EXPECT_EQ(gridOf(io::openVolume(folder / "s.nii"))->space, space);
    std::string bytes = readBytes(folder / "s.nii");
    EXPECT_EQ(int(bytes[252]), int(space));
    EXPECT_EQ(int(bytes[254]), int(space));
    bytes[254] = 0;  // the qform gives the same affine
    writeBytes(folder / "q.nii", bytes);
    EXPECT_EQ(gridOf(io::openVolume(folder / "q.nii"))->space, space);
    bytes[252] = 17;
    writeBytes(folder / "unknown.nii", bytes);
    EXPECT_EQ(gridOf(io::openVolume(folder / "unknown.nii"))->space, Space::scanner);
  }
}

TEST(SaveLayer, StatesNoOrientationThatWasAssumed) {
  TemporaryFolder folder;
  Grid grid = obliqueGrid();
  io::saveLayer(volumeLayer(grid), folder / "s.nii");
  std::string bytes = readBytes(folder / "s.nii");
  bytes[252] = bytes[254] = 0;
  writeBytes(folder / "stateless.nii", bytes);
  Layer read = io::openVolume(folder / "stateless.nii");
  ASSERT_TRUE(sidesAreAssumed(read));
  // The result on its grid is no more certain, in any format.
  io::saveLayer(volumeLayer(*gridOf(read)), folder / "result.nii");
  const Layer again = io::openVolume(folder / "result.nii");
  EXPECT_TRUE(sidesAreAssumed(again));
  EXPECT_TRUE(sameGrid(*gridOf(again), *gridOf(read)));
  // A different grid, which no reader would assume, has to be stated.
  grid.space = Space::assumed;
  io::saveLayer(volumeLayer(grid), folder / "oblique.nii");
  EXPECT_TRUE(sameGrid(*gridOf(io::openVolume(folder / "oblique.nii")), grid));
  EXPECT_EQ(int(readBytes(folder / "oblique.nii")[254]), int(Space::aligned));
}

TEST(SaveLayer, SaysTheSameInTheQformForEveryRotation) {
  TemporaryFolder folder;
  // Quarter and half turns about every axis reach each branch of the quaternion.
  const double turns[][3][3] = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}},  {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
                                {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}},  {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
                                {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},    {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
                                {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {{0, 0, -1}, {0, 1, 0}, {-1, 0, 0}}};
  for (const auto& turn : turns) {
    Grid grid = obliqueGrid();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) grid.worldFromVoxel.m[i][j] = turn[i][j] * (1 + j);
    io::saveLayer(volumeLayer(grid), folder / "r.nii", true);
    std::string bytes = readBytes(folder / "r.nii");
    bytes[254] = 0;
    writeBytes(folder / "r.nii", bytes);
    EXPECT_TRUE(sameGrid(*gridOf(io::openVolume(folder / "r.nii")), grid));
  }
}

TEST(SaveLayer, TakesNifti2WhereASideIsTooLongForNifti1) {
  TemporaryFolder folder;
  Grid grid = obliqueGrid();
  grid.size = {40000, 1, 2};
  const Layer layer = volumeLayer(grid);
  io::saveLayer(layer, folder / "long.nii");
  EXPECT_EQ(readBytes(folder / "long.nii").substr(4, 8), std::string("n+2\0\r\n\032\n", 8));
  const Layer opened = io::openVolume(folder / "long.nii");
  EXPECT_TRUE(sameGrid(*gridOf(opened), grid));
  EXPECT_EQ(seriesOf(opened).values, seriesOf(layer).values);
}

TEST(SaveLayer, OverwritesOnlyWhenAsked) {
  TemporaryFolder folder;
  const Layer layer = volumeLayer(obliqueGrid());
  writeBytes(folder / "scan.nii", "precious");
  expectError([&] { io::saveLayer(layer, folder / "scan.nii"); }, {"scan.nii", "exists already"});
  EXPECT_EQ(readBytes(folder / "scan.nii"), "precious");
  EXPECT_EQ(entriesOf(folder.path()), 1) << "nothing is left behind";
  io::saveLayer(layer, folder / "scan.nii", true);
  EXPECT_EQ(seriesOf(io::openVolume(folder / "scan.nii")).values, seriesOf(layer).values);
  EXPECT_EQ(entriesOf(folder.path()), 2) << "the scan and its sidecar";
}

Layer diffusionLayer() {
  Layer layer = volumeLayer(obliqueGrid(), 2);
  std::get<VolumeLayer>(layer.content).gradients.rows = {{0, {}}, {1000, {0, 0, 1}}};
  return layer;
}

TEST(SaveLayer, KeepsWhatOthersWroteIntoTheSidecar) {
  TemporaryFolder folder;
  Layer first = volumeLayer(obliqueGrid());
  first.unit = "mm";
  io::saveLayer(first, folder / "scan.nii");
  writeBytes(folder / "scan.json", R"({"EchoTime": 0.08, "Units": "mm", "SulcusKind": "peaks"})");
  io::saveLayer(volumeLayer(obliqueGrid()), folder / "scan.nii", true);
  const std::string json = readBytes(folder / "scan.json");
  EXPECT_NE(json.find("\"EchoTime\": 0.08"), std::string::npos) << json;
  EXPECT_NE(json.find("\"SulcusKind\": \"volume\""), std::string::npos) << json;
  EXPECT_EQ(json.find("Units"), std::string::npos) << "of the layer that was there";
}

TEST(SaveLayer, RefusesToLoseASidecarItCannotRead) {
  TemporaryFolder folder;
  io::saveLayer(volumeLayer(obliqueGrid()), folder / "scan.nii");
  writeBytes(folder / "scan.json", "{ broken");
  const std::string before = readBytes(folder / "scan.nii");
  expectError([&] { io::saveLayer(diffusionLayer(), folder / "scan.nii", true); }, {"scan.json"});
  EXPECT_EQ(readBytes(folder / "scan.nii"), before);
  EXPECT_EQ(readBytes(folder / "scan.json"), "{ broken");
  EXPECT_EQ(entriesOf(folder.path()), 2);
}

TEST(SaveLayer, LeavesNoGradientsBesideASeriesWithout) {
  TemporaryFolder folder;
  io::saveLayer(diffusionLayer(), folder / "scan.nii");
  EXPECT_EQ(entriesOf(folder.path()), 4);
  io::saveLayer(volumeLayer(obliqueGrid(), 2), folder / "scan.nii", true);
  EXPECT_EQ(entriesOf(folder.path()), 2);
  EXPECT_EQ(kindOf(io::openVolume(folder / "scan.nii")), "series");
}

TEST(SaveLayer, WritesImagesOfColorsAsNiftiAlone) {
  const TemporaryFolder folder;
  Layer layer = volumeLayer(obliqueGrid(false), 3);
  std::get<VolumeLayer>(layer.content).colors = true;
  for (const char* name : {"rgb.nrrd", "rgb.mha"}) {
    test::expectError([&] { io::saveLayer(layer, folder / name); }, {"colors", ".nii.gz"}, ErrorKind::usage);
    EXPECT_FALSE(std::filesystem::exists(folder / name));
  }
  io::saveLayer(layer, folder / "rgb.nii.gz");
  EXPECT_TRUE(std::get<VolumeLayer>(io::openVolume(folder / "rgb.nii.gz").content).colors);
}

TEST(SaveLayer, LeavesNoNamesBesideLabelsWithout) {
  const TemporaryFolder folder;
  const auto file = folder / "seg.nii.gz", table = folder / "seg.tsv";
  Layer named, plain;
  named.name = plain.name = "seg";
  const auto values = std::make_shared<const Volume<Label>>(obliqueGrid(false), 3);
  const auto names = std::make_shared<const LabelTable>(LabelTable{{3, {"Thalamus", {}}}});
  named.content = LabelsLayer{values, names}, plain.content = LabelsLayer{values};
  io::saveLayer(named, file);
  ASSERT_TRUE(std::get<LabelsLayer>(io::openVolume(file).content).names);
  io::saveLayer(plain, file, true);
  EXPECT_FALSE(std::filesystem::exists(table));
  EXPECT_FALSE(std::get<LabelsLayer>(io::openVolume(file).content).names);
  io::writeFile(table, "time\tvalue\n0\t1\n", true);
  io::saveLayer(plain, file, true);
  EXPECT_TRUE(std::filesystem::exists(table)) << "it names no labels";
}

TEST(SaveLayer, WritesNothingWhenOneOfItsFilesExists) {
  for (const char* taken : {"scan.json", "scan.bval", "scan.bvec"}) {
    TemporaryFolder folder;
    writeBytes(folder / taken, "{}");
    expectError([&] { io::saveLayer(diffusionLayer(), folder / "scan.nii"); }, {taken, "exists already"});
    EXPECT_EQ(entriesOf(folder.path()), 1) << taken;
    EXPECT_EQ(readBytes(folder / taken), "{}");
  }
}

TEST(SaveLayer, CanBeCancelledWhileItWrites) {
  TemporaryFolder folder;
  Grid grid = obliqueGrid();
  // 4 MB, reported by megabytes; 52 MB, reported in units of the 16 MB that are compressed together.
  for (const auto& [name, size] : {std::pair("scan.nii", Vec3<int>{100, 100, 100}),
                                   std::pair("scan.nii.gz", Vec3<int>{256, 256, 200})}) {
    grid.size = size;
    std::stop_source stop;
    int reports = 0;
    const Progress progress(stop.get_token(), [&](double, std::string_view) {
      if (++reports == 3) stop.request_stop();
    });
    EXPECT_THROW(io::saveLayer(volumeLayer(grid), folder / name, false, progress), Cancelled);
    EXPECT_EQ(reports, 3);
    EXPECT_EQ(entriesOf(folder.path()), 0);
  }
}

TEST(SaveLayer, SaysWhyItCannot) {
  TemporaryFolder folder;
  const Layer layer = volumeLayer(obliqueGrid());
  expectError([&] { io::saveLayer(layer, folder / "no/such/folder.nii"); },
              {"Cannot write 'folder.nii'", "make the folder"});
  expectError([&] { io::saveLayer(layer, folder / "scan.jpg"); }, {"scan.jpg", ".nii.gz"}, ErrorKind::usage);
  expectError([&] { io::saveLayer(layer, folder / ".nii"); }, {".nii"}, ErrorKind::usage);
  std::filesystem::create_directory(folder / "taken.nii");
  expectError([&] { io::saveLayer(layer, folder / "taken.nii", true); }, {"taken.nii", "is a folder"});
  Layer table;
  table.content = TableLayer{};
  expectError([&] { io::saveLayer(table, folder / "t.nii"); }, {"cannot be saved as a scan"},
              ErrorKind::usage);
  expectError([&] { io::saveLayer(volumeLayer(Grid()), folder / "t.nii"); }, {"no voxels"});
}

TEST(SaveLayer, SaysThatTheDiskIsFull) {
  // A file size limit acts like a full disk, wherever the temporary file is.
  TemporaryFolder folder;
  Grid grid = obliqueGrid();
  grid.size = {100, 100, 100};
  const auto saveWithLittleRoom = [&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1 << 16, 1 << 16};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      io::saveLayer(volumeLayer(grid), folder / "scan.nii");
    } catch (const Error& error) {
      const bool said = std::string(error.what()).find("Cannot write 'scan.nii'") != std::string::npos;
      _exit(said && entriesOf(folder.path()) == 0 ? 7 : 8);
    }
    _exit(9);
  };
  EXPECT_EXIT(saveWithLittleRoom(), testing::ExitedWithCode(7), "");
}

TEST(WriteFile, IsAtomicAndKeepsWhatIsThere) {
  TemporaryFolder folder;
  writeFile(folder / "a.txt", "one");
  expectError([&] { writeFile(folder / "a.txt", "two"); }, {"a.txt", "exists already"});
  EXPECT_EQ(readBytes(folder / "a.txt"), "one");
  writeFile(folder / "a.txt", "two", true);
  EXPECT_EQ(readBytes(folder / "a.txt"), "two");
  EXPECT_EQ(entriesOf(folder.path()), 1);
}

}  // namespace
}  // namespace sulcus::io
