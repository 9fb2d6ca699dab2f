#pragma once

#include "core/io/export/png.h"
#include "tests/bench/report.h"
#include "tests/bench/svg_chart.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// A table or figure of a paper, reproduced on this machine.

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
  /// Published values next to measured ones; titles of published columns begin with `published`.
  Table table = {};
  std::vector<ExhibitDrawing> drawings = {};
  std::vector<ExhibitPicture> pictures = {};
  std::string listing = {};  ///< program text; "" if there is none
  std::string remark = {};   ///< a sentence or two on why they differ
};

/// The name of an exhibit in files and links: "ballard-table-6-1-a".
std::string slugOf(const Exhibit& exhibit);

/// Which exhibits to make, and from which data.
struct PapersOptions {
  std::string paper;  ///< one of Exhibit::paper; "" for all
  bool quick = false;
  std::filesystem::path out = "papers";
  std::filesystem::path data;  ///< folder of real scans; phantoms replace missing ones
  std::function<void(const std::string&)> tell = [](const std::string&) {};
};

/// The exhibits of a paper.
std::vector<Exhibit> ballardExhibits(const PapersOptions& options, const Machine& machine);
std::vector<Exhibit> ferreiraExhibits(const PapersOptions& options, const Machine& machine);
std::vector<Exhibit> leeExhibits(const PapersOptions& options, const Machine& machine);

/// The requested exhibits, in the order of the papers.
///
/// @throws Error  of ErrorKind::usage for a paper other than the three
std::vector<Exhibit> paperExhibits(const PapersOptions& options, const Machine& machine);

/// A table whose columns are named by their titles. Numbers have four digits.
Table plainTable(const std::vector<std::string>& titles, std::vector<std::vector<Cell>> rows);

/// A chart of named lines; none if nothing was measured.
std::vector<ExhibitDrawing> drawingOf(const std::string& caption,
                                      const std::map<std::string, ChartLine>& lines,
                                      const std::string& xLabel, const std::string& yLabel,
                                      const ChartAxis& x = kLogAxis, const ChartAxis& y = kLogAxis);

/// A self-contained page.
std::string papersHtml(const std::vector<Exhibit>& exhibits, const Machine& machine);
/// The page in Markdown; `papers.md` refers to the drawings and pictures next to it.
std::string papersMarkdown(const std::vector<Exhibit>& exhibits, const Machine& machine);

/// Writes papers.html and papers.md, and for each exhibit SLUG.csv, SLUG-1.svg … and SLUG-1.png …
void writePapers(const std::vector<Exhibit>& exhibits, const Machine& machine,
                 const std::filesystem::path& folder);

}  // namespace sulcus::bench
