#include "core/image/display/layer_kinds.h"
#include "core/image/grids/assumed_sides.h"
#include "tests/core/io/io_test_support.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace sulcus::io {
namespace {

using namespace test;
using nlohmann::json;

Provenance exampleProvenance() {
  Provenance p;
  p.analysis = "fibers", p.version = "0.1.0", p.backend = "gpu", p.device = "NVIDIA H200";
  p.parameters = {{"order", std::int64_t{8}},
                  {"seed", std::int64_t{7}},
                  {"model", std::string("csd")},
                  {"tolerance", 1e-6},
                  {"fast", true}};
  p.inputs = {{"dwi", "a/dwi.nii.gz", "abc"}};
  p.stages = {{"fit", 0.5}, {"search", 1.25}};
  p.commandLine = "sulcus-cli fibers --dwi a/dwi.nii.gz";
  p.created = "2026-11-21T05:43:00Z";
  return p;
}

TEST(ProvenanceJson, CarriesTheKeysOfABidsDerivative) {
  const json j = json::parse(provenanceJson(exampleProvenance()));
  EXPECT_EQ(j["GeneratedBy"][0]["Name"], "Sulcus");
  EXPECT_EQ(j["GeneratedBy"][0]["Version"], "0.1.0");
  EXPECT_EQ(j["Sources"], json::array({"a/dwi.nii.gz"}));
  EXPECT_EQ(j["Inputs"][0]["Sha256"], "abc");
  EXPECT_EQ(j["Parameters"]["order"], 8);
  EXPECT_EQ(j["Parameters"]["fast"], true);
  EXPECT_EQ(j["Seed"], 7);
  EXPECT_EQ(j["StageSeconds"]["search"], 1.25);
  EXPECT_EQ(j["Backend"], "gpu");
  EXPECT_EQ(j["Device"], "NVIDIA H200");
  EXPECT_EQ(j["CommandLine"], "sulcus-cli fibers --dwi a/dwi.nii.gz");
}

TEST(ProvenanceJson, SurvivesTextThatIsNotUtf8) {
  Provenance p = exampleProvenance();
  p.commandLine = "caf\xe9 \"quoted\"\n";
  EXPECT_NO_THROW(json::parse(provenanceJson(p)));
}

TEST(OptionsJson, ComesBackTheSame) {
  const OptionValues values = exampleProvenance().parameters;
  EXPECT_EQ(optionsFromJson(optionsJson(values)), values);
  EXPECT_EQ(optionsFromJson("{}"), OptionValues{});
}

TEST(OptionsJson, ThatIsNotAFlatObjectIsRefused) {
  for (const char* text : {"", "[1]", "3", "{\"a\":", "{\"a\": null}", "{\"a\": {}}", "{\"a\": [1]}",
                           "nonsense", "{\"a\": 1} x"})
    expectError([&] { optionsFromJson(text); }, {""});
  std::string deep(100000, '[');
  expectError([&] { optionsFromJson(deep); }, {"not valid JSON"});
}

TEST(Sidecar, DecidesTheKindAndGivesUnitNamesAndTime) {
  TemporaryFolder folder;
  Nifti1 n;
  n.dim = {4, 2, 2, 2, 3};
  writeBytes(folder / "scan.nii", n.countingFile());
  writeBytes(folder / "scan.json", R"({"SulcusKind": "peaks"})");
  EXPECT_EQ(kindOf(io::openVolume(folder / "scan.nii")), "peaks");
  writeBytes(folder / "scan.json",
             R"({"RepetitionTime": 2.5, "Units": "mm", "VolumeNames": ["a", "b", "c"]})");
  const Layer layer = io::openVolume(folder / "scan.nii");
  EXPECT_EQ(layer.unit, "mm");
  EXPECT_EQ(std::get<VolumeLayer>(layer.content).secondsPerVolume, 2.5);
  EXPECT_EQ(std::get<VolumeLayer>(layer.content).volumeNames.at(2), "c");
  EXPECT_THAT(layer.notes, testing::Not(testing::Contains(testing::HasSubstr("the former is taken"))));
  n.pixdim[4] = 3;
  writeBytes(folder / "scan.nii", n.countingFile());
  EXPECT_THAT(io::openVolume(folder / "scan.nii").notes,
              testing::Contains(testing::HasSubstr("says 2.5 s per volume, the image itself 3 s")));
  n.dim = {3, 2, 2, 2};
  writeBytes(folder / "scan.nii", n.countingFile());
  writeBytes(folder / "scan.json", R"({"SulcusKind": "labels"})");
  EXPECT_EQ(kindOf(io::openVolume(folder / "scan.nii")), "labels");
}

TEST(Sidecar, KeepsWarnings) {
  TemporaryFolder folder;
  Grid grid;
  grid.size = {3, 2, 2};
  const Note warning = Note::warning("the chains have not converged.");
  Layer map = mapLayer("ppm", "", "yellow-red", Series<float>(grid, 1, 0.5F));
  map.provenance = std::make_shared<const Provenance>(exampleProvenance());
  map.notes = {"drawn from 0.95 on", warning};
  io::saveLayer(map, folder / "ppm.nii.gz", false, {});
  Layer read = io::openVolume(folder / "ppm.nii.gz");
  EXPECT_EQ(std::count(read.notes.begin(), read.notes.end(), warning), 1);
  EXPECT_THAT(read.notes, testing::Not(testing::Contains("drawn from 0.95 on"))) << "of the run";
  // Saved again, although it is no longer a result.
  io::saveLayer(read, folder / "again.nii", false, {});
  EXPECT_THAT(io::openVolume(folder / "again.nii").notes, testing::Contains(warning));
  // A file from another source may contain anything.
  writeBytes(folder / "again.json", R"({"Notes": ["Warning: a\u0007b", 3, "Warnings"]})");
  EXPECT_THAT(io::openVolume(folder / "again.nii").notes, testing::Not(testing::Contains(warning)));
  EXPECT_THAT(io::openVolume(folder / "again.nii").notes,
              testing::Not(testing::Contains(testing::HasSubstr("\a"))));
}

TEST(Sidecar, KeepsThatSidesAreAssumed) {
  TemporaryFolder folder;
  Grid grid;
  grid.size = {3, 2, 2};
  Layer image = mapLayer("image", "", "gray", Series<float>(grid, 1, 0.5F));
  image.notes = {"Stored as int16.", assumedSides("The header holds no orientation.")};
  io::saveLayer(image, folder / "image.nii.gz", false, {});
  const Layer read = io::openVolume(folder / "image.nii.gz");
  EXPECT_TRUE(sidesAreAssumed(read)) << "although the file states an orientation now";
  EXPECT_THAT(read.notes,
              testing::Contains(testing::HasSubstr("made from a file that states no orientation")));
  EXPECT_THAT(read.notes, testing::Not(testing::Contains("Stored as int16.")));
}

TEST(Sidecar, KeepsHowAMapIsShown) {
  TemporaryFolder folder;
  Grid grid;
  grid.size = {3, 2, 2};
  Layer map = mapLayer("ppm", "", "yellow-red", Series<float>(grid, 1, 0.5F));
  map.display.range = Range{0.9, 1};
  map.display.hideBelow = 0.95;
  map.display.fade = true;
  map.display.negativeColormap = "blue-lightblue";
  io::saveLayer(map, folder / "ppm.nii.gz", false, {});
  const Display read = io::openVolume(folder / "ppm.nii.gz").display;
  EXPECT_EQ(read.colormap, "yellow-red");
  EXPECT_EQ(read.negativeColormap, "blue-lightblue");
  EXPECT_EQ(read.range, (Range{0.9, 1}));
  EXPECT_EQ(read.hideBelow, 0.95);
  EXPECT_TRUE(read.fade);
  EXPECT_EQ(read.hideAbove, std::nullopt);
  EXPECT_TRUE(read.colorBar);
  EXPECT_TRUE(read.visible) << "a map that was hidden among others is opened to be seen";
}

TEST(Sidecar, ThatSaysNonsenseOfTheDisplayIsAsUsual) {
  TemporaryFolder folder;
  writeBytes(folder / "scan.nii", Nifti1().countingFile());
  for (const char* display :
       {"3", "[]", "null", R"({"Colors": 3, "Range": [2, 1], "HideBelow": "x", "ColorBar": 1})",
        R"({"Range": [1, 1e999], "HideAbove": null})", R"({"Range": [0]})", R"({"NegativeColors": []})",
        R"({"Range": [0, "1"]})"}) {
    writeBytes(folder / "scan.json", std::string(R"({"Display": )") + display + "}");
    try {
      EXPECT_EQ(io::openVolume(folder / "scan.nii").display, Display()) << display;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("not valid JSON")) << display;
    }
  }
}

