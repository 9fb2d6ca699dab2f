#include "core/io/dicom/dicom_patient.h"
#include "tests/core/io/dicom/dicom_bytes.h"
#include "tests/core/io/io_test_support.h"
#include "tests/support/expect_error.h"

#include <gmock/gmock.h>
#include <itkGDCMImageIO.h>
#include <itkMetaDataObject.h>

namespace sulcus::io {
namespace {

using namespace test;

constexpr int kWidth = 4, kHeight = 3;
// An oblique grid in LPS has rows along (c, s, 0), columns along (−s, c, 0) and slices along z.
const double kCos = std::cos(0.2), kSin = std::sin(0.2);

/// Writes one slice as a DICOM file by GDCM, with the values 1000·volume + 100·slice + voxel.
void writeSlice(const std::filesystem::path& file, const std::string& seriesUid, int slice, int volume,
                int instance, double sliceGap = 4) {
  const auto io = itk::GDCMImageIO::New();
  io->SetFileName(file.string());
  io->SetNumberOfDimensions(3);
  const double spacing[] = {1.5, 2.5, sliceGap};
  const double direction[3][3] = {{kCos, kSin, 0}, {-kSin, kCos, 0}, {0, 0, 1}};
  const double origin[] = {10, -20, 30 + sliceGap * slice};
  const unsigned size[] = {kWidth, kHeight, 1};
  itk::ImageIORegion region(3);
  for (unsigned a = 0; a < 3; ++a) {
    io->SetDimensions(a, size[a]), region.SetSize(a, size[a]);
    io->SetSpacing(a, spacing[a]), io->SetOrigin(a, origin[a]);
    io->SetDirection(a, std::vector<double>(direction[a], direction[a] + 3));
  }
  io->SetIORegion(region);
  io->SetPixelType(itk::CommonEnums::IOPixel::SCALAR);
  io->SetComponentType(itk::CommonEnums::IOComponent::SHORT);
  io->SetNumberOfComponents(1);
  io->KeepOriginalUIDOn();
  auto& tags = io->GetMetaDataDictionary();
  const auto set = [&](const char* tag, const std::string& value) {
    itk::EncapsulateMetaData<std::string>(tags, tag, value);
  };
  set("0008|0060", "MR");
  set("0008|103e", "ep2d diff");
  set("0010|0010", "Secret^Person");
  set("0020|000d", "1.2.3.4");
  set("0020|000e", seriesUid);
  set("0020|0011", "5");
  set("0020|0013", std::to_string(instance));
  set("0018|0080", "2500");
  set("0008|0018", seriesUid + "." + std::to_string(instance));
  std::vector<short> pixels;
  for (int i = 0; i < kWidth * kHeight; ++i) pixels.push_back(short(1000 * volume + 100 * slice + i));
  io->Write(pixels.data());
}

class Dicom : public testing::Test {
 protected:
  /// Writes the slices of `volumes` volumes, whose names do not show their order.
  void writeSeries(const std::string& uid, int slices, int volumes) {
    for (int v = 0; v < volumes; ++v)
      for (int s = 0; s < slices; ++s) {
        const int instance = v * slices + s + 1;
        writeSlice(folder_ / (uid + "-" + std::to_string(97 * instance % 101) + ".dcm"), uid, s, v, instance);
      }
  }
  Layer openOnly() {
    const auto series = io::findDicomSeries(folder_.path());
    EXPECT_EQ(series.size(), 1u);
    return io::openDicomSeries(series.at(0));
  }
  TemporaryFolder folder_;
};

TEST_F(Dicom, SeriesIsStackedByPosition) {
  writeSeries("1.2.3.10", 5, 1);
  const Layer layer = openOnly();
  const auto& series = seriesOf(layer);
  EXPECT_EQ(series.grid.size, (Vec3<int>{kWidth, kHeight, 5}));
  EXPECT_EQ(series.count, 1);
  const double affine[3][4] = {
      {-1.5 * kCos, 2.5 * kSin, 0, -10}, {-1.5 * kSin, -2.5 * kCos, 0, 20}, {0, 0, 4, 30}};
  expectAffine(series.grid.worldFromVoxel, affine, 1e-4);
  for (int s = 0; s < 5; ++s) EXPECT_EQ(series.volume(0)(1, 2, s), 100 * s + 9) << s;
}

TEST_F(Dicom, SeriesOfSeveralVolumesIsParted) {
  writeSeries("1.2.3.10", 3, 4);
  const Layer layer = openOnly();
  ASSERT_EQ(seriesOf(layer).count, 4);
  for (int v = 0; v < 4; ++v)
    for (int s = 0; s < 3; ++s) EXPECT_EQ(seriesOf(layer).volume(v)(0, 0, s), 1000 * v + 100 * s);
  EXPECT_EQ(std::get<VolumeLayer>(layer.content).secondsPerVolume, 2.5);
}

TEST_F(Dicom, SeriesAreFoundApartAndPatientsStayUnnamed) {
  writeSeries("1.2.3.10", 3, 1);
  std::filesystem::create_directory(folder_ / "deeper");
  writeSlice(folder_ / "deeper/one.dcm", "1.2.3.11", 0, 0, 1);
  writeBytes(folder_ / "readme.txt", "no image");
  writeBytes(folder_ / "empty.dcm", "");
  const auto series = io::findDicomSeries(folder_.path());
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0].files.size() + series[1].files.size(), 4u);
  EXPECT_EQ(series[0].description, "5: ep2d diff, 3 images");
  for (const auto& one : series) {
    const Layer layer = io::openDicomSeries(one);
    EXPECT_EQ((layer.name + one.description + allNotes(layer)).find("Secret"), std::string::npos);
  }
}

