#include "tests/core/io/io_test_support.h"

namespace sulcus::io {
namespace {

using namespace test;
using Names = std::vector<std::string>;
using Rows = std::vector<std::vector<std::string>>;

const TableLayer& tableIn(const Layer& layer) { return std::get<TableLayer>(layer.content); }

class Tables : public testing::Test {
 protected:
  Layer open(const std::string& bytes, const std::string& name = "table.tsv") {
    writeBytes(folder_ / name, bytes);
    return io::openTable(folder_ / name);
  }
  void expectTable(const std::string& bytes, const Names& columns, const Rows& rows,
                   const std::string& note = "") {
    const Layer layer = open(bytes);
    EXPECT_EQ(tableIn(layer).columns, columns) << bytes;
    EXPECT_EQ(tableIn(layer).rows, rows) << bytes;
    EXPECT_NE(allNotes(layer).find(note), std::string::npos) << allNotes(layer);
  }
  void expectRefused(const std::string& bytes, const std::vector<std::string>& words) {
    expectError([&] { open(bytes, "bad.tsv"); }, words);
  }
  TemporaryFolder folder_;
};

TEST_F(Tables, AreRecognizedByContent) {
  const Names columns{"a", "b"};
  const Rows rows{{"1", "2.5"}, {"-3", "n/a"}};
  expectTable("a\tb\n1\t2.5\n-3\tn/a\n", columns, rows, "tab-separated");
  expectTable("a,b\n1,2.5\n-3,n/a\n", columns, rows, "comma-separated");
  expectTable("a;b\n1;2.5\n-3;n/a\n", columns, rows, "semicolon-separated");
  expectTable("a b\n1 2.5\n  -3\t n/a  \n", columns, rows, "separated by spaces");
  expectTable("a\tb\n1\t2.5\n-3\tn/a", columns, rows, "2 rows, 2 columns, named by its header");
}

TEST_F(Tables, MayHaveDecimalCommas) {
  const std::string said = "Decimal commas were read as points";
  expectTable("onset;what\n1,5;a, b\n12;1,5\nn/a;c\n", {"onset", "what"},
              {{"1.5", "a, b"}, {"12", "1,5"}, {"n/a", "c"}}, said);
  expectTable("1,0\t-0,5\n0\t1,25e-3\n", {"reg1", "reg2"}, {{"1.0", "-0.5"}, {"0", "1.25e-3"}}, said);
  expectTable("a;b\n1,234;2\n0,125;3\n", {"a", "b"}, {{"1.234", "2"}, {"0.125", "3"}}, said);
  expectTable("a;b\n1,234;2\n12,345;3\n", {"a", "b"}, {{"1,234", "2"}, {"12,345", "3"}});  // thousands?
}

TEST_F(Tables, AreReadAsSpreadsheetsWriteThem) {
  expectTable("sep=;\r\na;b\r\n1,5;2\r\n3;#NV\r\n", {"a", "b"}, {{"1.5", "2"}, {"3", "#NV"}}, "semicolon");
  expectTable(
      "id;Gr\xf6\xdf"
      "e\n1;\x80\n",
      {"id", "Größe"}, {{"1", "€"}}, "read as Windows-1252");
  expectTable("\xef\xbb\xbfid,Größe\r\n1,2\r\n", {"id", "Größe"}, {{"1", "2"}});
  expectRefused(std::string("\xff\xfei\0d\0\n\0", 8), {"is a text in UTF-16", "CSV UTF-8"});
}

TEST_F(Tables, KnowTheirNameAndFile) {
  const Layer layer = open("a\tb\n1\t2\n", "sub-1_events.tsv");
  EXPECT_EQ(layer.name, "sub-1_events");
  EXPECT_EQ(layer.source, (folder_ / "sub-1_events.tsv").string());
}

TEST_F(Tables, WithoutAHeaderHaveNumberedColumns) {
  expectTable("1 2\n3 4\n", {"reg1", "reg2"}, {{"1", "2"}, {"3", "4"}}, "without names");
  expectTable("5\n6\n\n7\n", {"reg1"}, {{"5"}, {"6"}, {"7"}});
  expectTable("n/a,1e-3\n+2,.5\n", {"reg1", "reg2"}, {{"n/a", "1e-3"}, {"+2", ".5"}});
}

TEST_F(Tables, OfFslHaveTheirMatrix) {
  expectTable("/NumWaves\t2\n/NumPoints 3   \n/PPheights\t\t1.0 7e-1\n\n/Matrix\n1.0\t2e-1\t\n3 4\n5\t6\t\n",
              {"reg1", "reg2"}, {{"1.0", "2e-1"}, {"3", "4"}, {"5", "6"}}, "FSL design");
  expectRefused("/NumWaves 3\n/NumPoints 1\n/Matrix\n1 2\n", {"'bad.tsv'", "3 columns", "has 2"});
  expectRefused("/NumWaves 2\n/NumPoints 2\n/Matrix\n1 2\n", {"2 rows", "has 1"});
  expectRefused("/NumWaves 2\n/Matrix\n1 2\n3\n", {"different lengths", "line 3", "line 4"});
  expectRefused("/NumWaves 2\n/Matrix\n", {"no rows"});
}

TEST_F(Tables, ReadAnyLineEndsAndAByteOrderMark) {
  const Rows rows{{"1", "2"}, {"3", "4"}};
  expectTable(
      "\xef\xbb\xbf"
      "a\tb\r\n1\t2\r\n3\t4\r\n",
      {"a", "b"}, rows);
  expectTable("a,b\r1,2\r3,4\r", {"a", "b"}, rows);
}

TEST_F(Tables, ReadQuotedCells) {
  expectTable("\"a, b\",\"say \"\"c\"\"\"\n\"1\", 2\n\"two\nlines\",4\n", {"a, b", "say \"c\""},
              {{"1", "2"}, {"two\nlines", "4"}});
  expectTable("\"onset\" \"trial type\"\n1 \"left hand\"\n", {"onset", "trial type"}, {{"1", "left hand"}});
  expectTable("a\tb\n\"\"\t\"x\" y\n", {"a", "b"}, {{"", "x y"}});
  expectRefused("a,b\n1,\"2\n3,4\n", {"'bad.tsv'", "quote in line 2", "never closed"});
}

TEST_F(Tables, SkipCommentsAndTakeNamesFromThem) {
  expectTable("# made by hand\na\tb\n# no row\n1\t2\n% nor this\n", {"a", "b"}, {{"1", "2"}});
  expectTable("# visual auditory\n1 2\n3 4\n", {"visual", "auditory"}, {{"1", "2"}, {"3", "4"}});
  expectTable("# one sentence about it\n1 2\n3 4\n", {"reg1", "reg2"}, {{"1", "2"}, {"3", "4"}});
}

TEST_F(Tables, KeepEmptyCellsButNoEmptyColumnAtTheEnd) {
  expectTable("a\tb\tc\n1\t\t3\n\t5\t\n", {"a", "b", "c"}, {{"1", "", "3"}, {"", "5", ""}});
  expectTable("1\t2\t\n3\t4\t\n", {"reg1", "reg2"}, {{"1", "2"}, {"3", "4"}});
  expectTable("a,b\n1,2\n,\n,\n", {"a", "b"}, {{"1", "2"}});
  expectTable("a\t\tc\n1\t2\t3\n", {"a", "column2", "c"}, {{"1", "2", "3"}});
}

TEST_F(Tables, OmitRowNumbers) {
  expectTable(",a,b\n0,5,6\n1,7,9\n", {"a", "b"}, {{"5", "6"}, {"7", "9"}}, "numbers the rows");
  expectTable("\"a\" \"b\"\n\"1\" 5 6\n\"2\" 7 9\n", {"a", "b"}, {{"5", "6"}, {"7", "9"}},
              "numbers the rows");
  expectTable("n,a\n1,5\n2,7\n", {"n", "a"},
              {{"1", "5"}, {"2", "7"}});  // the column of row numbers has a name
}

TEST_F(Tables, MayMixBlanksAndTabs) {
  expectTable("1\t2 3\n4 5\t6\n", {"reg1", "reg2", "reg3"}, {{"1", "2", "3"}, {"4", "5", "6"}});
}

TEST_F(Tables, MayBeCompressed) {
  writeGzip(folder_ / "a.tsv.gz", "a\tb\n1\t2\n");
  const Layer layer = io::openTable(folder_ / "a.tsv.gz");
  EXPECT_EQ(layer.name, "a");
  EXPECT_EQ(tableIn(layer).rows, (Rows{{"1", "2"}}));
}

TEST_F(Tables, WithLinesOfDifferentLengthsAreRefusedByLine) {
  expectRefused("a\tb\tc\n1\t2\t3\n4\t5\n", {"'bad.tsv'", "line 1 has 3 cells", "line 3 has 2"});
  expectRefused("a\n1 2 3\n", {"line 1 has 1 cell and line 2 has 3"});
  expectRefused("a,b\n\"x\ny\",2\n1,2,3\n", {"line 4 has 3"});
  expectRefused("This is prose. It goes on\nand is no table at all, of course.\n", {"different lengths"});
}

TEST_F(Tables, WithoutRowsAreRefused) {
  for (const char* bytes : {"a\tb\n", "\n\n", "# nothing\n", ",,\n", "\t \"\"\t", "\xef\xbb\xbf"})
    expectRefused(bytes, {"'bad.tsv'", "no rows"});
  expectRefused("", {"empty"});
}

TEST_F(Tables, OfOtherFormatsAreRefused) {
  expectRefused(std::string("\x1f\x00\x02", 3), {"'bad.tsv'", "binary data"});
  expectRefused("\x89PNG\r\n\x1a\n1 2 3", {"binary data"});
  expectRefused(std::string("\xff\xfe"
                            "a\0b\0",
                            6),
                {"UTF-16", "save it anew"});
  expectRefused("{\"RepetitionTime\": 2}\n", {"JSON"});
  expectRefused("<html>\n", {"web page"});
  expectError([&] { io::openTable(folder_ / "none.tsv"); }, {"no file 'none.tsv'"});
  expectError([&] { io::openTable(folder_.path()); }, {"is a folder"});
}

TEST_F(Tables, ThatAreTooLargeAreRefused) {
  expectRefused(std::string(5'100'000, ',') + "\n1\n", {"5000000 cells"});
  std::string wide = "1";
  for (int i = 0; i < 10000; ++i) wide += ",1";
  expectRefused(wide + "\n" + wide + "\n", {"10001 columns"});
  writeGzip(folder_ / "bomb.tsv", std::string(70'000'000, '1'));
  expectError([&] { io::openTable(folder_ / "bomb.tsv"); }, {"'bomb.tsv'", "too long", "64 MB"});
}

TEST_F(Tables, AreSavedAndReadAlike) {
  Layer layer;
  layer.name = "t";
  layer.content =
      TableLayer{{"a b", "c,d", "e"},
                 {{"1", "", "n/a"}, {"say \"x\"", "two\nlines", "tab\there"}, {" blank ", "#", "-0.25"}}};
  for (const char* name : {"t.tsv", "t.csv"}) {
    io::saveLayer(layer, folder_ / name);
    const Layer back = io::openLayer(folder_ / name);
    EXPECT_EQ(tableIn(back).columns, tableIn(layer).columns) << name;
    EXPECT_EQ(tableIn(back).rows, tableIn(layer).rows) << name;
    std::filesystem::remove(folder_ / "t.json");
  }
}

TEST_F(Tables, AreSavedWithASidecarAndNeverOverwrittenByDefault) {
  Layer layer;
  layer.name = "delta", layer.unit = "%";
  layer.content = TableLayer{{"draw", "value"}, {{"1", "0.5"}}};
  io::saveLayer(layer, folder_ / "delta.tsv");
  EXPECT_EQ(readBytes(folder_ / "delta.tsv"), "draw\tvalue\n1\t0.5\n");
  EXPECT_NE(readBytes(folder_ / "delta.json").find("\"SulcusKind\": \"table\""), std::string::npos);
  expectError([&] { io::saveLayer(layer, folder_ / "delta.tsv"); }, {"delta.tsv", "exists"});
  io::saveLayer(layer, folder_ / "delta.tsv", true);
  expectError([&] { io::saveLayer(layer, folder_ / "delta.nii.gz"); }, {"'delta'", ".tsv or .csv"},
              ErrorKind::usage);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_.path())) ++files;
  EXPECT_EQ(files, 2u);
}