TEST(Sidecar, ThatIsBrokenIsPassedOverWithAWarning) {
  TemporaryFolder folder;
  writeBytes(folder / "scan.nii", Nifti1().countingFile());
  const auto warningWith = [&](const std::string& text) {
    writeBytes(folder / "scan.json", text);
    const auto notes = io::openVolume(folder / "scan.nii").notes;
    EXPECT_TRUE(notes.back().isWarning()) << notes.back();
    return notes.back().line();
  };
  EXPECT_THAT(warningWith("{ broken"), testing::ContainsRegex("not used: 'scan.json' is not valid JSON"));
  EXPECT_THAT(warningWith("[1, 2]"), testing::ContainsRegex("not used: 'scan.json' is not a JSON object"));
  EXPECT_THAT(warningWith(""), testing::ContainsRegex("not used: 'scan.json' is empty"));
  EXPECT_THAT(warningWith("/annex/objects/MD5E-s20--b3\n"),
              testing::ContainsRegex("'scan.json' is not here"));
  std::filesystem::remove(folder / "scan.json");
  std::filesystem::create_symlink("nowhere.json", folder / "scan.json");
  EXPECT_THAT(io::openVolume(folder / "scan.nii").notes.back(),
              testing::ContainsRegex("'scan.json' is not here"));
}

