#include "core/activation/design/events.h"

#include "tests/core/activation/tables.h"

namespace sulcus::activation {
namespace {

using namespace test;

TEST(Events, AreReadByTheirColumnNames) {
  const auto table = readEvents(
      tableOf({"duration", "trial_type", "Onset", "response"},
              {{"2", "faces", "1.5", "n/a"}, {"0", "house left", "20", "x"}, {"3.5", "faces", "30", ""}}),
      100);
  EXPECT_EQ(table.types, (std::vector<std::string>{"faces", "house_left"}));
  ASSERT_EQ(table.events.size(), 3u);
  EXPECT_EQ(table.events[0].onset, 1.5);
  EXPECT_EQ(table.events[0].duration, 2);
  EXPECT_EQ(table.events[0].amplitude, 1);
  EXPECT_EQ(table.events[1].type, 1);
  EXPECT_EQ(table.events[2].type, 0);
  EXPECT_TRUE(table.notes.empty());
}

TEST(Events, WithoutATypeAreTheTask) {
  const auto table = readEvents(tableOf({"onset", "duration"}, {{"0", "1"}, {"5", "1"}}), 10);
  EXPECT_EQ(table.types, std::vector<std::string>{"task"});
}

TEST(Events, AreWeighedByTheColumnModulationAndOthersThatAreAskedFor) {
  const auto table = [](const char* column, const char* first) {
    return tableOf({"onset", "duration", column}, {{"0", "1", first}, {"5", "1", "n/a"}});
  };
  auto read = readEvents(table("modulation", "-2.5"), 10);
  EXPECT_EQ(read.events[0].amplitude, -2.5);
  EXPECT_EQ(read.events[1].amplitude, 1);
  EXPECT_NE(joined(read.notes).find("'modulation' weighs the events"), std::string::npos);
  EXPECT_EQ(readEvents(table("modulation", "-2.5"), 10, {}, "none").events[0].amplitude, 1);
  EXPECT_EQ(readEvents(table("modulation", "-2.5"), 10, {"modulation"}).events[0].amplitude, 1)
      << "a modulator besides";
  EXPECT_EQ(readEvents(table("modulation", "loud"), 10).events[0].amplitude, 1);
  for (const char* name : {"amplitude", "weight", "Weight"})
    for (const char* first : {"80", "loud"}) {
      read = readEvents(table(name, first), 10);
      EXPECT_EQ(read.events[0].amplitude, 1) << name;
      EXPECT_NE(joined(read.notes).find(std::string("'") + name + "' does not weigh"), std::string::npos);
    }
  EXPECT_EQ(readEvents(table("amplitude", "80"), 10, {}, "amplitude").events[0].amplitude, 80);
  EXPECT_EQ(readEvents(table("dB", "80"), 10, {}, "dB").events[0].amplitude, 80);
  expectError([&] { readEvents(table("dB", "loud"), 10, {}, "dB"); }, {"row 1", "'dB'", "'loud'"});
  expectError([&] { readEvents(table("dB", "1"), 10, {}, "db"); }, {"no column 'db'", "onset, duration, dB"},
              ErrorKind::usage);
}

TEST(Events, OfFslHaveThreeColumnsWithoutNames) {
  const auto table = readEvents(tableOf({"reg1", "reg2", "reg3"}, {{"4", "8", "0.5"}}), 100);
  ASSERT_EQ(table.events.size(), 1u);
  EXPECT_EQ(table.events[0].onset, 4);
  EXPECT_EQ(table.events[0].duration, 8);
  EXPECT_EQ(table.events[0].amplitude, 0.5);
  EXPECT_NE(joined(table.notes).find("FSL"), std::string::npos);
}

TEST(Events, OfNumberedTypesGetNamesThatAreNoNumbers) {
  const auto table =
      readEvents(tableOf({"onset", "duration", "trial_type"},
                         {{"0", "1", "2"}, {"3", "1", "1"}, {"6", "1", "a/b"}, {"7", "1", "a:b"}}),
                 10);
  EXPECT_EQ(table.types, (std::vector<std::string>{"type2", "type1", "a_b", "a_b_2"}));
}

TEST(Events, WithoutATypeInTheirRowAreLeftOutAndCounted) {
  const auto table = readEvents(
      tableOf({"onset", "duration", "trial_type"}, {{"0", "1", "n/a"}, {"3", "1", "a"}, {"6", "60", ""}}),
      10);
  EXPECT_EQ(table.events.size(), 1u);
  EXPECT_NE(joined(table.notes).find("ignored: 2"), std::string::npos) << joined(table.notes);
}

TEST(Events, ThatLastBeyondTheEndAreCounted) {
  const auto table = readEvents(tableOf({"onset", "duration"}, {{"0", "1"}, {"8", "5"}}), 10);
  EXPECT_EQ(table.events.size(), 2u);
  EXPECT_NE(joined(table.notes).find("beyond the end of the run: 1"), std::string::npos);
}

TEST(Events, BeforeTheRunCountAsLongAsTheirResponseLasts) {
  EXPECT_EQ(readEvents(tableOf({"onset", "duration"}, {{"-20", "0"}}), 10).events.size(), 1u);
  EXPECT_EQ(readEvents(tableOf({"onset", "duration"}, {{"-100", "90"}}), 10).events.size(), 1u);
  expectError(
      [] {
        readEvents(tableOf({"onset", "duration"}, {{"-33", "0.5"}}), 10);
      },
      {"row 1", "-33 s", "outside the run", "0 to 10 s"});
}

TEST(Events, OutsideOfTheRunAreLeftOutAndCounted) {
  const auto read = [](std::vector<std::vector<std::string>> rows) {
    return readEvents(tableOf({"onset", "duration", "trial_type"}, std::move(rows), "sub-1_events"), 300);
  };
  const auto table = read({{"-45", "8", "go"},
                           {"1", "1", "go"},
                           {"20", "1", "go"},
                           {"30", "1", "go"},
                           {"n/a", "1", "go"},
                           {"300", "1", "stop"}});
  EXPECT_EQ(table.events.size(), 3u);
  EXPECT_EQ(table.types, (std::vector<std::string>{"go", "stop"})) << "stop is known, without an event";
  EXPECT_NE(joined(table.notes).find("outside of the run (0 to 300 s), ignored: 2"), std::string::npos);
  EXPECT_NE(joined(table.notes).find("without an onset, ignored: 1"), std::string::npos);
  // Milliseconds; the first onset could be valid.
  expectError(
      [&] {
        read({{"0", "1", "go"}, {"10000", "500", "go"}, {"20000", "500", "go"}});
      },
      {"'sub-1_events' row 2", "'onset'", "10000 s", "outside the run, as are 1 others", "0 to 300 s"});
}

TEST(Events, ThatAreWrongNameTheirRow) {
  const auto read = [](std::vector<std::vector<std::string>> rows) {
    readEvents(tableOf({"onset", "duration", "modulation"}, std::move(rows), "sub-1_events"), 300);
  };
  expectError(
      [&] {
        read({{"1", "1", "1"}, {"300", "1", "1"}});
      },
      {"'sub-1_events' row 2", "'onset'", "300 s", "outside the run"});
  expectError([&] { read({{"1", "1", "1"}, {"2", "-0.5", "1"}}); }, {"row 2", "'duration'", "-0.5"});
  expectError([&] { read({{"n/a", "1", "1"}}); }, {"row 1", "'onset'", "'n/a'"});
  expectError([&] { read({{"nan", "1", "1"}}); }, {"row 1", "'onset'", "'nan'"});
  expectError([&] { read({{"1", "inf", "1"}}); }, {"row 1", "'duration'", "'inf'"});
  expectError([&] { read({{"1", "n/a", "1"}}); }, {"row 1", "'duration'", "0 for an impulse"});
}

TEST(Events, NeedTheirColumnsAndARow) {
  expectError(
      [] {
        readEvents(tableOf({"onset", "type"}, {{"1", "a"}}, "ev"), 10);
      },
      {"'ev'", "no column 'duration'", "onset, type"});
  expectError([] { readEvents(tableOf({"time", "duration"}, {{"1", "2"}}), 10); }, {"no column 'onset'"});
  expectError([] { readEvents(tableOf({"onset", "duration"}, {}), 10); }, {"holds no events"});
  expectError(
      [] {
        readEvents(tableOf({"onset", "duration", "trial_type"}, {{"1", "2", "n/a"}}), 10);
      },
      {"holds no events"});
  Layer curves;
  curves.name = "energy", curves.content = CurveLayer();
  expectError([&] { readEvents(curves, 10); }, {"'energy'", "curves"});
}

TEST(Events, OfTooManyTypesAreRefused) {
  std::vector<std::vector<std::string>> rows;
  for (int i = 0; i < 1001; ++i) rows.push_back({"1", "1", std::to_string(i)});
  expectError(
      [&] {
        readEvents(tableOf({"onset", "duration", "trial_type"}, rows), 10);
      },
      {"more than 1000 different trial types"});
}

TEST(Events, AreToldFromADesignByTheirColumns) {
  EXPECT_TRUE(holdsEvents({{"onset", "duration"}, {}}));
  EXPECT_FALSE(holdsEvents({{"onset", "visual"}, {}}));
  EXPECT_FALSE(holdsEvents({{"reg1", "reg2", "reg3"}, {}}));
}

}  // namespace
}  // namespace sulcus::activation