TEST_F(Tables, OfOneColumnKeepTheirEmptyCells) {
  Layer layer;
  layer.content = TableLayer{{"a"}, {{"1"}, {""}, {"3"}}};
  io::saveLayer(layer, folder_ / "a.tsv");
  EXPECT_EQ(tableIn(io::openTable(folder_ / "a.tsv")).rows, (Rows{{"1"}, {"n/a"}, {"3"}}));
}

TEST_F(Tables, AreMadeOfCurves) {
  Layer layer;
  layer.name = "energy";
  layer.content = CurveLayer{"iteration", "E", {{"E", {0, 1}, {0.1, 1e-30}}, {"sKL", {0, 1}, {NAN, 3}}}};
  io::saveLayer(layer, folder_ / "energy.tsv");
  EXPECT_EQ(readBytes(folder_ / "energy.tsv"), "iteration\tE\tsKL\n0\t0.1\tn/a\n1\t1e-30\t3\n");
  layer.content = CurveLayer{"s", "%", {{"a", {0, 1}, {5, 6}}, {"b", {2}, {7}}}};
  io::saveLayer(layer, folder_ / "energy.csv", true);
  EXPECT_EQ(readBytes(folder_ / "energy.csv"), "line,s,%\na,0,5\na,1,6\nb,2,7\n");
}

