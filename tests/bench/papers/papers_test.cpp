#include "tests/bench/papers/exhibit.h"
#include "tests/bench/svg_chart.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"

#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::bench {
namespace {

using testing::HasSubstr;
using testing::Not;

struct QuickRun {
  Machine machine = thisMachine();
  std::vector<Exhibit> exhibits;
  std::string html;
};

/// All exhibits as made by `sulcus-bench papers --quick`, without real scans, as in a fresh clone.
const QuickRun& quickRun() {
  static const QuickRun run = [] {
    QuickRun made;
    PapersOptions options;
    options.quick = true, options.data = "no such folder";
    made.exhibits = paperExhibits(options, made.machine);
    made.html = papersHtml(made.exhibits, made.machine);
    return made;
  }();
  return run;
}

std::vector<std::string> numbersOf(const std::string& paper) {
  std::vector<std::string> numbers;
  for (const auto& exhibit : quickRun().exhibits)
    if (exhibit.paper == paper) numbers.push_back(exhibit.number);
  return numbers;
}

std::string csvOf(const std::string& slug) {
  for (const auto& exhibit : quickRun().exhibits)
    if (slugOf(exhibit) == slug) return csv(exhibit.table);
  return "";
}

/// The elements of a page that are unclosed or closed out of order; "" if there are none.
std::string faultOf(const std::string& html) {
  const std::set<std::string> empty{"meta", "img", "br", "!DOCTYPE"};
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) return "an element without an end";
    const std::string tag = html.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /\n", 1));
    if (tag.back() == '/' || empty.contains(name)) continue;
    if (name == "style") {
      at = html.find("</style>", at);
      continue;
    }
    if (tag.front() != '/') {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != tag) {
      return tag + " where " + (open.empty() ? "nothing" : open.back()) + " is open";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back() + " is not closed";
}

TEST(Papers, HaveEveryTableAndFigure) {
  using testing::ElementsAre;
  EXPECT_THAT(numbersOf("ballard"),
              ElementsAre("Table 3.1", "Table 4.1", "Section 3", "Section 2", "Section 5", "Figure 6.1",
                          "Table 6.1 (a)", "Table 6.1 (b)", "Figure 6.2", "Section 7"));
  EXPECT_THAT(numbersOf("ferreira"),
              ElementsAre("Run times", "Speed-up factors", "Figure 1", "Figure 2", "Figure 3", "Figure 4",
                          "Figure 5", "Figure 6", "Figure 7", "Figures 8–10", "Generators"));
  EXPECT_THAT(numbersOf("lee"),
              ElementsAre("Table 1", "Figure 1", "Figure 2a", "Figure 2b", "Figure 3", "Table 2", "Figure 4",
                          "Figure 5a", "Figure 5b", "Figure 6", "Figure 7", "Future work"));
}

TEST(Papers, SayWhatWasPublishedAndWhyBothDiffer) {
  for (const auto& exhibit : quickRun().exhibits) {
    SCOPED_TRACE(slugOf(exhibit));
    EXPECT_GT(exhibit.remark.size(), 60u);
    ASSERT_FALSE(exhibit.table.rows.empty());
    for (const auto& row : exhibit.table.rows) EXPECT_EQ(row.size(), exhibit.table.columns.size());
  }
  const auto& html = quickRun().html;
  for (const char* value :
       {"8192 registers", "131.7", "22.15", "70.66", "1327", "61.8", "1.662", "49152", "20160",
        "35 min → 24 s", "7.3 h → 4.6 min", "85–129 ×", "3.6 (8800 GTX)", "0.8893"})
    EXPECT_THAT(html, HasSubstr(value));
  EXPECT_THAT(html, HasSubstr(". Sulcus " + sulcusVersion() + ", 20"));
  EXPECT_THAT(csvOf("ferreira-figure-4"), HasSubstr("\"95 % HPD: low\",-0.9300451,"));
  EXPECT_THAT(csvOf("ballard-table-6-1-b"), HasSubstr("25.08,70.66"));
}

TEST(Papers, EnumerateThePublishedIndexClasses) {
  EXPECT_THAT(csvOf("ballard-table-3-1"), HasSubstr("14,\"2 3 3\",\"2 3 3\",\"0 1 2 0\",\"0 1 2 0\",3\n"));
  EXPECT_THAT(quickRun().html, HasSubstr("20 of 20 classes"));
  EXPECT_THAT(quickRun().html, HasSubstr("18 of 18 eigenvalues"));
}

TEST(Papers, QuoteTitlesWithCommas) {
  EXPECT_THAT(csvOf("lee-figure-6"),
              testing::StartsWith("on,\"published CPU − GPU, voxels\",\"φ: CPU − GPU, voxels\",s,"));
}

TEST(Papers, SayWhereThereIsNoGpu) {
  if (quickRun().machine.hasGpu) GTEST_SKIP() << "there is one";
  EXPECT_THAT(quickRun().html, HasSubstr("none was measured"));
  EXPECT_THAT(csvOf("lee-figure-4"), HasSubstr("\"no GPU here\""));
  EXPECT_THAT(csvOf("lee-future-work"), HasSubstr("\"left to the future\",\"no GPU here\",\"no GPU here\""));
  EXPECT_THAT(csvOf("ferreira-run-times"), HasSubstr("\"no GPU here\""));
}

TEST(Papers, AreOnePageThatNeedsNoOther) {
  const auto& html = quickRun().html;
  EXPECT_EQ(faultOf(html), "");
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("<link")));
  EXPECT_THAT(html, Not(HasSubstr("url(")));
  for (const std::string attribute : {"src=\"", "href=\""})
    for (std::size_t at = html.find(attribute); at != std::string::npos; at = html.find(attribute, at + 1)) {
      const std::string target = html.substr(at + attribute.size(), 11);
      EXPECT_TRUE(target.starts_with("data:") || target.starts_with("#")) << target;
    }
  for (const auto& exhibit : quickRun().exhibits) {
    EXPECT_THAT(html, HasSubstr("<section id=\"" + slugOf(exhibit) + "\">"));
    EXPECT_THAT(html, HasSubstr("href=\"#" + slugOf(exhibit) + "\""));
  }
}