TEST_F(Dicom, AFolderOfMuchElseIsNotLookedThroughToItsEnd) {
  writeSeries("1.2.3.10", 3, 1);
  std::filesystem::create_directory(folder_ / "deeper");
  for (int i = 0; i < 19'999; ++i) writeBytes(folder_ / "deeper" / std::to_string(i), "");
  EXPECT_EQ(io::findDicomSeries(folder_.path()).size(), 1u);
  writeBytes(folder_ / "deeper/another", "");
  expectError([&] { io::findDicomSeries(folder_.path()); },
              {"more than 20000 files and folders", "choose the folder that holds the scan"});
}

TEST_F(Dicom, ThePatientIsNamedWhenAskedFor) {
  writeSeries("1.2.3.10", 2, 1);
  writeBytes(folder_ / "readme.txt", "no image");
  EXPECT_EQ(io::patientNames(folder_.path(), {}), std::vector<std::string>{"Secret, Person"});
  EXPECT_EQ(io::patientNames(folder_ / "1.2.3.10-97.dcm", {}), std::vector<std::string>{"Secret, Person"});
  const std::string one = readBytes(folder_ / "1.2.3.10-97.dcm");
  std::string umlaut = one;  // Latin 1 without a character set element
  umlaut.replace(umlaut.find("Secret"), 6, "M\xfcller");
  writeBytes(folder_ / "other.dcm", umlaut);
  EXPECT_EQ(io::patientNames(folder_ / "other.dcm", {}), std::vector<std::string>{"M\xc3\xbcller, Person"});
  EXPECT_THAT(test::errorOf([&] { io::patientNames(folder_ / "readme.txt", {}); }),
              testing::HasSubstr("holds no DICOM file"));
}

TEST_F(Dicom, WhatIsLeftOutOfASeriesIsSaid) {
  writeSeries("1.2.3.10", 3, 1);
  const std::string one = readBytes(folder_ / "1.2.3.10-97.dcm");
  writeBytes(folder_ / "copy.dcm", one);
  writeBytes(folder_ / "damaged.dcm", one.substr(0, 200));

  const Layer layer = openOnly();

  EXPECT_EQ(seriesOf(layer).grid.size.z, 3);
  EXPECT_EQ(seriesOf(layer).count, 1);
  EXPECT_NE(allNotes(layer).find("1 images are in the folder twice"), std::string::npos);
  EXPECT_NE(allNotes(layer).find("Warning: images may be missing"), std::string::npos);
  EXPECT_NE(allNotes(layer).find("'damaged.dcm'"), std::string::npos);
}

TEST_F(Dicom, OneFileIsOneSlice) {
  writeSlice(folder_ / "slice.dcm", "1.2.3.10", 2, 0, 1);
  const Layer layer = io::openVolume(folder_ / "slice.dcm");
  EXPECT_EQ(gridOf(layer)->size, (Vec3<int>{kWidth, kHeight, 1}));
  EXPECT_EQ(seriesOf(layer).values[5], 205);
}

TEST_F(Dicom, SeriesWithAMissingSliceIsRefused) {
  writeSeries("1.2.3.10", 4, 1);
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    if (seriesOf(io::openVolume(entry.path())).values[0] == 200) std::filesystem::remove(entry.path());
  expectError([&] { openOnly(); }, {"not complete", "1 slice is missing", "8 mm apart and others 4 mm"});
}

TEST_F(Dicom, SeriesWithAMissingImageOfAVolumeIsRefused) {
  writeSeries("1.2.3.10", 3, 2);
  std::filesystem::remove(std::filesystem::directory_iterator(folder_.path())->path());
  expectError([&] { openOnly(); }, {"not complete"});
}

/// A slice at height z with a diffusion weighting.
std::string weightedSlice(int instance, double z, std::uint16_t value, double b, const Vec3<double>& lps) {
  return DicomFile(instance)
      .position(1, 2, z)
      .pixels({value, value, value, value})
      .set(0x00189087, "FD", littleEndian(b))
      .set(0x00189089, "FD", littleEndian(lps.x) + littleEndian(lps.y) + littleEndian(lps.z))
      .bytes();
}

TEST_F(Dicom, DiffusionWeightingsBecomeGradientsInRas) {
  const double b[] = {0, 1000, 2000};
  const Vec3<double> lps[] = {{0, 0, 0}, {1, 0, 0}, {0, 0.6, 0.8}};
  for (int v = 0; v < 3; ++v)
    for (int s = 0; s < 2; ++s)
      writeBytes(folder_ / (std::to_string(v) + std::to_string(s)),
                 weightedSlice(2 * v + s + 1, 3 * s, std::uint16_t(10 * v + s), b[v], lps[v]));
  const Layer layer = openOnly();
  const auto& rows = std::get<VolumeLayer>(layer.content).gradients.rows;
  ASSERT_EQ(rows.size(), 3u) << allNotes(layer);
  for (int v = 0; v < 3; ++v) {
    EXPECT_EQ(rows[v].b, b[v]);
    EXPECT_NEAR(norm(rows[v].directionWorld - Vec3<double>{-lps[v].x, -lps[v].y, lps[v].z}), 0, 1e-12);
    EXPECT_EQ(seriesOf(layer).volume(v)(1, 1, 1), 10 * v + 1);
  }
}

TEST_F(Dicom, WeightingsThatDifferWithinAVolumeAreNotUsed) {
  for (int s = 0; s < 2; ++s)
    for (int v = 0; v < 2; ++v)
      writeBytes(folder_ / (std::to_string(v) + std::to_string(s)),
                 weightedSlice(2 * v + s + 1, 3 * s, 1, v == 0 ? 0 : 1000 + 100 * s, {1, 0, 0}));
  const Layer layer = openOnly();
  EXPECT_TRUE(std::get<VolumeLayer>(layer.content).gradients.empty());
  EXPECT_NE(allNotes(layer).find("differs between slices"), std::string::npos);
}

/// Two volumes of three slices. Slice s of volume v has the value 100 v + s, and is modified by `change`;
/// names are in random order.
void writeUnnumbered(const TemporaryFolder& folder,
                     const std::function<void(DicomFile&, int v, int s)>& change) {
  const char* names[2][3] = {{"c", "f", "a"}, {"b", "d", "e"}};
  for (int v = 0; v < 2; ++v)
    for (int s = 0; s < 3; ++s) {
      DicomFile file(3 * v + s + 1);
      file.position(1, 2, 3 * s).pixels(std::vector<std::uint16_t>(4, std::uint16_t(100 * v + s)));
      file.remove(0x00200013);
      change(file, v, s);
      writeBytes(folder / names[v][s], file.bytes());
    }
}

TEST_F(Dicom, ImagesAtOnePlaceThatNothingPartsAreRefused) {
  const std::vector<std::string> words{"which images belong to one volume", "'b' and 'c'"};
  writeUnnumbered(folder_, [](DicomFile&, int, int) {});
  expectError([&] { openOnly(); }, words);
  writeUnnumbered(folder_, [](DicomFile& file, int, int) { file.set(0x00200013, "IS", "1"); });
  expectError([&] { openOnly(); }, words);
  // The numbers start again with each volume, in alternating directions.
  writeUnnumbered(folder_, [](DicomFile& file, int v, int s) {
    file.set(0x00200013, "IS", std::to_string(v == 0 ? s + 1 : 3 - s));
  });
  expectError([&] { openOnly(); }, {"which images belong to one volume"});
}

TEST_F(Dicom, VolumesWithoutInstanceNumbersAreToldApartByTheirHeaders) {
  const auto expectParted = [&](const char* what,
                                const std::function<void(DicomFile&, int v, int s)>& change) {
    writeUnnumbered(folder_, change);
    const Layer layer = openOnly();
    ASSERT_EQ(seriesOf(layer).count, 2) << what;
    for (int v = 0; v < 2; ++v)
      for (int s = 0; s < 3; ++s)
        EXPECT_EQ(seriesOf(layer).volume(v)(0, 0, s), 100 * v + s) << what << " " << v << s;
  };
  const auto element = [](std::uint32_t tag, const std::string& type,
                          const std::vector<std::string>& values) {
    return [=](DicomFile& file, int v, int) { file.set(tag, type, values[std::size_t(v)]); };
  };
  expectParted("acquisition number", element(0x00200012, "IS", {"9", "10"}));
  expectParted("time", element(0x00080032, "TM", {"101500", "101500.25"}));
  expectParted("date", element(0x00080022, "DA", {"20240131", "20240201"}));
  expectParted("temporal position", element(0x00200100, "IS", {"1", "2"}));
  expectParted("echo number", element(0x00180086, "IS", {"1", "2"}));
  expectParted("echo time", element(0x00180081, "DS", {"9.5", "20"}));
  expectParted("b-value", element(0x00189087, "FD", {littleEndian(0.0), littleEndian(800.0)}));
  expectParted("numbers that begin anew", [](DicomFile& file, int v, int s) {
    file.set(0x00200013, "IS", std::to_string(v == 0 ? s + 1 : 3 - s));
    file.set(0x00200012, "IS", std::to_string(v + 1));
  });
}

TEST_F(Dicom, ImagesThatDoNotBelongTogetherAreRefused) {
  const auto expectRefused = [&](std::uint32_t tag, const std::string& type, const char* one,
                                 const char* other, const char* what) {
    for (int s = 0; s < 3; ++s)
      writeBytes(folder_ / std::to_string(s),
                 DicomFile(s + 1).position(1, 2, 3 * s).set(tag, type, s == 1 ? other : one).bytes());
    expectError([&] { openOnly(); }, {"do not belong together", what, one, other, "'0'", "'1'"});
  };
  expectRefused(0x00080060, "CS", "MR", "CT", "modality");
  expectRefused(0x00200052, "UI", "1.2.7", "1.2.8", "frame of reference");
  expectRefused(0x00280004, "CS", "MONOCHROME2", "MONOCHROME1", "photometric interpretation");
}

TEST_F(Dicom, VolumesOfSeveralKindsAreNamed) {
  const auto kind = [](DicomFile& file, int v, int s) {
    file.set(0x00200013, "IS", std::to_string(3 * v + s + 1));
    file.set(0x00180081, "DS", v == 0 ? "10" : "30.5");
    file.set(0x00080008, "CS", v == 0 ? "ORIGINAL\\PRIMARY\\M" : "ORIGINAL\\PRIMARY\\P");
  };
  writeUnnumbered(folder_, kind);
  EXPECT_NE(allNotes(openOnly())
                .find("1 volume, from volume 1 on, of echo time 10 ms, image type "
                      "ORIGINAL\\PRIMARY\\M; 1 volume, from volume 2 on, of echo time 30.5 ms, "
                      "image type ORIGINAL\\PRIMARY\\P."),
            std::string::npos)
      << allNotes(openOnly());
  writeUnnumbered(folder_, [&](DicomFile& file, int v, int s) { kind(file, s == 1 ? 1 - v : v, s); });
  EXPECT_EQ(allNotes(openOnly()).find("images of one volume differ"), std::string::npos);
  writeUnnumbered(folder_, [&](DicomFile& file, int v, int s) {
    kind(file, v, s);
    if (s == 1) file.set(0x00180081, "DS", v == 0 ? "30.5" : "10");
  });
  EXPECT_NE(allNotes(openOnly()).find("images of one volume differ"), std::string::npos);
}

TEST_F(Dicom, WhatOnlySomeImagesHaveIsSaid) {
  writeBytes(folder_ / "a", DicomFile(1).bytes());
  writeBytes(folder_ / "b",
             DicomFile(2).position(1, 2, 3).remove(0x00280004).set(0x00280103, "US", us(1)).bytes());
  const std::string notes = allNotes(openOnly());
  for (const char* words : {"uint16", "int16.", "PhotometricInterpretation"})
    EXPECT_NE(notes.find(words), std::string::npos) << notes;
}

TEST_F(Dicom, FilesThatAreCutAreRefused) {
  writeSlice(folder_ / "slice.dcm", "1.2.3.10", 0, 0, 1);
  const std::string whole = readBytes(folder_ / "slice.dcm");
  for (const std::size_t size : {std::size_t(133), std::size_t(200), std::size_t(400), whole.size() - 4}) {
    writeBytes(folder_ / "slice.dcm", whole.substr(0, size));
    expectError([&] { io::openVolume(folder_ / "slice.dcm"); }, {"slice.dcm", "cannot be read as DICOM"});
  }
  expectError([&] { io::findDicomSeries(folder_ / "nowhere"); }, {"nowhere", "not a folder"});
}

}  // namespace
}  // namespace sulcus::io
