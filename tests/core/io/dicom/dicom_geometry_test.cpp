#include "core/io/dicom/dicom_thumbnail.h"
#include "tests/core/io/dicom/dicom_bytes.h"
#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;

constexpr std::uint32_t kPosition = 0x00200032, kOrientation = 0x00200037, kSpacing = 0x00280030,
                        kThickness = 0x00180050;

class DicomGeometry : public testing::Test {
 protected:
  Layer open(const DicomFile& file) {
    writeBytes(folder_ / "scan.dcm", file.bytes());
    return io::openVolume(folder_ / "scan.dcm");
  }
  void expectRefused(const DicomFile& file, const std::vector<std::string>& words) {
    std::vector<std::string> all = words;
    all.push_back("scan.dcm");
    expectError([&] { open(file); }, all);
  }
  /// The series of the slices after applying `change` to each.
  Layer openSeries(const std::function<void(DicomFile&, int)>& change, int slices = 4) {
    for (int s = 0; s < slices; ++s) {
      DicomFile file(s + 1);
      file.position(1, 2, 3 * s);
      change(file, s);
      writeBytes(folder_ / ("slice" + std::to_string(s)), file.bytes());
    }
    return io::openDicomSeries(io::findDicomSeries(folder_.path()).at(0));
  }
  TemporaryFolder folder_;
};

bool warns(const Layer& layer, const std::string& words) {
  return std::any_of(layer.notes.begin(), layer.notes.end(), [&](const std::string& note) {
    return note.starts_with("Warning:") && note.find(words) != note.npos;
  });
}