TEST(Papers, AreWrittenWithTheirParts) {
  const test::TemporaryFolder folder;
  writePapers(quickRun().exhibits, quickRun().machine, folder / "out");
  std::ostringstream text;
  text << std::ifstream(folder / "out/papers.md").rdbuf();
  EXPECT_THAT(text.str(), HasSubstr("### Table 6.1 (a): "));
  EXPECT_THAT(text.str(), HasSubstr("](ballard-figure-6-2-1.svg)"));
  for (const char* name : {"papers.html", "ballard-table-6-1-a.csv", "ballard-figure-6-2-1.svg",
                           "ferreira-figure-1-1.png", "lee-figure-6-1.png"})
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / name)) << name;
}

TEST(Papers, RefuseOneThatIsNone) {
  PapersOptions options;
  options.paper = "newton";
  EXPECT_THROW(paperExhibits(options, {}), Error);
}

TEST(Faults, OfPagesAreFound) {
  EXPECT_EQ(faultOf("<p><b>x</b><br></p>"), "");
  EXPECT_EQ(faultOf("<p><b>x</p></b>"), "/p where b is open");
  EXPECT_EQ(faultOf("<p>"), "p is not closed");
}

TEST(SvgChart, PlacesValuesOnBothKindsOfAxes) {
  Chart chart{"", "x", "a < b", {}, {}};
  chart.series.push_back({"line", Chart::Kind::line, {1, 10, 100}, {1, 10, 100}, {}});
  const std::string logarithmic = svgOf(chart, kLogAxis, kLogAxis);
  // On logarithmic axes from 1 to 100 the three points are evenly spaced on a straight line.
  EXPECT_THAT(logarithmic, HasSubstr("points=\"76.0,364.0 336.0,199.0 596.0,34.0 \""));
  EXPECT_THAT(svgOf(chart, {false, 0, 100}, {false, 0, 100}),
              HasSubstr("81.2,360.7 128.0,331.0 596.0,34.0 "));
  EXPECT_THAT(logarithmic, HasSubstr("a &lt; b</text>"));
  EXPECT_EQ(faultOf(logarithmic), "");
}

TEST(SvgChart, HasRoundEndsOnALogarithmicAxis) {
  const std::string svg =
      svgOf(chartOf({{"line", {{17'500, 3}, {175'000, 30}}}}, "x", "y"), kLogAxis, kLogAxis);
  const auto power = [](const char* times, int exponent) {
    return std::string(">") + times + "10<tspan dy=\"-5\" font-size=\"9\">" + std::to_string(exponent);
  };
  for (const auto& tick :
       {power("", 4), power("2·", 4), power("2·", 5), std::string(">20</text>"), std::string(">50</text>")})
    EXPECT_THAT(svg, HasSubstr(tick));
  EXPECT_THAT(svg, Not(HasSubstr(power("5·", 5))));
  EXPECT_THAT(svg, Not(HasSubstr(">100</text>")));
}

TEST(SvgChart, DashesTheLinesThatRepeatAColor) {
  std::map<std::string, ChartLine> lines;
  for (char name = 'a'; name < 'i'; ++name) lines[{name}] = {{1, 1}, {2, 2}};
  EXPECT_THAT(svgOf(chartOf(lines, "x", "y")), Not(HasSubstr("stroke-dasharray")));
  lines["i"] = {{1, 2}, {2, 1}};
  EXPECT_THAT(svgOf(chartOf(lines, "x", "y")), HasSubstr("stroke-dasharray"));
}

TEST(Drawings, AreNotMadeOfNothing) {
  EXPECT_TRUE(drawingOf("", {}, "x", "y").empty());
  EXPECT_EQ(drawingOf("speed", {{"line", {{1, 1}}}}, "x", "y").front().caption, "speed");
}

}  // namespace
}  // namespace sulcus::bench