TEST(Sidecar, WithFaultsIsUsedAsFarAsItIsClear) {
  TemporaryFolder folder;
  Nifti1 n;
  n.dim = {4, 2, 1, 1, 3};
  writeBytes(folder / "scan.nii", n.countingFile());
  for (const char* text :
       {R"({"RepetitionTime": 2.5, "EchoTime": NaN, "A": [Infinity, -Infinity]})",
        R"({"RepetitionTime": 2.5, "A": [1, 2, ], })", R"({"RepetitionTime": 7, "RepetitionTime": 2.5})",
        "{\"A\": \"caf\xe9 \\\" NaN,}\", \"RepetitionTime\": 2.5}",
        "{\"A\": \"200\n Main Street\", \"RepetitionTime\": 2.5}"}) {
    SCOPED_TRACE(text);
    writeBytes(folder / "scan.json", text);
    const Layer layer = io::openVolume(folder / "scan.nii");
    EXPECT_EQ(std::get<VolumeLayer>(layer.content).secondsPerVolume, 2.5);
    EXPECT_TRUE(std::any_of(layer.notes.begin(), layer.notes.end(), [](const Note& note) {
      return note.isWarning() && note.text.line().find("despite an error: 'scan.json'") != std::string::npos;
    }));
  }
}

TEST(Peaks, AreRecognizedByTheirMissingDirections) {
  TemporaryFolder folder;
  Nifti1 n;
  n.dim = {4, 2, 1, 1, 3};
  const float nan = std::nanf("");
  writeBytes(folder / "p.nii", n.file(std::vector<float>{1, nan, 0, nan, 0, nan}));
  const Layer layer = io::openVolume(folder / "p.nii");
  EXPECT_EQ(kindOf(layer), "peaks");
  EXPECT_NE(allNotes(layer).find("Taken as peaks"), std::string::npos);
  writeBytes(folder / "p.nii", n.file(std::vector<float>{1, nan, 0, 2, 0, nan}));
  EXPECT_EQ(kindOf(io::openVolume(folder / "p.nii")), "series") << "half a direction is none";
}