TEST_F(Tables, AreDistinguishedFromScansByContent) {
  writeBytes(folder_ / "scan.tsv", Nifti1().countingFile());  // not a table, despite its name
  EXPECT_NE(allNotes(io::openVolume(folder_ / "scan.tsv")), "");
  writeBytes(folder_ / "scan.dat", Nifti1().countingFile());
  EXPECT_EQ(kindOf(io::openLayer(folder_ / "scan.dat")), "volume");
  writeBytes(folder_ / "scan", "a b\n1 2\n");
  EXPECT_EQ(kindOf(io::openLayer(folder_ / "scan")), "table");
  writeBytes(folder_ / "matlab.mat", std::string("MATLAB 5.0 MAT-file\0\1", 21));
  expectError([&] { io::openLayer(folder_ / "matlab.mat"); }, {"'matlab.mat'", "binary data"});
  writeBytes(folder_ / "noise.bin", std::string("\0\1\2\3", 4));
  expectError([&] { io::openLayer(folder_ / "noise.bin"); }, {"'noise.bin'", "cannot be read by Sulcus"});
  expectError([&] { io::openLayer(folder_ / "none"); }, {"no file 'none'"});
}

class TablesBesideTest : public testing::Test {
 protected:
  void make(const std::string& name) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    writeBytes(folder_ / name, "x");
  }
  TablesBeside find(const std::string& scan) { return findTablesBeside(folder_ / scan); }
  TemporaryFolder folder_;
};

