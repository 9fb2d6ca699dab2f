#include "tests/core/io/io_test_support.h"

#include <sys/stat.h>

// NRRD headers as programs write them, and damaged ones. Valid ones are compared with ITK's reader in
// text_headers_test.
namespace sulcus::io {
namespace {

using namespace test;

/// An NRRD of 2 × 2 × 2 bytes, with `more` lines at the end of the header.
std::string nrrd(const std::string& more = "", const std::string& numbers = "abcdefgh",
                 const std::string& encoding = "raw") {
  return "NRRD0005\ntype: uchar\ndimension: 3\nsizes: 2 2 2\nencoding: " + encoding + "\n" + more + "\n" +
         numbers;
}
const std::string kDirections = "space directions: (1,0,0) (0,2,0) (0,0,3)\nspace origin: (4,5,6)\n";

class Nrrd : public VolumeBytesTest {
 protected:
  Nrrd() : VolumeBytesTest("a.nrrd") {}
};

TEST_F(Nrrd, EndlessWordsAreRefused) {
  for (const std::size_t length : {1000u, 5000u, 60'000u}) {
    const std::string word(length, 'x');
    expectRefused(nrrd("space: " + word + "\n"), {"space"});
    expectRefused(nrrd("units: \"" + word + "\" \"mm\" \"mm\"\n"), {"units"});
    expectRefused(nrrd("units: " + word + "\n"), {"units"});
    expectRefused(nrrd("kinds: " + word + "\n"), {"kinds"});
    expectRefused(nrrd("endian: " + word + "\n"), {"endian"});
    expectRefused(nrrd(word + ": 1\n"), {"not a field of the format"});
    expectRefused("NRRD0005\ntype: " + word + "\ndimension: 3\nsizes: 2 2 2\nencoding: raw\n\nabcdefgh",
                  {"type"});
    expectRefused(nrrd("", "abcdefgh", word), {"encoding"});
  }
  expectRefused(nrrd("# " + std::string(70'000, 'x') + "\n"), {"header that is too long"});
  std::string comments;
  for (int i = 0; i < 50'000; ++i) comments += "# " + std::string(90, 'x') + "\n";
  expectRefused(nrrd(comments), {"header that is too long"});
}

TEST_F(Nrrd, NumbersAsText) {
  const Layer layer = opened(nrrd("", "97 2,3\n 4\t5 , 6 7 +8\n", "ascii"));
  expectFirst(layer, 97);
  EXPECT_EQ(seriesOf(layer).values[7], 8);
  EXPECT_EQ(allNotes(layer).find("continues after"), std::string::npos);
  std::string many = "NRRD0005\ntype: float\ndimension: 3\nsizes: 50 40 30\nencoding: text\n\n";
  for (int i = 0; i < 60'000; ++i) many += std::to_string(i) + (i % 7 == 0 ? "\n" : "  ");
  EXPECT_EQ(seriesOf(opened(many)).values[59'999], 59'999) << "over many reads";
  EXPECT_NE(allNotes(opened(nrrd("", "1 2 3 4 5 6 7 8 9", "ascii"))).find("continues after"),
            std::string::npos);
  expectRefused(nrrd("", "1 2 3 4 5 6 7   ", "ascii"), {"7 of 8 numbers"});
  expectRefused(nrrd("", "1 2 3 4 5 6 x 7", "ascii"), {"entry 7"});
  expectRefused(nrrd("", "1 2 3 4 5 6 1e999 7", "ascii"), {"entry 7"});
  expectRefused(nrrd("", std::string(1100, '1') + " 2 3 4 5 6 7 8", "ascii"), {"entry 1"});
  expectRefused(nrrd("", std::string(1'000'000, '1'), "ascii"), {"entry 1"});
  expectRefused(nrrd("", "1 2 3", "ascii"), {"shorter"});
}

TEST_F(Nrrd, NumbersInAFileBeside) {
  std::filesystem::create_directory(folder_ / "below");
  writeBytes(folder_ / "below" / "a.raw", "1\n2\n01abcdefgh");
  writeGzip(folder_ / "a.raw.gz", "01abcdefgh");
  expectFirst(opened(nrrd("line skip: 2\nbyte skip: 2\ndata file: below/a.raw\n", ""), "a.nhdr"), 'a');
  expectFirst(opened(nrrd("byteskip: -1\ndatafile: ./below/a.raw\n", ""), "a.nhdr"), 'a');
  expectFirst(opened(nrrd("byte skip: 2\ndata file: a.raw.gz\n", "", "gzip"), "a.nhdr"), 'a');
  expectFirst(opened(nrrd("line skip: 2\nbyte skip: 2\n", "1\n2\n01abcdefgh")), 'a');
  const auto from = [](const std::string& name, const char* encoding = "raw") {
    return "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 2 2 2\nencoding: " + std::string(encoding) +
           "\ndata file: " + name + "\n";
  };
  ASSERT_EQ(mkfifo((folder_ / "pipe.raw").c_str(), 0600), 0);
  std::filesystem::create_symlink("/etc/passwd", folder_ / "link.raw");
  for (const char* const encoding : {"raw", "ascii", "gzip"}) {
    for (const char* const name : {"/etc/passwd", "/dev/zero", "../a.raw", "below/../../a.raw", "link.raw"})
      expectRefused(from(name, encoding), {"one file next to it"}, "a.nhdr");
    expectError([&] { opened(from("pipe.raw", encoding), "a.nhdr"); }, {"pipe.raw", "not a regular file"});
    expectError([&] { opened(from("none.raw", encoding), "a.nhdr"); }, {"none.raw", "does not exist"});
    for (const char* const name : {"LIST", "LIST 2", "a%03d.raw 1 3 1"})
      expectRefused(from(name, encoding), {"several files"}, "a.nhdr");
  }
  writeBytes(folder_ / "words.raw", "root:x:0:0");
  expectError([&] { opened(from("words.raw", "ascii"), "a.nhdr"); }, {"words.raw"});
}

TEST_F(Nrrd, CompressedNumbers) {
  writeGzip(folder_ / "numbers.gz", "abcdefgh");
  const std::string zipped = readBytes(folder_ / "numbers.gz");
  expectFirst(opened(nrrd("", zipped, "gzip")), 'a');
  expectFirst(opened(nrrd("", zipped, "GZ")), 'a');
  EXPECT_EQ(seriesOf(opened(nrrd("byte skip: 0\n", zipped, "gzip"))).values[7], 'h');
  expectRefused(nrrd("", zipped.substr(0, 14), "gzip"), {"ends too early"});
  std::string damaged = zipped;
  damaged[damaged.size() - 6] ^= 1;  // a byte of the checksum
  expectRefused(nrrd("", damaged, "gzip"), {"damaged"});
  expectRefused(nrrd("", "abcdefgh", "gzip"), {"damaged"});
  expectRefused(nrrd("byte skip: -1\n", zipped, "gzip"), {"byte skip"});
  expectRefused(nrrd("line skip: 1\n", zipped, "gzip"), {"line skip"});
  for (const char* const encoding : {"bzip2", "hex", "zip", ""})
    expectRefused(nrrd("", zipped, encoding), {"encoding"});
  expectRefused("NRRD0004\ntype: uchar\ndimension: 3\nsizes: 30000 30000 3000\nencoding: gzip\n\n" + zipped,
                {"cannot be as large"});
}

TEST_F(Nrrd, FilesOfTheWrongLength) {
  expectRefused(nrrd("", "abcdefg"), {"shorter than its header says"});
  EXPECT_NE(allNotes(opened(nrrd("", "abcdefghi"))).find("continues after"), std::string::npos);
  EXPECT_EQ(allNotes(opened(nrrd())).find("continues after"), std::string::npos);
}

TEST_F(Nrrd, HeadersThatMakeNoSense) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string bytes = nrrd("space: LPS\n" + kDirections);
    return bytes.replace(bytes.find(from), from.size(), to);
  };
  for (const char* const count : {"0", "17", "-3", "3.5", "4294967299", "x", ""})
    expectRefused(with("dimension: 3", std::string("dimension: ") + count), {"dimension"});
  for (const char* const sizes : {"0 2 2", "-2 2 2", "2 2", "2 2 2 2", "nan 2 2", "4294967298 2 2"})
    expectRefused(with("sizes: 2 2 2", std::string("sizes: ") + sizes), {"sizes"});
  expectRefused(with("sizes: 2 2 2", "sizes: 2000000000 2000000000 2000000000"), {"larger than any file"});
  expectRefused(with("sizes: 2 2 2", "sizes: 200 200 200"), {"shorter than its header says"});
  expectRefused(with("type: uchar", "type: short"), {"endian"});
  expectRefused(with("type: uchar", "type: block"), {"type"});
  for (const char* const direction :
       {"(nan,0,0)", "(1,0)", "(1,0,0,0)", "(1,0,x)", "1,0,0", "(1,0,0", "none", "(inf,0,0)"})
    expectRefused(with("(1,0,0)", direction), {"space directions"});
  expectRefused(with("(1,0,0)", "(0,2,0)"), {"no usable orientation"});
  expectRefused(with("(1,0,0)", "(0,0,0)"), {"no usable orientation"});
  expectRefused(with("(1,0,0)", "(1e30,0,0)"), {"no usable orientation"});
  expectRefused(with("(4,5,6)", "(nan,5,6)"), {"space origin"});
  expectRefused(with("(4,5,6)", "none"), {"space origin"});
  expectRefused(with("space: LPS\n", ""), {"space directions"});
  expectRefused(with("space: LPS\n", "space: LPS\nspace dimension: 4\n"), {"space dimension"});
  expectRefused(nrrd("space: LPS\nspacings: 1 2 3\n"), {"spacings"});
  expectRefused(nrrd("spacings: 1 2\n"), {"spacings"});
  expectRefused(nrrd("spacings: 0 1 2\n"), {"no usable orientation"});
  expectRefused(nrrd("kinds: domain domain\n"), {"kinds"});
  expectRefused(nrrd("kinds: domain domain nonsense\n"), {"kinds", "nonsense"});
  expectRefused(nrrd("kinds: 3-vector domain domain\n"), {"kinds", "3-vector"});
  expectRefused(nrrd("nonsense: 1\n"), {"nonsense"});
  expectRefused(nrrd("nonsense\n"), {"nonsense"});
  expectRefused("NRRD0009\ntype: uchar\n\n", {"NRRD0009"});
  expectRefused(nrrd("space units: \"mm\" \"um\" \"mm\"\nspace: LPS\n" + kDirections), {"space units"});
  std::string color = nrrd("kinds: RGB-color domain domain domain\n", std::string(24, 'x'));
  color.replace(color.find("dimension: 3\nsizes: 2 2 2"), 25, "dimension: 4\nsizes: 3 2 2 2");
  expectRefused(color, {"color"});
}

TEST_F(Nrrd, ContradictionsAreRefused) {
  EXPECT_NO_THROW(opened(nrrd("spacings: 1 2 3\nspacings: 1 2 3\n")));
  expectRefused(nrrd("spacings: 1 2 3\nspacings: 1 2 4\n"), {"spacings", "twice"});
  expectRefused(nrrd("sizes: 2 2 1\n"), {"sizes", "twice"});
  expectRefused(nrrd("axis mins: 1 2 3\naxismins: 1 2 4\n"), {"axis mins", "twice"});
  expectRefused(nrrd("key:=1\nkey:=2\n"), {"key", "twice"});
}

TEST_F(Nrrd, SpacesTurnIntoRas) {
  const auto affineOf = [&](const std::string& space) {
    return gridOf(opened(nrrd("space: " + space + "\n" + kDirections)))->worldFromVoxel;
  };
  for (const char* const name : {"left-anterior-superior", "LAS"}) {
    const double affine[3][4] = {{-1, 0, 0, -4}, {0, 2, 0, 5}, {0, 0, 3, 6}};
    expectAffine(affineOf(name), affine, 0);
  }
  const std::string time =
      "NRRD0005\ntype: uchar\ndimension: 4\nsizes: 2 2 1 2\nencoding: raw\nspace: RAST\nspace units: \"mm\" "
      "\"mm\" "
      "\"mm\" \"ms\"\nspace directions: (1,0,0,0) (0,2,0,0) (0,0,3,0) (0,0,0,2500)\nspace origin: "
      "(4,5,6,0)\n\nabcdefgh";
  const Layer series = opened(time);
  const double affine[3][4] = {{1, 0, 0, 4}, {0, 2, 0, 5}, {0, 0, 3, 6}};
  expectAffine(gridOf(series)->worldFromVoxel, affine, 0);
  EXPECT_EQ(std::get<VolumeLayer>(series.content).secondsPerVolume, 2.5);
}

TEST_F(Nrrd, SaysWhatWasAssumed) {
  const auto noteOf = [&](const std::string& more) { return allNotes(opened(nrrd(more))); };
  EXPECT_NE(noteOf("").find("no voxel size: 1 mm assumed"), std::string::npos);
  EXPECT_NE(noteOf("spacings: 1 2 3\n").find("Left and right are an assumption"), std::string::npos);
  EXPECT_NE(noteOf("space: scanner-xyz\n" + kDirections).find("'scanner-xyz'"), std::string::npos);
  EXPECT_NE(noteOf("space: RAS\n" + kDirections).find("(RAS)"), std::string::npos);
  EXPECT_NE(noteOf("space: LPS\n" + kDirections).find("LPS turned into RAS"), std::string::npos);
  const Layer tiny = opened(nrrd("space: RAS\nspace units: \"um\" \"um\" \"um\"\n" + kDirections));
  EXPECT_NEAR(gridOf(tiny)->spacing().y, 0.002, 1e-15);
  EXPECT_NE(allNotes(tiny).find("units of 0.001 mm"), std::string::npos);
}

TEST_F(Nrrd, AxesWithoutAKindAreTakenByTheirDirections) {
  const std::string start = "NRRD0005\ntype: uchar\ndimension: 4\nencoding: raw\nspace: LPS\n";
  const Layer first =
      opened(start + "sizes: 2 2 2 1\nspace directions: none (1,0,0) (0,2,0) (0,0,3)\n\nabcdefgh");
  EXPECT_EQ(seriesOf(first).at(1, 1), 'd');
  const Layer last =
      opened(start +
             "sizes: 2 2 1 2\nspace directions: (1,0,0) (0,2,0) (0,0,3) none\nspacings: nan nan nan "
             "3\nkinds: space space space time\n\nabcdefgh");
  EXPECT_EQ(seriesOf(last).at(1, 1), 'f');
  EXPECT_EQ(std::get<VolumeLayer>(last.content).secondsPerVolume, 3);
}

TEST_F(Nrrd, GradientsTurnWithTheirSpace) {
  const std::string header =
      "NRRD0005\ntype: short\ndimension: 4\nspace: LAS\nsizes: 2 2 2 1\nendian: little\nencoding: raw\n"
      "space directions: none (2,0,0) (0,2,0) (0,0,3)\nkinds: list space space space\n"
      "measurement frame: (0,1,0) (1,0,0) (0,0,1)\nDWMRI_b-value:=1000\nDWMRI_gradient_0000:=0 0 0\n";
  const Layer layer = opened(header + "DWMRI_gradient_0001:=1 0 0\n\n" + std::string(16, '\1'));
  const auto& gradients = std::get<VolumeLayer>(layer.content).gradients;
  ASSERT_EQ(gradients.rows.size(), 2u);
  EXPECT_NEAR(norm(gradients.rows[1].directionWorld - Vec3<double>{0, 1, 0}), 0, 1e-12);
  const Layer without = opened(header + "DWMRI_gradient_0001:=nan 0 0\n\n" + std::string(16, '\1'));
  EXPECT_TRUE(std::get<VolumeLayer>(without.content).gradients.empty());
  EXPECT_NE(allNotes(without).find("gradients cannot be used"), std::string::npos) << allNotes(without);
}

TEST_F(Nrrd, GradientsThatCannotBeTrustedAreNone) {
  const std::string start =
      "NRRD0005\ntype: short\ndimension: 4\nspace: LPS\nsizes: 2 2 2 1\nendian: little\nencoding: raw\n"
      "space directions: none (2,0,0) (0,2,0) (0,0,3)\nkinds: list space space space\n";
  const std::string frame = "measurement frame: (1,0,0) (0,1,0) (0,0,1)\n", b = "DWMRI_b-value:=1000\n",
                    first = "DWMRI_gradient_0000:=0 0 0\n", second = "DWMRI_gradient_0001:=+1 0 0.0\n";
  const auto with = [&](const std::string& lines) {
    return opened(start + lines + "\n" + std::string(16, '\1'));
  };
  const auto expectNone = [&](const std::string& lines, const std::string& word) {
    const Layer layer = with(lines);
    EXPECT_TRUE(std::get<VolumeLayer>(layer.content).gradients.empty()) << lines;
    EXPECT_NE(allNotes(layer).find(word), std::string::npos) << lines << allNotes(layer);
  };
  const Layer framed = with(frame + b + first + second),
              bare = with(b + first + second + "DWMRI_NEX_0001:=1\n");
  EXPECT_EQ(std::get<VolumeLayer>(framed.content).gradients.rows.size(), 2u);
  EXPECT_EQ(std::get<VolumeLayer>(bare.content).gradients.rows.size(), 2u);
  EXPECT_NE(allNotes(framed).find("frame applied"), std::string::npos) << allNotes(framed);
  EXPECT_NE(allNotes(bare).find("no measurement frame"), std::string::npos) << allNotes(bare);
  for (const char* const value : {"1e400", "b=2000", "x1000", "1000x", "1000 2000", ""})
    expectNone(frame + "DWMRI_b-value:=" + value + "\n" + first + second, "b-value reads");
  for (const char* const g : {"1 0 x0", "x1 0 0", "1 0", "1 0 1e400", "1 0 0 0"})
    expectNone(b + first + "DWMRI_gradient_0001:=" + g + "\n", "DWMRI_gradient_0001");
  for (const char* const axes :
       {"(1,0,0) (1,0,0) (0,0,1)", "(0,0,0) (0,1,0) (0,0,1)", "(1,0,0) (0,1,0) (x,0,1)", "(1,0,0) (0,1,0)",
        "(1,0,0) (0,1,0) none", "1 0 0 0 1 0 0 0 1", "(nan,0,0) (0,1,0) (0,0,1)"})
    expectNone(std::string("measurement frame: ") + axes + "\n" + b + first + second, "measurement frame");
  expectNone(b + first + second + "DWMRI_gradient_0002:=0 1 0\n", "3 for 2 volumes");
  expectNone(b + first + second + "DWMRI_NEX_0001:=3\n", "DWMRI_NEX_0001");
  expectNone(first + second, "DWMRI_b-value");
}

TEST_F(Nrrd, UnitsOfLength) {
  const auto inSpace = [](const std::string& unit) {
    return nrrd("space: LPS\nspace units: " + unit + " " + unit + " " + unit + "\n" + kDirections);
  };
  const auto alongAxes = [](const std::string& units) {
    return nrrd("spacings: 1 2 3\nunits: " + units + "\n");
  };
  EXPECT_EQ(gridOf(opened(inSpace("\"CM\"")))->spacing().y, 20);
  EXPECT_EQ(gridOf(opened(inSpace("\"\"")))->spacing().y, 2);
  EXPECT_EQ(gridOf(opened(alongAxes("\"cm\" \"cm\" \"Cm\"")))->spacing().y, 20);
  for (const char* const unit : {"\"in\"", "\"s\"", "\"Hz\"", "\"nm\""}) {
    expectRefused(inSpace(unit), {"space units"});
    expectRefused(alongAxes(std::string("\"mm\" \"mm\" ") + unit), {"units"});
  }
  expectRefused(alongAxes("\"pixel\" \"s\" \"Hz\""), {"units"});
  EXPECT_NE(allNotes(opened(alongAxes("\"pixel\" \"pixel\" \"pixel\""))).find("'pixel' (units): mm assumed"),
            std::string::npos);
  expectRefused(nrrd("space: LPS\nunits: \"in\" \"in\" \"in\"\n" + kDirections), {"units"});
  expectRefused(
      nrrd("space: LPS\nspace units: \"mm\" \"mm\" \"mm\"\nunits: \"um\" \"um\" \"um\"\n" + kDirections),
      {"units"});
}

TEST_F(Nrrd, TimeRunsForward) {
  const std::string start = "NRRD0005\ntype: uchar\ndimension: 4\nsizes: 2 2 1 2\nencoding: raw\n";
  expectRefused(start + "spacings: 1 1 1 -2\n\nabcdefgh", {"spacings", "negative"});
  expectRefused(start + "axis mins: 0 0 0 4\naxis maxs: 2 2 1 0\n\nabcdefgh", {"axis maxs", "negative"});
}

TEST_F(Nrrd, UnitsOfTime) {
  const auto series = [&](const std::string& unit) {
    return opened(
        "NRRD0005\ntype: uchar\ndimension: 4\nsizes: 2 2 1 2\nencoding: raw\nspacings: 1 1 1 2000\n"
        "units: \"mm\" \"mm\" \"mm\" \"" +
        unit + "\"\n\nabcdefgh");
  };
  const auto secondsOf = [](const Layer& layer) {
    return std::get<VolumeLayer>(layer.content).secondsPerVolume;
  };
  EXPECT_EQ(secondsOf(series("ms")), 2);
  EXPECT_EQ(secondsOf(series("s")), 2000);
  EXPECT_EQ(secondsOf(series("")), 2000);
  EXPECT_EQ(secondsOf(series("Hz")), 0);
  EXPECT_NE(allNotes(series("Hz")).find("'hz'"), std::string::npos) << allNotes(series("Hz"));
}

TEST_F(Nrrd, NumbersAsTextFitTheirType) {
  const auto text = [](const std::string& type, const std::string& numbers) {
    return "NRRD0005\ntype: " + type + "\ndimension: 3\nsizes: 2 1 1\nencoding: ascii\n\n" + numbers;
  };
  for (const auto& [type, numbers] :
       std::vector<std::pair<const char*, const char*>>{{"uchar", "1 300"},
                                                        {"uchar", "1 256"},
                                                        {"uchar", "1 -1"},
                                                        {"uchar", "1 8.5"},
                                                        {"uchar", "1 nan"},
                                                        {"int8", "1 128"},
                                                        {"int8", "1 -129"},
                                                        {"short", "1 32768"},
                                                        {"ushort", "1 65536"},
                                                        {"int", "1 -2147483649"},
                                                        {"uint", "1 4294967296"},
                                                        {"int64", "1 1e19"},
                                                        {"uint64", "1 -1"},
                                                        {"uint64", "1 inf"},
                                                        {"float", "1 1e39"}})
    expectRefused(text(type, numbers), {"number 2", "does not fit its type"});
  for (const auto& [type, numbers] :
       std::vector<std::pair<const char*, const char*>>{{"uchar", "0 255"},
                                                        {"uchar", "8.0 2e0"},
                                                        {"int8", "-128 127"},
                                                        {"ushort", "0 65535"},
                                                        {"int", "-2147483648 2147483647"},
                                                        {"int64", "-9223372036854775808 9223372036854775807"},
                                                        {"uint64", "0 18446744073709551615"},
                                                        {"float", "1.5 -inf"},
                                                        {"float", "nan 3.4e38"},
                                                        {"double", "1e-300 1.5"}})
    EXPECT_NO_THROW(opened(text(type, numbers))) << type << " " << numbers;
}

TEST_F(Nrrd, ListsOfFourBytesAreSeries) {
  const std::string start = "NRRD0005\ntype: uchar\ndimension: 4\nencoding: raw\n",
                    end = "\n\nabcdefghijklmnop";
  const Layer series = opened(start + "sizes: 2 2 1 4\nkinds: domain domain domain list" + end);
  ASSERT_EQ(seriesOf(series).count, 4);
  EXPECT_EQ(seriesOf(series).at(1, 2), 'j');
  expectRefused(start + "sizes: 4 2 2 1\nkinds: vector domain domain domain" + end, {"color"});
}

TEST_F(Nrrd, SpacingsAndBoundsAgree) {
  const auto between = [&](const std::string& highest, const std::string& more = "") {
    return nrrd("spacings: 1 2 3\naxis mins: 4 5 6\naxis maxs: " + highest + "\n" + more);
  };
  EXPECT_EQ(gridOf(opened(between("6 9 12")))->spacing().y, 2);
  const Layer ofCenters = opened(between("5 7 9", "centers: node node node\n"));
  EXPECT_TRUE(sameGrid(*gridOf(opened(between("5 7 9"))), *gridOf(ofCenters)))
      << "as the bounds say themselves";
  EXPECT_NO_THROW(opened(between("nan 9 12")));
  for (const char* const highest : {"40 9 12", "6 9 0", "6 5 12"})
    expectRefused(between(highest), {"spacings", "axis maxs"});
  expectRefused(between("6 9 12", "centers: node node node\n"), {"spacings"});
  expectRefused(between("5 7 9", "centers: cell cell cell\n"), {"spacings"});
}

TEST_F(Nrrd, AxesOfSpaceAndTimeAreApart) {
  const auto series = [](const std::string& directions) {
    return "NRRD0005\ntype: uchar\ndimension: 4\nsizes: 2 2 1 2\nencoding: raw\nspace: LPST\nspace "
           "directions: " +
           directions + "\n\nabcdefgh";
  };
  EXPECT_NO_THROW(opened(series("(1,0,0,0) (0,1,0,0) (0,0,1,0) (0,0,0,2)")));
  for (const char* const directions :
       {"(1,0,0,5) (0,1,0,0) (0,0,1,0) (0,0,0,2)", "(1,0,0,0) (0,1,0,0) (0,0,1,0) (0,0,7,2)",
        "(0,0,0,2) (0,1,0,0) (0,0,1,0) (1,0,0,0)"})
    expectRefused(series(directions), {"space directions", "mixed"});
}

TEST_F(Nrrd, SaysThatAxesAreSheared) {
  const auto notes = [&](const char* second) {
    return allNotes(
        opened(nrrd(std::string("space: LPS\nspace directions: (1,0,0) ") + second + " (0,0,1)\n")));
  };
  EXPECT_NE(notes("(1,1,0)").find("not perpendicular (sheared): 45°"), std::string::npos) << notes("(1,1,0)");
  EXPECT_EQ(notes("(0,1,0)").find("sheared"), std::string::npos);
}

}  // namespace
}  // namespace sulcus::io