TEST(Peaks, AreNeverGuessedForAsManyVolumesAsATensorOrHarmonicsHave) {
  TemporaryFolder folder;
  const float nan = std::nanf("");
  for (const auto& [count, kind] : {std::pair{6, "series"}, {9, "peaks"}, {15, "series"}}) {
    Nifti1 n;
    n.dim = {4, 2, 1, 1, count};
    std::vector<float> values(std::size_t(2 * count), 1);
    for (int v = 3; v < count; ++v) values[std::size_t(2 * v)] = nan;  // the first voxel has one direction
    writeBytes(folder / "p.nii", n.file(values));
    EXPECT_EQ(kindOf(io::openVolume(folder / "p.nii")), kind) << count;
    EXPECT_EQ(kindOf(io::openVolume(folder / "p.nii", {}, UnlabeledData::asImage)), "series");
  }
}

TEST(Peaks, AreNotGuessedOfASeriesWithABackgroundOfNan) {
  TemporaryFolder folder;
  Nifti1 n;
  n.dim = {4, 2, 1, 1, 21};
  std::vector<float> values(42, 100);
  for (int v = 0; v < 21; ++v) values[std::size_t(2 * v)] = std::nanf("");
  writeBytes(folder / "dwi.nii", n.file(values));
  EXPECT_EQ(kindOf(io::openVolume(folder / "dwi.nii")), "series");
}

TEST(Peaks, AreNotGuessedIfTheScanHasGradientFiles) {
  TemporaryFolder folder;
  Nifti1 n;
  n.dim = {4, 2, 1, 1, 3};
  const float nan = std::nanf("");
  writeBytes(folder / "dwi.nii", n.file(std::vector<float>{1, nan, 1, nan, 1, nan}));
  writeBytes(folder / "dwi.b", "0 0 0 0\n1 0 0 1000\n0 1 0 1000\n");
  EXPECT_EQ(kindOf(io::openVolume(folder / "dwi.nii")), "diffusion series");
}

TEST(Sha256, MatchesThePublishedVectors) {
  TemporaryFolder folder;
  const auto hash = [&](const std::string& bytes) {
    writeBytes(folder / "f", bytes);
    return io::sha256OfFile(folder / "f");
  };
  // These are the examples of FIPS 180-4.
  EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  expectError([&] { io::sha256OfFile(folder / "missing"); }, {"missing"});
}

TEST(Sha256, CanBeCancelledAtEveryMegabyte) {
  TemporaryFolder folder;
  writeBytes(folder / "f", std::string(5 << 20, 'a'));
  std::stop_source stop;
  std::vector<double> fractions;
  const Progress progress(stop.get_token(), [&](double fraction, std::string_view) {
    fractions.push_back(fraction);
    if (fractions.size() == 2) stop.request_stop();
  });
  EXPECT_THROW(io::sha256OfFile(folder / "f", progress), Cancelled);
  EXPECT_EQ(fractions, (std::vector<double>{0.2, 0.4}));
}

TEST(Sha256, IsRightAtTheEdgesOfBlocksAndChunks) {
  TemporaryFolder folder;
  const auto hash = [&](std::size_t size) {
    writeBytes(folder / "f", std::string(size, 'a'));
    return io::sha256OfFile(folder / "f");
  };
  // This one is from sha256sum of coreutils.
  EXPECT_EQ(hash(55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(hash(56), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(hash(64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
  EXPECT_EQ(hash(1 << 20), "9bc1b2a288b26af7257a36277ae3816a7d4f16e89c1e7e77d0a5c48bad62b360");
}

}  // namespace
}  // namespace sulcus::io