TEST_F(TablesBesideTest, AreFslsDesigns) {
  make("run.nii.gz");
  EXPECT_TRUE(find("run.nii.gz").design.empty());
  make("other_design.mat");
  EXPECT_TRUE(find("run.nii.gz").design.empty());
  make("design.mat");
  EXPECT_EQ(find("run.nii.gz").design.filename(), "design.mat");
  make("fmri_design.mat");
  EXPECT_EQ(find("fmri_filtered_func_data.nii.gz").design.filename(), "fmri_design.mat");
  make("fmri_filtered_design.mat");
  EXPECT_EQ(find("fmri_filtered_func_data.nii.gz").design.filename(), "fmri_filtered_design.mat");
}

TEST_F(TablesBesideTest, AreBidsEventsByInheritance) {
  make("dataset_description.json");
  make("task-rest_events.tsv");
  make("sub-01/func/sub-01_task-nback_run-1_events.tsv");
  make("task-nback_events.tsv");
  EXPECT_EQ(find("sub-01/func/sub-01_task-nback_run-1_bold.nii.gz").events.filename(),
            "sub-01_task-nback_run-1_events.tsv");
  EXPECT_EQ(find("sub-01/func/sub-01_task-nback_run-2_bold.nii.gz").events.filename(),
            "task-nback_events.tsv");
  EXPECT_TRUE(find("sub-01/func/sub-01_task-motor_bold.nii.gz").events.empty());
  EXPECT_TRUE(find("nback_bold.nii.gz").events.empty());
}

TEST_F(TablesBesideTest, AreFmriprepsConfounds) {
  make("sub-01_task-a_desc-confounds_timeseries.tsv");
  make("sub-01_task-b_desc-confounds_timeseries.tsv");
  EXPECT_EQ(find("sub-01_task-b_space-MNI_desc-preproc_bold.nii.gz").confounds.filename(),
            "sub-01_task-b_desc-confounds_timeseries.tsv");
  EXPECT_TRUE(find("sub-02_task-b_desc-preproc_bold.nii.gz").confounds.empty());
  EXPECT_TRUE(findTablesBeside("/nowhere/at/all.nii").design.empty());
}

}  // namespace
}  // namespace sulcus::io
