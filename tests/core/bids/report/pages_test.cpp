#include "core/bids/report/pages.h"

#include "core/bids/report/mean_maps.h"
#include "core/bids/report/pictures.h"
#include "core/bids/report/slices.h"
#include "core/image/grids/assumed_sides.h"
#include "core/io/files.h"
#include "tests/core/bids/study_analyses.h"
#include "tests/core/bids/study_folder.h"

#include <cmath>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

TEST(BidsPages, ShowPicturesOfTheResultsAlone) {
  const test::StudyFolder folder({}), other({});
  other.add("secret.png", "\x89PNG\r\nsecret");
  folder.add("sub-01/text.png", "root:x:0:0");
  fs::create_symlink(other.root() / "secret.png", folder.root() / "sub-01" / "link.png");
  Record record;
  record.analysis = "fibers", record.subject = "01", record.run = "sub-01", record.done = true;
  for (const auto& [file, why] :
       {std::pair("sub-01/text.png", "not a PNG picture"),
        std::pair("sub-01/link.png", "outside of the results"), std::pair("sub-01/none.png", "not there")}) {
    record.pictures = {{file, "directions"}};
    const std::string page = participantPage("01", {record}, folder.root());
    EXPECT_THAT(page, HasSubstr(why));
    EXPECT_THAT(page, Not(HasSubstr("base64")));
  }
}

TEST(BidsPages, AreCompleteAndReportFailures) {
  const test::StudyFolder folder({});
  folder.add("sub-01/p.png", "\x89PNG\r\n");
  Record done, failed;
  done.analysis = failed.analysis = "fibers", done.subject = "01", failed.subject = "02";
  done.run = "sub-01", failed.run = "sub-02", done.done = true;
  done.pictures = {{"sub-01/p.png", "directions"}}, done.figures = {{"share", "mm", "A <share>", 0.5}};
  done.notes = {Note::warning("look")};
  failed.problem = "<script>";
  const std::string own = participantPage("01", {done, failed}, folder.root());
  EXPECT_THAT(own, HasSubstr("data:image/png;base64,iVBORw0K"));
  EXPECT_THAT(own, HasSubstr("0.5 mm"));
  EXPECT_LT(own.find("Failed"), own.find("directions")) << "what failed comes first";
  const std::string all =
      studyPage("A <b>", {{"fibers", runTable({done, failed}, "fibers"), {}, {"a note"}}}, folder.root());
  for (const auto& page : {own, all}) {
    EXPECT_THAT(page, Not(HasSubstr("<script"))) << "names and sentences are text";
    EXPECT_THAT(page, Not(HasSubstr("http"))) << "nothing from elsewhere";
  }
  EXPECT_THAT(all, HasSubstr("2 runs, 1 failed, 0 outliers"));
  fs::remove(folder.root() / "sub-01/p.png");
  EXPECT_NO_THROW(participantPage("01", {done}, folder.root()));
}

TEST(BidsPages, DoNotJudgeARunByItsTime) {
  const test::StudyFolder folder({});
  std::vector<Record> records;
  for (int i = 0; i < 6; ++i) {
    Record record;
    record.analysis = "fibers", record.subject = "0" + std::to_string(i), record.done = true;
    record.run = "sub-" + record.subject;
    record.figures = {{"seconds", "s", "", i == 5 ? 100 : 1 + 0.01 * i}};
    records.push_back(record);
  }
  const auto page = [&] {
    return studyPage("A", {{"fibers", runTable(records, "fibers"), {}, {}}}, folder.root());
  };
  EXPECT_THAT(page(), Not(HasSubstr("<b class=bad>")));
  for (auto& record : records) record.figures.front().name = "share";
  EXPECT_THAT(page(), HasSubstr("s.d. from the median\">100</abbr></b>"));
}

TEST(BidsPictures, SayWhichSideIsWhich) {
  RunResult result;
  result.layers = {mapLayer("phi", "mm", "gray", Series<float>(Grid{{4, 4, 4}, {}}, 1))};
  Layer image = mapLayer("image", "", "gray", Series<float>(Grid{{4, 4, 4}, {}}, 1));
  const auto caption = [&] {
    const auto pictures = resultPictures(test::analysisNamed("surface"), result,
                                         {{"image", std::make_shared<const Layer>(image)}});
    return pictures.empty() ? "" : pictures.front().caption;
  };
  EXPECT_THAT(caption(), HasSubstr("The right side is shown on the left; in the lowest row"));
  image.notes = {assumedSides("No orientation.")};
  EXPECT_THAT(caption(), HasSubstr("by assumption"));
}

