// Kinds of series that dcm2niix handles, and the notes on them.
#include "tests/core/io/dicom/dicom_bytes.h"
#include "tests/core/io/io_test_support.h"
#include "tests/support/expect_error.h"

#include <cstdio>
#include <cstdlib>

namespace sulcus::io {
namespace {

using namespace test;

class DicomKinds : public testing::Test {
 protected:
  Layer openOnly() {
    const auto series = io::findDicomSeries(folder_.path());
    EXPECT_EQ(series.size(), 1u);
    return io::openDicomSeries(series.at(0));
  }
  TemporaryFolder folder_;
};

/// The time 10:00 plus `seconds` in DICOM format.
std::string clock(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "10%02d%09.6f", int(seconds) / 60, std::fmod(seconds, 60));
  return text;
}

TEST_F(DicomKinds, TheTimeOfAVolumeIsFromOneToTheNext) {
  // Sparse sampling, a repetition time for each slice, and one for each excitation of a 3D sequence.
  const struct {
    const char *stated, *type;
    double right;
  } kinds[] = {{"2000", "2D", 8}, {"65", "2D", 2.08}, {"50", "3D", 2.5}};
  for (const auto& kind : kinds) {
    TemporaryFolder folder;
    for (int i = 0; i < 20; ++i)
      writeBytes(folder / std::to_string(i), DicomFile(i + 1)
                                                 .position(1, 2, 3 * (i % 4))
                                                 .set(0x00080070, "LO", "SIEMENS")
                                                 .set(0x00080032, "TM", clock(kind.right * (i / 4)))
                                                 .set(0x00180020, "CS", "EP")
                                                 .set(0x00180023, "CS", kind.type)
                                                 .set(0x00180080, "DS", kind.stated)
                                                 .set(0x00200012, "IS", std::to_string(i / 4 + 1))
                                                 .bytes());
    const Layer layer = io::openDicomSeries(io::findDicomSeries(folder.path()).at(0));
    ASSERT_EQ(seriesOf(layer).count, 5);
    EXPECT_NEAR(std::get<VolumeLayer>(layer.content).secondsPerVolume, kind.right, 1e-6);
    EXPECT_NE(allNotes(layer).find("By the acquisition times"), std::string::npos) << allNotes(layer);
  }
}

TEST_F(DicomKinds, AMeanOverDirectionsIsExcluded) {
  const Vec3<double> lps[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
  for (int v = 0; v < 5; ++v)
    for (int s = 0; s < 2; ++s) {
      const double b = v == 0 ? 0 : 2000;
      const Vec3<double>& g = lps[v];
      writeBytes(folder_ / (std::to_string(v) + std::to_string(s)),
                 DicomFile(2 * v + s + 1)
                     .position(1, 2, 3 * s)
                     .pixels(std::vector<std::uint16_t>(4, std::uint16_t(10 * v + s)))
                     .set(0x00080070, "LO", "Philips Medical Systems")
                     .set(0x00189075, "CS",
                          v == 0  ? "NONE"
                          : v < 4 ? "DIRECTIONAL"
                                  : "ISOTROPIC")
                     .set(0x00189087, "FD", littleEndian(b))
                     .set(0x00189089, "FD", littleEndian(g.x) + littleEndian(g.y) + littleEndian(g.z))
                     .bytes());
    }
  const Layer layer = openOnly();
  EXPECT_EQ(seriesOf(layer).count, 4);
  EXPECT_EQ(std::get<VolumeLayer>(layer.content).gradients.rows.size(), 4u) << allNotes(layer);
  EXPECT_NE(allNotes(layer).find("1 volume is left out: a mean over directions"), std::string::npos);
}

TEST_F(DicomKinds, WhatIsNotAnImageIsIgnored) {
  for (int s = 0; s < 3; ++s)
    writeBytes(folder_ / std::to_string(s), DicomFile(s + 1).position(1, 2, 3 * s).bytes());
  const auto object = [](const char* sopClass) {
    return DicomFile(9).set(0x00080016, "UI", sopClass).remove(0x7fe00010);
  };
  writeBytes(folder_ / "PS_1", object("1.2.840.10008.5.1.4.1.1.11.1").bytes());
  writeBytes(folder_ / "XX_1", object("1.2.840.10008.5.1.4.1.1.66").set(0x00080018, "UI", "7").bytes());
  writeBytes(folder_ / "odd", object("1.2.3").set(0x00080018, "UI", "8").bytes());
  writeBytes(folder_ / "report", object("1.2.840.10008.5.1.4.1.1.88.33").set(0x0020000e, "UI", "4").bytes());
  const Layer layer = openOnly();
  EXPECT_EQ(gridOf(layer)->size.z, 3);
  for (const char* words :
       {"Skipped, not images: a presentation state, raw data", "1 file of the series without"})
    EXPECT_NE(allNotes(layer).find(words), std::string::npos) << allNotes(layer);
  expectError([&] { io::openVolume(folder_ / "report"); }, {"'report' is a structured report"});
  writeBytes(folder_ / "seg", DicomFile().set(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.66.4").bytes());
  expectError([&] { io::openVolume(folder_ / "seg"); }, {"segmentation (SEG)", "dcmqi"});
}

TEST_F(DicomKinds, OneFileOfASeriesSaysSo) {
  const auto write = [&](int s) {
    writeBytes(folder_ / std::to_string(1000 + s), DicomFile(s + 1).position(1, 2, 3 * s).bytes());
  };
  const auto notesOf = [&](int s) { return allNotes(io::openVolume(folder_ / std::to_string(1000 + s))); };
  for (int s = 0; s < 4; ++s) write(s);
  EXPECT_NE(notesOf(2).find("one of 4 images of its series"), std::string::npos) << notesOf(2);
  for (int s = 4; s < 250; ++s) write(s);
  for (const int s : {0, 120, 249})
    EXPECT_NE(notesOf(s).find("one of at least 200 images"), std::string::npos) << notesOf(s);
}

TEST_F(DicomKinds, SlicesThatHeadersPlaceNearlyEvenlyAreOpened) {
  const double heights[] = {0, 2.1, 3.9, 6}, aside[] = {0, 0.03, -0.02, 0.01};
  for (int s = 0; s < 4; ++s) {
    writeBytes(folder_ / std::to_string(s),
               DicomFile(s + 1).set(0x00180050, "DS", "2").position(1 + aside[s], 2, heights[s]).bytes());
  }
  const Layer layer = openOnly();
  EXPECT_EQ(gridOf(layer)->size.z, 4);
  const double affine[3][4] = {{-1, 0, 0, -1}, {0, -1, 0, -2}, {0, 0, 2, 0}};
  expectAffine(gridOf(layer)->worldFromVoxel, affine, 1e-6);
  EXPECT_NE(allNotes(layer).find("deviate from the regular grid"), std::string::npos);
  EXPECT_NE(allNotes(layer).find("0.1 mm along their normal"), std::string::npos) << allNotes(layer);
}

TEST_F(DicomKinds, SlicesThatLieUnevenlyAreInterpolated) {
  // As in a computed tomography of a head: 4 mm at the base, 7 mm above, 1 mm at the transition.
  const double heights[] = {0, 4, 8, 12, 13, 20, 27, 34};
  for (int s = 0; s < 8; ++s)
    writeBytes(folder_ / std::to_string(s),
               DicomFile(s + 1)
                   .set(0x00080060, "CS", "CT")
                   .position(1, 2, heights[s])
                   .pixels(std::vector<std::uint16_t>(4, std::uint16_t(100 + 10 * heights[s])))
                   .bytes());
  const Layer layer = openOnly();
  const Grid& grid = *gridOf(layer);
  ASSERT_EQ(grid.size.z, 10) << "4 mm apart, as close as fits between the first and the last";
  EXPECT_NEAR(grid.spacing().z, 34.0 / 9, 1e-9);
  for (int s = 0; s < 10; ++s)
    EXPECT_NEAR(seriesOf(layer).volume(0)(1, 0, s), 100 + 10 * s * 34.0 / 9, 1e-3) << s;
  EXPECT_NE(allNotes(layer).find("Warning: the slices are 1 to 7 mm apart: an even grid is interpolated"),
            std::string::npos)
      << allNotes(layer);
  // A gap between two evenly spaced parts is not interpolated.
  for (int s = 0; s < 8; ++s)
    writeBytes(folder_ / std::to_string(s),
               DicomFile(s + 1).position(1, 2, 3 * s + (s > 4 ? 40 : 0)).bytes());
  expectError([&] { openOnly(); }, {"not complete", "'4' and '5'"});
}

TEST_F(DicomKinds, TilesOfUnitedImagingAreUnfolded) {
  for (const int across : {2, 3}) {  // tiles of 3 × 2 pixels, two of them down, the last one empty
    TemporaryFolder folder;
    const int slices = 2 * across - (across == 3);
    for (int v = 0; v < 3; ++v) {
      std::vector<std::uint16_t> values;
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 3 * across; ++x)
          values.push_back(std::uint16_t(1000 * v + 100 * (y / 2 * across + x / 3)));
      std::vector<std::string> places;
      for (int s = 0; s < slices; ++s)
        places.push_back(dicomElement(0x20, 0x32, "DS", "1\\2\\" + std::to_string(3 * s)));
      writeBytes(folder / std::to_string(v), DicomFile(v + 1)
                                                 .size(unsigned(3 * across), 4)
                                                 .remove(0x00200032)
                                                 .set(0x00080008, "CS", "ORIGINAL\\PRIMARY\\M\\VFRAME")
                                                 .set(0x00080070, "LO", "UIH")
                                                 .set(0x00180088, "DS", "3")
                                                 .set(0x00650010, "LO", "Image Private Header")
                                                 .set(0x00651050, "DS", std::to_string(slices))
                                                 .set(0x00651051, "SQ", dicomItems(places))
                                                 .pixels(values)
                                                 .bytes());
    }
    const Layer layer = io::openDicomSeries(io::findDicomSeries(folder.path()).at(0));
    EXPECT_EQ(gridOf(layer)->size, (Vec3<int>{3, 2, slices}));
    ASSERT_EQ(seriesOf(layer).count, 3) << allNotes(layer);
    for (int s = 0; s < slices; ++s) EXPECT_EQ(seriesOf(layer).volume(2)(1, 1, s), 2000 + 100 * s);
  }
}

TEST_F(DicomKinds, FilesWithoutPreambleAreRead) {
  for (int s = 0; s < 3; ++s) {
    const std::string bytes = DicomFile(s + 1).position(1, 2, 3 * s).bytes();
    writeBytes(folder_ / std::to_string(s), bytes.substr(bytes.find(std::string("\x08\0\x16\0", 4))));
  }
  EXPECT_EQ(gridOf(openOnly())->size.z, 3);
}

TEST_F(DicomKinds, SlicesThatAreNumberedOutOfOrderAreStackedByPosition) {
  // dcm2niix leaves some of them in the order of their numbers.
  const std::vector<int> orders[] = {{1, 0, 2}, {0, 2, 4, 1, 3, 5}, {3, 1, 4, 0, 2}, {2, 1, 0}};
  for (const auto& order : orders)
    for (const int volumes : {1, 2, 3}) {
      TemporaryFolder folder;
      int instance = 0;
      for (int v = 0; v < volumes; ++v)
        for (const int s : order) {
          ++instance;
          writeBytes(folder / std::to_string(instance),
                     DicomFile(instance)
                         .position(1, 2, 3 * s)
                         .pixels(std::vector<std::uint16_t>(4, std::uint16_t(100 * v + s)))
                         .bytes());
        }
      const Layer layer = io::openDicomSeries(io::findDicomSeries(folder.path()).at(0));
      ASSERT_EQ(seriesOf(layer).count, volumes);
      for (int v = 0; v < volumes; ++v)
        for (int s = 0; s < int(order.size()); ++s)
          EXPECT_EQ(seriesOf(layer).volume(v)(0, 0, s), 100 * v + s)
              << order.size() << " slices, " << volumes << " volumes: " << allNotes(layer);
    }
}

TEST_F(DicomKinds, SlicesWithOneNumberAreStackedByPosition) {
  const std::vector<int> orders[] = {{0, 2, 1}, {1, 0, 2}, {2, 3, 0, 1}};
  for (const auto& order : orders) {
    TemporaryFolder folder;
    for (std::size_t i = 0; i < order.size(); ++i) {
      DicomFile file(int(i) + 1);
      file.position(1, 2, 3 * order[i]).pixels(std::vector<std::uint16_t>(4, std::uint16_t(order[i])));
      writeBytes(folder / std::to_string(i), file.set(0x00200013, "IS", "1").bytes());
    }
    const Layer layer = io::openDicomSeries(io::findDicomSeries(folder.path()).at(0));
    ASSERT_EQ(gridOf(layer)->size.z, std::ssize(order));
    for (int s = 0; s < int(order.size()); ++s)
      EXPECT_EQ(seriesOf(layer).volume(0)(0, 0, s), s) << allNotes(layer);
  }
}

TEST_F(DicomKinds, ADrawingOverAPictureIsLeftOut) {
  DicomFile file;
  file.size(16, 16).pixels(std::vector<std::uint16_t>(256, 7));
  file.set(0x60000010, "US", us(16)).set(0x60000011, "US", us(16)).set(0x60000040, "CS", "G");
  file.set(0x60000050, "SS", us(1) + us(1)).set(0x60000100, "US", us(1)).set(0x60000102, "US", us(0));
  writeBytes(folder_ / "one", file.set(0x60003000, "OW", std::string(32, '\x0f')).bytes());
  const Layer layer = openOnly();
  EXPECT_EQ(seriesOf(layer).count, 1);
  EXPECT_NE(allNotes(layer).find("Read by dcm2niix"), std::string::npos) << allNotes(layer);
}

TEST_F(DicomKinds, WithoutItsConverterTheErrorSaysWhatToInstall) {
  writeBytes(folder_ / "one", DicomFile().bytes());
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder_.path().c_str(), 1);
  expectError([&] { io::openVolume(folder_ / "one"); },
              {"dcm2niix", "is not installed", "apt install dcm2niix"}, ErrorKind::unavailable);
  setenv("PATH", path.c_str(), 1);
}

TEST_F(DicomKinds, FilesThatAreChosenAreOpenedByTheirSeries) {
  std::vector<std::filesystem::path> files;
  for (int i = 0; i < 5; ++i) {
    files.push_back(folder_ / std::to_string(i));
    writeBytes(files.back(),
               DicomFile(i + 1).position(1, 2, 3 * i).set(0x0020000e, "UI", i < 3 ? "1.1" : "1.2").bytes());
  }
  const auto series = io::dicomSeriesOf(files);
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(gridOf(io::openDicomSeries(series[0]))->size.z, 3);
}

TEST_F(DicomKinds, ALocalizerIsAStackOfEachDirection) {
  const char* const directions[] = {"1\\0\\0\\0\\1\\0", "1\\0\\0\\0\\0\\-1", "0\\1\\0\\0\\0\\-1"};
  for (int i = 0; i < 9; ++i) {
    const double at = 10 * (i / 3);
    DicomFile file(i + 1);
    file.position(i % 3 == 2 ? at : 1, i % 3 == 1 ? at : 2, i % 3 == 0 ? at : 3);
    writeBytes(folder_ / std::to_string(i), file.set(0x00200037, "DS", directions[i % 3]).bytes());
  }
  const auto series = io::findDicomSeries(folder_.path());
  ASSERT_EQ(series.size(), 3u);
  const char* const planes[] = {"axial", "coronal", "sagittal"};
  for (int part = 0; part < 3; ++part) {
    EXPECT_NE(series[part].description.find(std::string(", ") + planes[part] + ", 3 images"),
              std::string::npos)
        << series[part].description;
    const Layer layer = io::openDicomSeries(series[part]);
    const Affine& map = gridOf(layer)->worldFromVoxel;
    EXPECT_EQ(gridOf(layer)->size.z, 3);
    EXPECT_NEAR(std::abs(map.m[2 - part][2]), 10, 1e-6);
    EXPECT_NE(allNotes(layer).find("images in 3 orientations"), std::string::npos);
  }
  EXPECT_EQ(gridOf(io::openDicomPlace(folder_.path(), "sagittal"))->size.z, 3);
  expectError([&] { io::openDicomPlace(folder_.path()); }, {"3 DICOM series", "coronal", "--series"});
}

TEST_F(DicomKinds, AnIndexOfAMediumIsOpenedAsItsFolder) {
  std::filesystem::create_directory(folder_ / "IMAGES");
  for (int s = 0; s < 3; ++s)
    writeBytes(folder_ / "IMAGES" / std::to_string(s), DicomFile(s + 1).position(1, 2, 3 * s).bytes());
  writeBytes(folder_ / "DICOMDIR", std::string(128, '\0') + "DICM" +
                                       dicomElement(2, 2, "UI", "1.2.840.10008.1.3.10") +
                                       dicomElement(2, 0x10, "UI", "1.2.840.10008.1.2.1") +
                                       dicomElement(4, 0x1130, "CS", "MEDIUM"));
  EXPECT_TRUE(io::isDicomIndex(folder_ / "DICOMDIR"));
  EXPECT_FALSE(io::isDicomIndex(folder_ / "IMAGES/0"));
  const Layer layer = io::openVolume(folder_ / "DICOMDIR");
  EXPECT_EQ(gridOf(layer)->size.z, 3);
  EXPECT_EQ(allNotes(layer).find("missing"), std::string::npos) << "the index itself is no damaged file";
}

/// A ZIP archive of uncompressed files.
std::string zipOf(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string all, directory;
  for (const auto& [name, bytes] : files) {
    const auto checksum =
        std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), uInt(bytes.size())));
    const std::string facts = us(0) + us(0) + us(0) + us(0) + littleEndian(checksum) +
                              littleEndian(std::uint32_t(bytes.size())) +
                              littleEndian(std::uint32_t(bytes.size())) + us(unsigned(name.size())) + us(0);
    directory += "PK\1\2" + us(20) + us(20) + facts + us(0) + us(0) + us(0) + littleEndian(std::uint32_t(0)) +
                 littleEndian(std::uint32_t(all.size())) + name;
    all += "PK\3\4" + us(20) + facts + name + bytes;
  }
  return all + directory + "PK\5\6" + us(0) + us(0) + us(unsigned(files.size())) +
         us(unsigned(files.size())) + littleEndian(std::uint32_t(directory.size())) +
         littleEndian(std::uint32_t(all.size())) + us(0);
}

