#include "core/group/group_design.h"

#include "tests/support/expect_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::group {
namespace {

using test::expectError;
using testing::ElementsAre;
using testing::HasSubstr;

const PeopleTable kPeople{{"participant_id", "group", "age", "site"},
                          {{"sub-01", "patient", "30", "x"},
                           {"sub-02", "control", "40", "x"},
                           {"sub-03", "patient", "50", "x"},
                           {"sub-10", "control", "n/a", "x"},
                           {"sub-1", "control", "60", "y"}}};

TEST(GroupPeople, AreFoundByTheirNames) {
  const auto matched = matchPeople(kPeople, {"sub-10_run-01_effect.nii.gz", "sub-03_run-01.nii",
                                             "sub-01_run-02.nii", "sub-99.nii", "sub-1.nii"});
  EXPECT_THAT(matched.rows, ElementsAre(0, 2, 3, 4));
  EXPECT_THAT(matched.maps, ElementsAre(2, 1, 0, 4));
  ASSERT_EQ(matched.notes.size(), 2u);
  EXPECT_THAT(matched.notes[0], HasSubstr("1 of 5 people have no map: sub-02"));
  EXPECT_THAT(matched.notes[1], HasSubstr("belong to nobody in the table and are left out: sub-99.nii"));
}

TEST(GroupPeople, AreMatchedInOrderIfNamesContainNoIds) {
  const auto matched = matchPeople(kPeople, {"a", "b", "c", "d", "e"});
  EXPECT_THAT(matched.maps, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(matched.notes[0], HasSubstr("are matched in order"));
  expectError([] { matchPeople(kPeople, {"a", "b"}); }, {"No map matches a row"});
  EXPECT_THAT(matchPeople({}, {"a", "b"}).maps, ElementsAre(0, 1)) << "without a table";
}

GroupDesign designOf(const DesignRequest& request, Notes* notes = nullptr) {
  Notes own;
  std::vector<std::size_t> kept;
  return makeGroupDesign(kPeople, {0, 1, 2, 3, 4}, request, notes ? *notes : own, kept);
}

TEST(GroupDesign, HasGroupsCovariatesAndTheirContrasts) {
  Notes notes;
  const GroupDesign design = designOf({"group", "age", "", ""}, &notes);
  EXPECT_THAT(design.names, ElementsAre("control", "patient", "age"));
  ASSERT_EQ(design.people(), 4);
  EXPECT_THAT(design.rows[0], ElementsAre(0, 1, -15)) << "centered on the mean of those who stay";
  EXPECT_THAT(notes, ElementsAre(HasSubstr("1 of 5 people are left out")));
  ASSERT_EQ(design.contrasts.size(), 2u);
  EXPECT_EQ(design.contrasts[0].name, "control-patient");
  EXPECT_EQ(design.contrasts[1].name, "age");
  EXPECT_THAT(designOf({"", "", "", ""}).names, ElementsAre("mean"));
  EXPECT_EQ(designOf({"group", "", "", "patient - control"}).contrasts[0].name, "patient-control");
}

TEST(GroupDesign, RefusesWhatIsUninformative) {
  expectError(
      [] {
        designOf({"diagnosis", "", "", ""});
      },
      {"no column 'diagnosis'", "age"}, ErrorKind::usage);
  expectError([] { designOf({"site", "", "", ""}); }, {"The group 'y' has one person"});
  expectError([] { designOf({"", "group", "", ""}); }, {"'group' is 'patient' in a row", "--groups"});
  expectError([] { designOf({"", "", "age", ""}); }, {"No person was measured repeatedly"}, ErrorKind::usage);
  Notes notes;
  std::vector<std::size_t> kept;
  expectError([&] { makeGroupDesign(kPeople, {3}, {}, notes, kept); }, {"There is one map"});
  const PeopleTable same{{"participant_id", "age"}, {{"1", "30"}, {"2", "30"}}};
  expectError(
      [&] {
        makeGroupDesign(same, {0, 1}, {"", "age", "", ""}, notes, kept);
      },
      {"same for all people"});
}

}  // namespace
}  // namespace sulcus::group