TEST(BidsSlices, LieAsTheyAreDescribed) {
  // One bright voxel at the right, back and top of a head stored as LAS: the first index runs to the left.
  Grid grid{{8, 8, 8}, {}};
  grid.worldFromVoxel.m[0][0] = -1;
  const auto isBright = [&](std::int64_t i) {
    const auto at = grid.voxel(i);
    return at.x == 0 && at.y == 0 && at.z == 7;
  };
  const auto picture = slices(
      grid,
      [&](std::int64_t i) {
        return isBright(i) ? Color{255, 255, 255} : Color{};
      },
      [](std::int64_t) { return true; });
  const auto at = [&](int x, int y) {
    return picture.rgb[3 * (std::size_t(y) * std::size_t(picture.width) + std::size_t(x))];
  };
  const int cell = picture.width / 7, row = picture.height / 3;
  EXPECT_EQ(at(6 * cell + 4, row - 8), 255)
      << "axial, the highest slice: the right is at the left, the back below";
  EXPECT_EQ(at(4, row + 8), 255)
      << "coronal, the slice furthest back: the right is at the left, the top above";
  EXPECT_EQ(at(7 * cell - 6, 2 * row + 8), 255)
      << "sagittal, the slice furthest right: the back is at the right";
  int bright = 0;
  for (std::size_t i = 0; i < picture.rgb.size(); i += 3) bright += picture.rgb[i] > 0;
  EXPECT_NEAR(bright, 3 * 16 * 16, 200) << "it is seen three times, 16 pixels wide";
}

TEST(BidsSlices, EdgesAreTheOuterVoxels) {
  Volume<float> cube(Grid{{5, 5, 5}, {}});
  for (int z = 1; z < 4; ++z)
    for (int y = 1; y < 4; ++y)
      for (int x = 1; x < 4; ++x) cube(x, y, z) = 1;
  const auto isEdge = edges(std::as_const(cube).view(), 0.5f);
  int count = 0;
  for (std::int64_t i = 0; i < cube.grid.voxels(); ++i) count += isEdge(i);
  EXPECT_EQ(count, 26);
}

class BidsMeans : public testing::Test {
 protected:
  /// Writes a map and returns a record of its run.
  Record made(const std::string& subject, const std::string& entities, std::vector<float> values) {
    Series<float> map(Grid{{2, 1, 1}, {}}, 1);
    map.values = std::move(values);
    const std::string file = "sub-" + subject + entities + "_stat-effect_statmap.nii.gz";
    io::saveLayer(mapLayer("effect", "%", "gray", std::move(map)), folder_.root() / file);
    Record record;
    record.analysis = "activation", record.subject = subject, record.done = true, record.files = {file};
    return record;
  }
  test::StudyFolder folder_{{}};
  Notes notes_;
};

TEST_F(BidsMeans, CountEachParticipantOnce) {
  const std::vector records{made("01", "_run-1_space-MNI", {1, 5}), made("01", "_run-2_space-MNI", {3, 5}),
                            made("02", "_run-1_space-MNI", {6, NAN})};
  const auto groups = mapGroups(records, notes_);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].name.text(), "space-MNI_stat-effect_statmap.nii.gz");
  EXPECT_TRUE(isPictured(groups[0]));
  EXPECT_FALSE(isPictured({groups[0].name.with("contrast", "cosine1"), {}}));
  EXPECT_FALSE(isPictured({groups[0].name.with("stat", "z"), {}}));
  const auto map = meanMap(groups[0], folder_.root(), notes_, {});
  EXPECT_EQ(map.participants, 2);
  const auto values = [](const Layer& layer) { return std::get<VolumeLayer>(layer.content).series->values; };
  EXPECT_EQ(values(map.mean), (std::vector<float>{4, 5}));
  EXPECT_FLOAT_EQ(values(map.sd)[0], std::sqrt(8.f));
  EXPECT_TRUE(std::isnan(values(map.sd)[1]));
  EXPECT_EQ(values(map.count), (std::vector<float>{2, 1}));
  EXPECT_EQ(map.mean.unit, "%");
  EXPECT_TRUE(notes_.empty());
}

TEST_F(BidsMeans, AreThoseOfTheMapsThatAreThere) {
  const std::vector records{made("01", "_space-MNI", {1, 5}), made("02", "_space-MNI", {3, 7}),
                            made("03", "_space-MNI", {5, 9})};
  const auto groups = mapGroups(records, notes_);
  ASSERT_EQ(groups.size(), 1u);
  std::filesystem::remove(folder_.root() / records[0].files[0]);
  folder_.add(records[2].files[0], "damaged");
  const auto map = meanMap(groups[0], folder_.root(), notes_, {});
  EXPECT_EQ(map.participants, 1);
  EXPECT_EQ(std::get<VolumeLayer>(map.mean.content).series->values, (std::vector<float>{3, 7}));
  ASSERT_EQ(notes_.size(), 2u);
  EXPECT_THAT(notes_[0], HasSubstr("Warning: a map was excluded from the means: There is no file 'sub-01"));
  std::filesystem::remove(folder_.root() / records[1].files[0]);
  EXPECT_EQ(meanMap(groups[0], folder_.root(), notes_, {}).participants, 0);
}

TEST_F(BidsMeans, AreNotMadeOfOwnSpaces) {
  const std::vector records{made("01", "_space-T1w", {1, 5}), made("02", "", {6, 1}),
                            made("03", "_space-sesA", {1, 1})};
  EXPECT_TRUE(mapGroups(records, notes_).empty());
  ASSERT_EQ(notes_.size(), 1u);
  EXPECT_THAT(notes_[0], HasSubstr("own space"));
}

}  // namespace
}  // namespace sulcus::bids
