#include "core/io/tracts/tract_files.h"

#include "core/io/streams/zip_archive.h"
#include "tests/core/io/io_test_support.h"
#include "tests/support/some_tracts.h"

#include <limits>

namespace sulcus::io {
namespace {

using namespace test;

class TractFiles : public ::testing::Test {
 protected:
  std::filesystem::path write(const Tracts& tracts, const std::string& name,
                              const std::optional<Grid>& scan = slantedGrid(), bool half = false) {
    const auto file = folder_ / name;
    writeTracts(tracts, tracts.groups, {file, file, scan, half}, {});
    return file;
  }
  TemporaryFolder folder_;
};

void expectSamePoints(const Tracts& a, const Tracts& b, float tolerance) {
  ASSERT_EQ(a.first, b.first);
  for (std::size_t i = 0; i < a.points.size(); ++i)
    ASSERT_LE(norm(a.points[i] - b.points[i]), tolerance) << "point " << i;
}

void expectSameData(const std::vector<Tracts::Data>& a, const std::vector<Tracts::Data>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& data : a) {
    const auto other = std::ranges::find(b, data.name, &Tracts::Data::name);
    ASSERT_NE(other, b.end()) << data.name;
    EXPECT_EQ(data.components, other->components);
    EXPECT_EQ(data.values, other->values);
  }
}

TEST_F(TractFiles, ComeBackInEveryFormatOverObliqueAndFlippedGrids) {
  for (const bool flipped : {false, true})
    for (const char* name : {"a.tck", "a.trk", "a.trx", "a.vtp", "a.vtk"}) {
      SCOPED_TRACE(name);
      const Grid scan = slantedGrid(flipped);
      const Tracts tracts = someTracts(scan);
      const TractFile read = openTractFile(write(tracts, name, scan));
      expectSamePoints(tracts, read.tracts, 1e-4f);
      const std::string ending = std::string(name).substr(1);
      if (ending != ".tck") {
        expectSameData(tracts.perLine, read.tracts.perLine);
        expectSameData(tracts.perPoint, read.tracts.perPoint);
      }
      ASSERT_EQ(read.scan.has_value(), ending == ".trk" || ending == ".trx");
      if (read.scan) {
        EXPECT_TRUE(sameGrid(*read.scan, scan));
        EXPECT_NE(read.notes.back().text.line().find("All lines lie within"), std::string::npos)
            << read.notes.back().line();
      }
      if (ending == ".trx") {
        ASSERT_EQ(read.tracts.groups.size(), 2u);
        EXPECT_EQ(read.tracts.groups[0].name, "left");
        EXPECT_EQ(read.tracts.groups[1].lines, tracts.groups[1].lines);
      }
    }
}

TEST_F(TractFiles, OfHalfPrecisionAreAsNearAsItSays) {
  const Tracts tracts = someTracts(slantedGrid());
  const TractFile read = openTractFile(write(tracts, "a.trx", slantedGrid(), true));
  expectSamePoints(tracts, read.tracts, 0.06f);
  EXPECT_NE(read.notes[0].text.line().find("half precision"), std::string::npos);
}

TEST_F(TractFiles, WrittenInPartsAreThoseOfOneWhole) {
  const Tracts tracts = someTracts(slantedGrid(), 30);
  for (const char* name : {"parts.tck", "parts.trk", "parts.trx"}) {
    SCOPED_TRACE(name);
    const auto file = folder_ / name;
    TractWriter writer({file, file, slantedGrid()}, {});
    for (std::uint64_t begin = 0; begin < 30; begin += 10) {
      Tracts part;
      for (std::uint64_t i = begin; i < begin + 10; ++i) {
        const auto line = tracts.line(i);
        part.points.insert(part.points.end(), line.begin(), line.end());
        part.first.push_back(part.points.size());
      }
      const auto range = [&](const Tracts::Data& data, std::uint64_t from, std::uint64_t to) {
        const auto n = std::ptrdiff_t(data.components);
        return Tracts::Data{
            data.name,
            data.components,
            {data.values.begin() + n * std::ptrdiff_t(from), data.values.begin() + n * std::ptrdiff_t(to)}};
      };
      for (const auto& data : tracts.perLine) part.perLine.push_back(range(data, begin, begin + 10));
      for (const auto& data : tracts.perPoint)
        part.perPoint.push_back(range(data, tracts.first[begin], tracts.first[begin + 10]));
      writer.append(part);
    }
    writer.close(tracts.groups);
    EXPECT_EQ(readBytes(file), readBytes(write(tracts, "whole" + file.extension().string())));
  }
}

TEST_F(TractFiles, SomeLinesAreReadAlone) {
  const Tracts tracts = someTracts(slantedGrid(), 200);
  const Tracts first = readTrk(write(tracts, "a.trk"), {}, 300).tracts;
  EXPECT_LT(first.lines(), 200u);
  for (const Tracts& some : {readTck(write(tracts, "a.tck"), {}, 300).tracts, first}) {  // TCK in blocks
    ASSERT_GT(some.lines(), 20u);
    for (std::size_t i = 0; i < some.points.size(); ++i)
      ASSERT_LE(norm(some.points[i] - tracts.points[i]), 1e-4f);
  }
  for (const bool ofHalf : {false, true}) {
    const Tracts spread = readSomeOfTrx(write(tracts, "a.trx", slantedGrid(), ofHalf), 300)->tracts;
    const std::size_t step = tracts.points.size() / 300;
    ASSERT_EQ(spread.lines(), (200 + step - 1) / step);
    for (std::size_t line = 0; line < spread.lines(); ++line) {
      ASSERT_EQ(spread.line(line).size(), tracts.line(step * line).size());
      for (std::size_t i = 0; i < spread.line(line).size(); ++i)
        ASSERT_LE(norm(spread.line(line)[i] - tracts.line(step * line)[i]), ofHalf ? 0.06f : 1e-4f);
    }
    std::filesystem::remove(folder_ / "a.trx");
  }
  EXPECT_FALSE(someLinesOf(write(tracts, "small.trx")));
}

TEST_F(TractFiles, WithoutLinesAreFiles) {
  for (const char* name : {"a.tck", "a.trk", "a.trx", "a.vtk"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(openTractFile(write({}, name, std::nullopt)).tracts.lines(), 0u);
  }
}

TEST_F(TractFiles, OutsideTheirScanSaySo) {
  Tracts tracts = someTracts(slantedGrid());
  for (auto& p : tracts.points) p.x += 200;
  const auto notes = openTractFile(write(tracts, "a.trk")).notes;
  EXPECT_TRUE(notes.back().line().starts_with("Warning: 100 % of the points lie outside of"))
      << notes.back().line();
}

TEST_F(TractFiles, TckInOtherTypesIsRead) {
  const std::vector<double> points{1.5, -2.25, 3, 4, 5, 6};
  const auto file = [&]<class T>(T, const std::string& type, bool swap, const std::string& count) {
    Bytes bytes;
    bytes.data = "mrtrix tracks\ndatatype: " + type + "\n" + count + "file: . 100\nEND\n";
    bytes.data.resize(100, '\0');
    bytes.swapped = swap;
    std::vector<T> all(points.begin(), points.end());
    for (int i = 0; i < 3; ++i) all.push_back(std::numeric_limits<T>::quiet_NaN());
    for (int i = 0; i < 3; ++i) all.push_back(std::numeric_limits<T>::infinity());
    for (std::size_t i = 0; i < all.size(); ++i) bytes.put(100 + i * sizeof(T), all[i]);
    return bytes.data;
  };
  for (const std::string& bytes :
       {file(float(), "Float32BE", true, "count: 1\n"), file(double(), "Float64LE", false, ""),
        file(double(), "Float64BE", true, "count: 0000000001\ntimestamp: 1.5\n")}) {
    writeBytes(folder_ / "a.tck", bytes);
    const Tracts tracts = openTractFile(folder_ / "a.tck").tracts;
    ASSERT_EQ(tracts.lines(), 1u);
    EXPECT_EQ(tracts.points, (std::vector<Vec3<float>>{{1.5f, -2.25f, 3}, {4, 5, 6}}));
  }
  writeBytes(folder_ / "lies.tck", file(float(), "Float32LE", false, "count: 3\n"));
  expectError([&] { openTractFile(folder_ / "lies.tck"); }, {"declares 3 lines and has 1"});
  const std::string whole = file(float(), "Float32LE", false, "");
  writeBytes(folder_ / "cut.tck", whole.substr(0, whole.size() - 12));
  expectError([&] { openTractFile(folder_ / "cut.tck"); }, {"ends too early", "after 1 lines"});
  writeBytes(folder_ / "far.tck", whole.substr(0, 100) + std::string("\0\0\0\x7f", 4) + whole.substr(104));
  expectError([&] { openTractFile(folder_ / "far.tck"); }, {"an invalid point", "line 1"});
  writeGzip(folder_ / "a.tck.gz", whole);
  EXPECT_EQ(openTractFile(folder_ / "a.tck.gz").tracts.points.size(), 2u);
}

/// A TRK of one line by the offsets of its format.
std::string trkOf(const std::string& order, bool withMatrix, bool swap = false) {
  Bytes bytes;
  bytes.data = std::string("TRACK\0", 6);
  bytes.swapped = swap;
  for (std::size_t i = 0; i < 3; ++i) {
    bytes.put(6 + 2 * i, std::int16_t(10 + i));
    bytes.put(12 + 4 * i, float(i + 1));
    if (withMatrix) bytes.put(440 + 20 * i, float(i == 0 ? -1 : i + 1.0));  // an image with the order LAS
    bytes.put(1004 + 4 * i, float(2 * (i + 1)));                            // the corner of voxel 2, 2, 2
  }
  if (withMatrix) bytes.put(500, 1.0f);
  bytes.data.replace(948, order.size(), order);
  bytes.put(988, std::int32_t(1)), bytes.put(992, std::int32_t(2)), bytes.put(996, std::int32_t(1000));
  bytes.put(1000, std::int32_t(1));
  return bytes.data;
}

TEST_F(TractFiles, TrkTakesHalfAVoxelOffAndKnowsTheOrderOfItsVoxels) {
  const auto pointOf = [&](const std::string& bytes) {
    writeBytes(folder_ / "a.trk", bytes);
    return openTractFile(folder_ / "a.trk").tracts.points.at(0);
  };
  for (const bool swap : {false, true})
    EXPECT_EQ(pointOf(trkOf("LAS", true, swap)), (Vec3<float>{-1.5f, 3, 4.5f}));
  // Voxel 1.5 from the right is voxel 9 − 1.5 from the left.
  EXPECT_EQ(pointOf(trkOf("RAS", true)), (Vec3<float>{-7.5f, 3, 4.5f}));
  // Without a matrix the order alone places the voxels, and the card says so.
  EXPECT_EQ(pointOf(trkOf("LPS", false)), (Vec3<float>{-1.5f, -3, 4.5f}));
  EXPECT_TRUE(
      openTractFile(folder_ / "a.trk").notes[0].line().starts_with("Warning: the header does not say"));
  writeBytes(folder_ / "a.trk", trkOf("XYZ", true));
  expectError([&] { openTractFile(folder_ / "a.trk"); }, {"'XYZ' is not an order"});
  writeBytes(folder_ / "a.trk", trkOf("LPS", true).substr(0, 1008));
  expectError([&] { openTractFile(folder_ / "a.trk"); }, {"shorter than its header says"});
}

TEST_F(TractFiles, DamagedTrxIsRefused) {
  const auto archive = [&](const std::function<void(ZipWriter&)>& fill) {
    ZipWriter zip(folder_ / "a.trx", folder_ / "a.trx", {});
    fill(zip);
    zip.close();
  };
  const auto header = [](ZipWriter& zip, int lines, int points) {
    zip.begin("header.json");
    zip.write(
        "{\"DIMENSIONS\": [4, 4, 4], \"VOXEL_TO_RASMM\": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]], "
        "\"NB_STREAMLINES\": " +
        std::to_string(lines) + ", \"NB_VERTICES\": " + std::to_string(points) + "}");
  };
  const auto array = [](ZipWriter& zip, const std::string& name, const auto& values) {
    zip.begin(name);
    zip.write({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])});
  };
  const std::vector<float> points(9, 1.0f);
  const auto refused = [&](std::initializer_list<std::string> said) {
    expectError([&] { openTractFile(folder_ / "a.trx"); }, said);
  };
  archive([&](ZipWriter& zip) {
    header(zip, 2, 3), array(zip, "positions.3.float32", points);
    array(zip, "offsets.uint32", std::vector<std::uint32_t>{0, 2});
    array(zip, "dpv/a.int16", std::vector<std::int16_t>{1, -2, 3});
  });
  const TractFile read = openTractFile(folder_ / "a.trx");
  EXPECT_EQ(read.tracts.first, (std::vector<std::uint64_t>{0, 2, 3}));
  EXPECT_EQ(read.tracts.perPoint.at(0).values, (std::vector<float>{1, -2, 3}));
  archive([&](ZipWriter& zip) {
    header(zip, 2, 3), array(zip, "positions.3.float32", points);
    array(zip, "offsets.uint64", std::vector<std::uint64_t>{0, 4, 3});
  });
  refused({"the offset of line 2 is 4"});
  archive([&](ZipWriter& zip) {
    header(zip, 3, 3), array(zip, "positions.3.float32", points);
    array(zip, "offsets.uint64", std::vector<std::uint64_t>{0, 2, 1, 3});
  });
  refused({"the offset of line 3 is 1 after 2"});
  archive([&](ZipWriter& zip) {
    header(zip, 2, 4), array(zip, "positions.3.float32", points);
    array(zip, "offsets.uint64", std::vector<std::uint64_t>{0, 2, 4});
  });
  refused({"has 36 bytes instead of 48"});
  archive([&](ZipWriter& zip) { header(zip, 2, 2'100'000'000); });
  refused({"declares 2100000000 points"});
  archive([&](ZipWriter& zip) {
    header(zip, 1, 3), array(zip, "positions.3.float32", points);
    array(zip, "offsets.uint64", std::vector<std::uint64_t>{0, 3});
    array(zip, "groups/a.uint32", std::vector<std::uint32_t>{1});
  });
  refused({"has a line that does not exist"});
  archive([&](ZipWriter& zip) {
    header(zip, 1, 3), array(zip, "positions.3.float32", std::vector<float>(9, NAN));
    array(zip, "offsets.uint64", std::vector<std::uint64_t>{0, 3});
  });
  refused({"an invalid point"});
  archive([&](ZipWriter& zip) { array(zip, "positions.3.float32", points); });
  refused({"no header.json"});
}

TEST_F(TractFiles, TtOfDsiStudioIsRead) {
  Bytes bytes;
  const auto array = [&](std::uint32_t type, std::uint32_t columns, const std::string& name) {
    for (const std::uint32_t word : {type, 1u, columns, 0u, std::uint32_t(name.size() + 1)})
      bytes.put(bytes.data.size(), word);
    bytes.data += name + '\0';
  };
  array(20, 3, "dimension");
  for (const std::int32_t side : {10, 12, 14}) bytes.put(bytes.data.size(), side);
  array(10, 3, "voxel_size");
  for (int i = 0; i < 3; ++i) bytes.put(bytes.data.size(), 2.0f);
  const std::string matrix = bytes.data;
  array(10, 16, "trans_to_mni");
  for (const float value : {-2, 0, 0, 18, 0, -2, 0, 22, 0, 0, 2, -5, 0, 0, 0, 1})
    bytes.put(bytes.data.size(), value);
  array(50, 16 + 3, "track");
  bytes.put(bytes.data.size(), std::uint32_t(6));
  for (const std::int32_t at : {32, 64, 96}) bytes.put(bytes.data.size(), at);
  bytes.data += std::string("\x10\xf0\0", 3);
  writeGzip(folder_ / "a.tt.gz", bytes.data);
  const TractFile read = openTractFile(folder_ / "a.tt.gz");
  EXPECT_EQ(read.tracts.points, (std::vector<Vec3<float>>{{16, 18, 1}, {15, 19, 1}}));
  EXPECT_EQ(read.scan->size, (Vec3<int>{10, 12, 14}));
  writeBytes(folder_ / "cut.tt", bytes.data.substr(0, bytes.data.size() - 2));
  expectError([&] { openTractFile(folder_ / "cut.tt"); }, {"shorter than its header says"});
}

TEST_F(TractFiles, VtkInTextAndOfVersion5IsRead) {
  writeBytes(
      folder_ / "a.vtk",
      "# vtk DataFile Version 5.1\nmade by hand SPACE=LPS\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n"
      "1 2 3 4 5 6\n7 8 9\nLINES 3 4\nOFFSETS vtktypeint64\n0 2 4\nCONNECTIVITY vtktypeint64\n2 0 0 1\n"
      "CELL_DATA 2\nSCALARS weight float 1\nLOOKUP_TABLE default\n0.5 0.25\n"
      "POINT_DATA 3\nFIELD FieldData 1\nfa 1 3 double\n.1 .2 .3\n");
  const Tracts tracts = openTractFile(folder_ / "a.vtk").tracts;
  EXPECT_EQ(tracts.first, (std::vector<std::uint64_t>{0, 2, 4}));
  EXPECT_EQ(tracts.points, (std::vector<Vec3<float>>{{-7, -8, 9}, {-1, -2, 3}, {-1, -2, 3}, {-4, -5, 6}}));
  EXPECT_EQ(tracts.perLine.at(0).values, (std::vector<float>{0.5f, 0.25f}));
  EXPECT_EQ(tracts.perPoint.at(0).values, (std::vector<float>{0.3f, 0.1f, 0.1f, 0.2f}));
}

TEST_F(TractFiles, VtkOfOtherThingsIsRefused) {
  const std::string start = "# vtk DataFile Version 3.0\nx\nASCII\nDATASET ";
  for (const char* rest :
       {"STRUCTURED_POINTS\n", "POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\nPOLYGONS 1 4\n3 0 1 2\n"}) {
    writeBytes(folder_ / "a.vtk", start + rest);
    expectError([&] { openLayer(folder_ / "a.vtk"); }, {"VTK", ".vtp"});
  }
}

TEST_F(TractFiles, AreLayers) {
  const Tracts tracts = someTracts(slantedGrid());
  const Layer layer = openLayer(write(tracts, "bundle.trx"));
  EXPECT_EQ(layer.name, "bundle");
  EXPECT_EQ(kindOf(layer), "tracts");
  saveLayer(layer, folder_ / "saved.trk");
  expectSamePoints(tracts, *std::get<TractsLayer>(openLayer(folder_ / "saved.trk").content).tracts, 1e-4f);
  expectError([&] { saveLayer(layer, folder_ / "saved.nii.gz"); }, {"holds tracts", ".trx, .tck"},
              ErrorKind::usage);
  EXPECT_EQ(lostIn(TractFormat::tck, tracts), "2 numbers per line and 1 number per point and 2 groups");
}

}  // namespace
}  // namespace sulcus::io
