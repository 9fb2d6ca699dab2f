#pragma once

#include "core/io/export/png.h"
#include "tests/bench/report.h"
#include "tests/bench/svg_chart.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// A table or figure of a paper, made again on this machine.

namespace sulcus::bench {

/// A picture of pixels.
struct ExhibitPicture {
  std::string caption;
  io::Picture picture;
};

/// A drawing of lines, as SVG.
struct ExhibitDrawing {
  std::string caption;
  std::string svg;
};

struct Exhibit {
  std::string paper;   ///< "ballard", "ferreira", "lee"
  std::string number;  ///< "Table 6.1 (a)"
  std::string title;
  /// What was published stands beside what was measured; titles of published columns begin with `published`.
  Table table = {};
  std::vector<ExhibitDrawing> drawings = {};
  std::vector<ExhibitPicture> pictures = {};
  std::string listing = {};  ///< program text; "" where there is none
  std::string remark = {};   ///< a sentence or two on why both differ
};

/// The name of an exhibit in files and links: "ballard-table-6-1-a".
std::string slugOf(const Exhibit& exhibit);

/// What to make, and with what.
struct PapersOptions {
  std::string paper;  ///< one of Exhibit::paper; "" for all
  bool quick = false;
  std::filesystem::path out = "papers";
  std::filesystem::path data;  ///< folder of real scans; phantoms stand in for what is not there
  std::function<void(const std::string&)> tell = [](const std::string&) {};
};

/// The exhibits of a paper.
std::vector<Exhibit> ballardExhibits(const PapersOptions& options, const Machine& machine);
std::vector<Exhibit> ferreiraExhibits(const PapersOptions& options, const Machine& machine);
std::vector<Exhibit> leeExhibits(const PapersOptions& options, const Machine& machine);

/// Those that were asked for, in the order of the papers.
///
/// @throws Error  of ErrorKind::usage for a paper that is none of the three
std::vector<Exhibit> paperExhibits(const PapersOptions& options, const Machine& machine);

/// A table whose columns have no other names than their titles. Numbers have four digits.
Table plainTable(const std::vector<std::string>& titles, std::vector<std::vector<Cell>> rows);

/// A chart of named lines; nothing where nothing was measured.
std::vector<ExhibitDrawing> drawingOf(const std::string& caption,
                                      const std::map<std::string, ChartLine>& lines,
                                      const std::string& xLabel, const std::string& yLabel,
                                      const ChartAxis& x = kLogAxis, const ChartAxis& y = kLogAxis);

/// One page that needs no other file.
std::string papersHtml(const std::vector<Exhibit>& exhibits, const Machine& machine);
/// The same in Markdown; `papers.md` refers to the drawings and pictures beside it.
std::string papersMarkdown(const std::vector<Exhibit>& exhibits, const Machine& machine);

/// Writes papers.html and papers.md, and for each exhibit SLUG.csv, SLUG-1.svg … and SLUG-1.png …
void writePapers(const std::vector<Exhibit>& exhibits, const Machine& machine,
                 const std::filesystem::path& folder);

}  // namespace sulcus::bench