TEST_F(DicomKinds, AnArchiveOfASeriesIsOpened) {
  std::vector<std::pair<std::string, std::string>> files{{"readme.txt", std::string(200, 'a')}};
  for (int s = 0; s < 3; ++s)
    files.emplace_back("../../outside/" + std::to_string(s), DicomFile(s + 1).position(1, 2, 3 * s).bytes());
  const std::string zip = zipOf(files);
  writeBytes(folder_ / "scan.zip", zip);
  const Layer layer = io::openVolume(folder_ / "scan.zip");
  EXPECT_EQ(gridOf(layer)->size.z, 3);
  EXPECT_EQ(layer.source, (folder_ / "scan.zip").string());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "../../outside"));
  for (const std::size_t size : {zip.size() / 2, zip.size() - 30, std::size_t(40)}) {
    writeBytes(folder_ / "scan.zip", zip.substr(0, size));
    expectError([&] { io::openVolume(folder_ / "scan.zip"); }, {"'scan.zip' is a ZIP archive", "unpack it"});
  }
}

TEST_F(DicomKinds, OfSeveralSeriesOneIsNamed) {
  for (int i = 0; i < 4; ++i)
    writeBytes(folder_ / std::to_string(i), DicomFile(i + 1)
                                                .position(1, 2, 3 * i)
                                                .set(0x0008103e, "LO", i < 2 ? "t1" : "bold")
                                                .set(0x00200011, "IS", i < 2 ? "1" : "11")
                                                .set(0x0020000e, "UI", i < 2 ? "1.1" : "1.2")
                                                .bytes());
  expectError([&] { io::openDicomPlace(folder_.path()); }, {"2 DICOM series", "11: bold", "--series"});
  EXPECT_EQ(io::openDicomPlace(folder_.path(), "1").name, "1: t1");
  EXPECT_EQ(io::openDicomPlace(folder_.path(), "bold").name, "11: bold");
  expectError([&] { io::openDicomPlace(folder_.path(), "dwi"); }, {"'dwi' is none"});
}

}  // namespace
}  // namespace sulcus::io