TEST_F(DicomGeometry, OneSliceLiesWhereItsHeaderSays) {
  const Layer layer =
      open(DicomFile().position(1, 2, 7).set(kSpacing, "DS", "1.5\\2.5").pixels({1, 2, 3, 4}));
  const double affine[3][4] = {{-2.5, 0, 0, -1}, {0, -1.5, 0, -2}, {0, 0, 3, 7}};
  expectAffine(gridOf(layer)->worldFromVoxel, affine, 1e-12);
  EXPECT_FALSE(warns(layer, "")) << allNotes(layer);
  EXPECT_EQ(seriesOf(layer).values, (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(DicomGeometry, OnePictureWithoutGeometryOpensWithAWarning) {
  struct Case {
    std::uint32_t tag;
    const char* zeros;
    const char* name;
  };
  for (const Case& one : {Case{kOrientation, "0\\0\\0\\0\\0\\0", "orientation"},
                          Case{kSpacing, "0\\0", "pixel spacing"}, Case{kPosition, "", "position"}})
    for (const bool zero : {false, true}) {
      DicomFile file;
      zero ? file.set(one.tag, "DS", one.zeros) : file.remove(one.tag);
      const Layer layer = open(file);
      EXPECT_TRUE(warns(layer, one.name)) << allNotes(layer);
      EXPECT_EQ(allNotes(layer).find("Orientation from the DICOM headers"), std::string::npos);
    }
  EXPECT_TRUE(warns(open(DicomFile().remove(kThickness)), "thickness"));
  EXPECT_TRUE(warns(open(DicomFile().set(kThickness, "DS", "0")), "thickness"));
}

TEST_F(DicomGeometry, GeometryThatIsNoneIsRefused) {
  expectRefused(DicomFile().set(kOrientation, "DS", "2\\0\\0\\0\\1\\0"), {"directions of its rows"});
  expectRefused(DicomFile().set(kOrientation, "DS", "1\\0\\0\\1\\0\\0"), {"directions of its rows"});
  expectRefused(DicomFile().set(kOrientation, "DS", "1\\0\\0\\0\\1"), {"wrong count"});
  expectRefused(DicomFile().set(kSpacing, "DS", "-1\\1"), {"negative"});
  expectRefused(DicomFile().set(kPosition, "DS", "1\\2\\x"), {"not a number"});
  expectRefused(DicomFile().set(kPosition, "DS", "1\\2\\1e30"), {"beyond anything physical"});
}

TEST_F(DicomGeometry, SeriesWithoutGeometryAreRefused) {
  struct Case {
    std::uint32_t tag;
    const char* name;
  };
  for (const Case& one :
       {Case{kOrientation, "orientation"}, Case{kSpacing, "pixel spacing"}, Case{kPosition, "position"}})
    expectError([&] { openSeries([&](DicomFile& file, int) { file.remove(one.tag); }); },
                {"does not say where its slices lie", one.name, "slice"});
  // One file lacks a position.
  expectError([&] { openSeries([&](DicomFile& file, int s) { s == 2 ? file.remove(kPosition) : file; }); },
              {"does not say where its slices lie", "slice2"});
}

TEST_F(DicomGeometry, SlicesWithoutThicknessAreAsThickAsTheyAreApart) {
  const Layer layer = openSeries([](DicomFile& file, int) { file.remove(kThickness); });
  EXPECT_EQ(gridOf(layer)->spacing().z, 3);
  EXPECT_FALSE(warns(layer, "")) << allNotes(layer);
}

TEST_F(DicomGeometry, TiltedGantryIsKept) {
  const Layer layer = openSeries([](DicomFile& file, int s) { file.position(1, 2 + s, 3 * s); });
  const double affine[3][4] = {{-1, 0, 0, -1}, {0, -1, -1, -2}, {0, 0, 3, 0}};
  expectAffine(gridOf(layer)->worldFromVoxel, affine, 1e-6);
  EXPECT_NE(allNotes(layer).find("tilted gantry"), std::string::npos);
}

TEST_F(DicomGeometry, ShiftedImagesAreRefused) {
  // The slices are side by side.
  expectError([&] { openSeries([](DicomFile& file, int s) { file.position(50 * s, 2, 0); }); },
              {"do not form a stack", "'slice1' is shifted by 50 mm"});
  // The second of two volumes is shifted, then only one of its images.
  expectError([&] { openSeries([](DicomFile& f, int s) { f.position(s < 2 ? 1 : 51, 2, 3 * (s % 2)); }); },
              {"do not form a stack", "50 mm", "'slice0'"});
  expectError([&] { openSeries([](DicomFile& f, int s) { f.position(s < 3 ? 1 : 1.12, 2, 3 * (s % 2)); }); },
              {"do not form a stack", "'slice3' is shifted by 0.12 mm"});
  // One slice is shifted within a tilted stack.
  expectError([&] { openSeries([](DicomFile& f, int s) { f.position(1, 2 + (s == 2 ? 5 : s), 3 * s); }); },
              {"do not form a stack", "'slice2' is shifted by 3 mm"});
}

TEST_F(DicomGeometry, PositionsThatAreRoundedAreNoShift) {
  const Layer layer =
      openSeries([](DicomFile& file, int s) { file.position(s < 2 ? 1 : 1.009, 2, 3 * (s % 2)); });
  EXPECT_EQ(seriesOf(layer).count, 2);
}

TEST_F(DicomGeometry, SlicesThatMayBeVolumesAreRefused) {
  const auto close = [](DicomFile& file, int s) { file.position(1, 2, 0.009 * s); };
  expectError([&] { openSeries(close); }, {"which images are slices", "'slice0'", "0.009 mm apart"});
  // With a slice thickness of the same size, they are slices.
  const Layer layer = openSeries([&](DicomFile& file, int s) {
    close(file, s);
    file.set(kThickness, "DS", "0.009");
  });
  EXPECT_EQ(gridOf(layer)->size.z, 4);
}

TEST_F(DicomGeometry, EnhancedFramesLieWhereTheirGroupsSay) {
  // The frames may be in any order.
  const Layer layer = open(enhancedFile({6, 0, 3, 9}));
  const double affine[3][4] = {{-2, 0, 0, -1}, {0, -2, 0, -2}, {0, 0, 3, 0}};
  expectAffine(gridOf(layer)->worldFromVoxel, affine, 1e-6);
  const float wanted[] = {10, 20, 0, 30};
  for (int s = 0; s < 4; ++s) EXPECT_EQ(seriesOf(layer).volume(0)(1, 1, s), wanted[s]) << s;
  EXPECT_FALSE(warns(layer, "")) << allNotes(layer);
}

TEST_F(DicomGeometry, EnhancedFilesOfOneVolumeEachAreASeries) {
  for (int v = 0; v < 3; ++v)
    writeBytes(folder_ / ("volume" + std::to_string(v)),
               enhancedFile({0, 3})
                   .set(0x00200013, "IS", std::to_string(3 - v))
                   .pixels(std::vector<std::uint16_t>(8, std::uint16_t(v)))
                   .bytes());
  const Layer layer = io::openDicomSeries(io::findDicomSeries(folder_.path()).at(0));
  ASSERT_EQ(seriesOf(layer).count, 3);
  EXPECT_EQ(gridOf(layer)->size, (Vec3<int>{2, 2, 2}));
  for (int v = 0; v < 3; ++v) EXPECT_EQ(seriesOf(layer).volume(v)(0, 0, 1), 2 - v);
}

TEST_F(DicomGeometry, EnhancedFilesOfSeveralVolumesAreASeries) {
  // Volume after volume, or slice after slice.
  for (const auto& heights : {std::vector<double>{0, 3, 0, 3, 0, 3}, {0, 0, 0, 3, 3, 3}}) {
    const Layer layer = open(enhancedFile(heights));
    ASSERT_EQ(seriesOf(layer).count, 3);
    EXPECT_EQ(gridOf(layer)->size, (Vec3<int>{2, 2, 2}));
    const bool bySlice = heights[1] == 0;
    for (int v = 0; v < 3; ++v)
      for (int s = 0; s < 2; ++s)
        EXPECT_EQ(seriesOf(layer).volume(v)(1, 0, s), 10 * (bySlice ? v + 3 * s : 2 * v + s)) << v << s;
  }
}

TEST_F(DicomGeometry, EnhancedFilesHoldTheWeightingsOfTheirVolumes) {
  const auto diffusion = [](double b, const std::string& direction) {
    std::string value;
    if (!direction.empty())
      value = dicomElement(0x18, 0x9076, "SQ", dicomItems({dicomElement(0x18, 0x9089, "FD", direction)}));
    value += dicomElement(0x18, 0x9087, "FD", littleEndian(b));
    return dicomElement(0x18, 0x9117, "SQ", dicomItems({value}));
  };
  const std::string back = littleEndian(0.0) + littleEndian(1.0) + littleEndian(0.0);
  std::vector<std::string> frames;
  for (int v = 0; v < 2; ++v)
    for (int s = 0; s < 2; ++s)
      frames.push_back(
          diffusion(v * 1000, v == 0 ? "" : back) +
          dicomElement(0x20, 0x9113, "SQ",
                       dicomItems({dicomElement(0x20, 0x32, "DS", "1\\2\\" + std::to_string(3 * s))})));
  const Layer layer = open(enhancedFile({0, 3, 0, 3}).set(0x52009230, "SQ", dicomItems(frames)));
  const auto& rows = std::get<VolumeLayer>(layer.content).gradients.rows;
  ASSERT_EQ(rows.size(), 2u) << allNotes(layer);
  EXPECT_EQ(rows[0].b, 0);
  EXPECT_EQ(rows[1].b, 1000);
  EXPECT_EQ(rows[1].directionWorld, (Vec3<double>{0, -1, 0})) << "RAS";
}

TEST_F(DicomGeometry, PrivateWeightingsOfPhilipsAreRead) {
  for (int v = 0; v < 2; ++v)
    for (int s = 0; s < 2; ++s) {
      DicomFile file(1 + 2 * v + s);
      file.position(1, 2, 3 * s).set(0x00080070, "LO", "Philips");
      file.set(0x20010010, "LO", "Philips Imaging DD 001")
          .set(0x20011003, "FL", littleEndian(1000.F * float(v)));
      file.set(0x20050010, "LO", "Philips MR Imaging DD 001");
      const float direction[] = {0, 0.6F, 0.8F};  // left, back, head
      for (unsigned i = 0; i < 3; ++i)
        file.set(0x200510b0 + i, "FL", littleEndian(v == 0 ? 0.F : direction[i]));
      writeBytes(folder_ / ("image" + std::to_string(2 * v + s)), file.bytes());
    }
  const Layer layer = io::openDicomSeries(io::findDicomSeries(folder_.path()).at(0));
  const auto& rows = std::get<VolumeLayer>(layer.content).gradients.rows;
  ASSERT_EQ(rows.size(), 2u) << allNotes(layer);
  EXPECT_EQ(rows[0].b, 0);
  EXPECT_EQ(rows[1].b, 1000);
  EXPECT_NEAR(norm(rows[1].directionWorld - Vec3<double>{0, -0.6, 0.8}), 0, 1e-6);
}

TEST_F(DicomGeometry, PrivateWeightingsOfGeAreTurnedFromTheAxesOfTheEncoding) {
  // For a scan whose phase runs along the columns and one where it runs along the rows; rows point to the
  // patient's left and columns to the back. b = 0, 1000, and a quarter of 2000 by the length of its vector.
  const std::string directions[3][3] = {{"0", "0", "0"}, {"0.6", "0", "0.8 "}, {"0", "-0.5", "0"}};
  const std::string weightings[3] = {"0\\8\\0\\0 ", "1000001000\\8\\0\\0", "2000\\8\\0\\0"};
  for (const std::string phase : {"COL ", "ROW "}) {
    TemporaryFolder folder;
    for (int v = 0; v < 3; ++v)
      for (int s = 0; s < 2; ++s) {
        DicomFile file(1 + 2 * v + s);
        file.position(1, 2, 3 * s).set(0x00181312, "CS", phase).set(0x00080070, "LO", "GE MEDICAL SYSTEMS");
        file.set(0x00185100, "CS", "HFS");
        file.set(0x00190010, "LO", "GEMS_ACQU_01").set(0x00430010, "LO", "GEMS_PARM_01");
        for (unsigned i = 0; i < 3; ++i) file.set(0x001910bb + i, "DS", directions[v][i]);
        writeBytes(folder / ("image" + std::to_string(2 * v + s)),
                   file.set(0x00431039, "IS", weightings[v]).bytes());
      }
    const Layer layer = io::openDicomSeries(io::findDicomSeries(folder.path()).at(0));
    const auto& rows = std::get<VolumeLayer>(layer.content).gradients.rows;
    ASSERT_EQ(rows.size(), 3u) << allNotes(layer);
    EXPECT_EQ(rows[0].b, 0);
    EXPECT_EQ(rows[1].b, 1000);
    EXPECT_NEAR(rows[2].b, 500, 1e-9);
    const bool columns = phase == "COL ";
    const Vec3<double> wanted[] = {columns ? Vec3<double>{-0.6, 0, -0.8} : Vec3<double>{0, 0.6, -0.8},
                                   columns ? Vec3<double>{0, 1, 0} : Vec3<double>{1, 0, 0}};
    // Either of the two opposite directions, which are equivalent.
    for (int v = 1; v < 3; ++v) EXPECT_NEAR(std::abs(dot(rows[v].directionWorld, wanted[v - 1])), 1, 1e-6);
  }
}

TEST_F(DicomGeometry, AThumbnailIsTheMiddlePicture) {
  for (int s = 0; s < 3; ++s) {
    DicomFile file(1 + s);
    const auto bright = std::uint16_t(s == 1 ? 100 : 0);
    writeBytes(folder_ / ("image" + std::to_string(s)),
               file.position(1, 2, 3 * s).pixels({0, 50, bright, bright}).bytes());
  }
  const Thumbnail picture = io::thumbnailOf(io::findDicomSeries(folder_.path()).at(0), 64);
  EXPECT_EQ(picture.width, 2);
  EXPECT_EQ(picture.height, 2);
  EXPECT_EQ(picture.pixels, (std::vector<std::uint8_t>{0, 128, 255, 255})) << "rows from the top";
  EXPECT_EQ(io::thumbnailOf(io::findDicomSeries(folder_.path()).at(0), 1).pixels.size(), 1u);
}

TEST_F(DicomGeometry, EnhancedFramesWithoutPlacesAreRefused) {
  expectRefused(enhancedFile({0, 3, 0}), {"not complete"});
  expectRefused(enhancedFile({0, 3, 6}).remove(0x52009230), {"3 frames", "where they lie"});
  expectRefused(enhancedFile({0, 3, 6}).remove(0x52009229), {"orientation", "pixel spacing"});
  expectRefused(enhancedFile({0, 3, 6}, dicomElement(0x28, 0x30, "DS", "0\\0")), {"pixel spacing"});
  // One frame lacks a position, and one is described but missing.
  DicomFile file = enhancedFile({0, 3});
  const std::string place =
      dicomElement(0x20, 0x9113, "SQ", dicomItems({dicomElement(0x20, 0x32, "DS", "1\\2\\0")}));
  expectRefused(file.set(0x52009230, "SQ", dicomItems({place, ""})), {"position"});
  expectRefused(file.set(0x52009230, "SQ", dicomItems({place})), {"2 frames", "of 1"});
  // Several frames share one position.
  expectRefused(DicomFile().set(0x00280008, "IS", "2").pixels(std::vector<std::uint16_t>(8)),
                {"2 frames", "where they lie"});
}

}  // namespace
}  // namespace sulcus::io
