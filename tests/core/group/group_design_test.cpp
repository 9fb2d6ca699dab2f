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
  EXPECT_THAT(matched.notes[1], HasSubstr("match no row of the table and are excluded: sub-99.nii"));
}

TEST(GroupPeople, AreMatchedInOrderIfNamesContainNoIds) {
  const auto matched = matchPeople(kPeople, {"a", "b", "c", "d", "e"});
  EXPECT_THAT(matched.maps, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(matched.notes[0], HasSubstr("are matched in order"));
  expectError([] { matchPeople(kPeople, {"a", "b"}); }, {"No map matches a row"});
  EXPECT_THAT(matchPeople({}, {"a", "b"}).maps, ElementsAre(0, 1)) << "without a table";
}

TEST(GroupPeople, AreFoundHoweverALabWritesThem) {
  // Without zeros, as spreadsheets leave them; with capitals; in any column.
  const PeopleTable sheet{{"age", "ID"}, {{"30", "1"}, {"40", "SUB-02"}, {"50", "3"}}};
  const auto matched = matchPeople(sheet, {"sub-01.nii", "sub-02.nii", "sub-03.nii"});
  EXPECT_EQ(matched.idColumn, 1u);
  EXPECT_THAT(matched.maps, ElementsAre(0, 1, 2));
  EXPECT_THAT(matched.notes, ElementsAre(HasSubstr("without the zeros")));
  const PeopleTable nobody{{"participant_id"}, {{"sub-01"}, {""}}};
  expectError(
      [&] {
        matchPeople(nobody, {"sub-01.nii", "sub-02.nii"});
      },
      {"Only one of 2 maps matches a row of the table: 'sub-01.nii'", "'participant_id'"});
  const PeopleTable third{{"participant_id"}, {{"sub-01"}, {"sub-02"}, {""}}};
  EXPECT_THAT(matchPeople(third, {"sub-01.nii", "sub-02.nii"}).notes[0], HasSubstr("the one of row 3"));
  EXPECT_THAT(matchPeople(sheet, {"a.nii", "b.nii", "c.nii"}).notes[0],
              HasSubstr("The table has no column participant_id, and no other names the maps"));
}

TEST(GroupPeople, HaveAsManyMapsAsRows) {
  const PeopleTable twice{{"participant_id", "group"}, {{"sub-01", "a"}, {"01", "b"}, {"sub-02", "b"}}};
  expectError(
      [&] {
        matchPeople(twice, {"sub-01.nii", "sub-02.nii"});
      },
      {"The table has 2 rows for 'sub-01', but there is one map: sub-01.nii"});
  expectError(
      [&] {
        matchPeople(twice, {"sub-02_a.nii", "sub-02_b.nii"});
      },
      {"1 row for 'sub-02', but there are 2 maps: sub-02_a.nii, sub-02_b.nii"});
  EXPECT_THAT(matchPeople(twice, {"sub-01_ses-1.nii", "sub-01_ses-2.nii", "sub-02.nii"}).maps,
              ElementsAre(0, 1, 2));
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
  EXPECT_THAT(
      notes,
      ElementsAre(HasSubstr("1 of 5 people are excluded, since the table lacks values: sub-10 (age).")));
  ASSERT_EQ(design.contrasts.size(), 2u);
  EXPECT_EQ(design.contrasts[0].name, "control-patient");
  EXPECT_EQ(design.contrasts[1].name, "age");
  EXPECT_THAT(designOf({"", "", "", ""}).names, ElementsAre("mean"));
  EXPECT_EQ(designOf({"group", "", "", "patient - control"}).contrasts[0].name, "patient-control");
}

TEST(GroupDesign, TakesColumnsWithBlanks) {
  const PeopleTable sheet{
      {"id", "age", "age at scan", "score, total"},
      {{"1", "3", "30", "5"}, {"2", "4", "40", "7"}, {"3", "6", "50", "#NV"}, {"4", "5", "20", "1"}}};
  Notes notes;
  std::vector<std::size_t> kept;
  const auto names = [&](const std::string& covariates) {
    return makeGroupDesign(sheet, {0, 1, 2, 3}, {"", covariates, "", ""}, notes, kept).names;
  };
  EXPECT_THAT(names("age at scan"), ElementsAre("mean", "age_at_scan"));
  EXPECT_THAT(names("age at scan, age"), ElementsAre("mean", "age_at_scan", "age"));
  EXPECT_THAT(names("age \"age at scan\""), ElementsAre("mean", "age", "age_at_scan"));
  EXPECT_TRUE(notes.empty());
  EXPECT_THAT(names("score, total"), ElementsAre("mean", "score_total"));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("1 of 4 people are excluded")));
  expectError([&] { names("age at"); }, {"no column 'at'"}, ErrorKind::usage);
}

TEST(GroupDesign, FindsUsesOfColumns) {
  const ColumnsByUse uses = columnsByUse(kPeople);
  EXPECT_THAT(uses.groups, ElementsAre("group", "site"));
  EXPECT_THAT(uses.covariates, ElementsAre("age"));
  EXPECT_THAT(uses.repeated, ElementsAre("group", "site"));
}

TEST(GroupDesign, RefusesWhatIsUninformative) {
  expectError(
      [] {
        designOf({"diagnosis", "", "", ""});
      },
      {"no column 'diagnosis'", "age", "check --groups"}, ErrorKind::usage);
  expectError(
      [] {
        designOf({"", "iq", "", ""});
      },
      {"no column 'iq'", "check --covariates"}, ErrorKind::usage);
  expectError(
      [] {
        designOf({"", "", "visit", ""});
      },
      {"no column 'visit'", "check --repeated"}, ErrorKind::usage);
  expectError([] { designOf({"site", "", "", ""}); }, {"The group 'y' has one person"});
  expectError([] { designOf({"", "group", "", ""}); }, {"'group' of 'sub-01' is 'patient'", "--groups"});
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
  const PeopleTable alike{{"id", "group"},
                          {{"1", "Patient"}, {"2", "patient"}, {"3", "patient"}, {"4", "Patient"}}};
  expectError(
      [&] {
        makeGroupDesign(alike, {0, 1, 2, 3}, {"group", "", "", ""}, notes, kept);
      },
      {"'Patient' and 'patient' are written almost alike"});
  const PeopleTable unknown{{"id", "age"}, {{"1", "n/a"}, {"2", "NA"}, {"3", "7"}}};
  expectError(
      [&] {
        makeGroupDesign(unknown, {0, 1, 2}, {"", "age", "", ""}, notes, kept);
      },
      {"The table has age of only one person with a map"});
  const PeopleTable two{{"id", "age", "age"}, {{"1", "3", "4"}, {"2", "4", "5"}}};
  expectError(
      [&] {
        makeGroupDesign(two, {0, 1}, {"", "age", "", ""}, notes, kept);
      },
      {"several columns 'age'"});
}

}  // namespace
}  // namespace sulcus::group
