#include "core/base/error.h"
#include "core/base/provenance.h"
#include "core/io/export/html.h"
#include "tests/bench/papers/exhibit.h"

#include <cctype>
#include <fstream>
#include <map>
#include <sstream>

namespace sulcus::bench {
namespace {

namespace html = io::html;
using html::Html;
using html::operator""_html;

struct PublishedPaper {
  const char *key, *title, *reference;
};
constexpr PublishedPaper kPapers[] = {
    {"ballard", "Tensor eigenvalues on a GPU",
     "G. Ballard, T. Kolda, T. Plantenga, Efficiently computing tensor eigenvalues on a GPU, IPDPS Workshops "
     "2011"},
    {"ferreira", "cudaBayesreg",
     "A. R. Ferreira da Silva, cudaBayesreg: Bayesian computation in CUDA, The R Journal 2/2 (2010) 48"},
    {"lee", "Registration and surfaces on a GPU",
     "D. Lee, I. Dinov, B. Dong, B. Gutman, I. Yanovsky, A. Toga, CUDA optimization strategies for compute- "
     "and memory-bound neuroimaging algorithms, Comput Methods Programs Biomed 106 (2012) 175"}};

Html papersStyle() {
  return "body{max-width:66em}h1{font-size:2em;margin:.2em 0}h2{margin:2.6em 0 .2em;border-color:#0072b2}"
         "h3{margin:2.2em 0 .3em;font-size:1.05em}h3 "
         "b{color:#fff;background:#0072b2;border-radius:4px;padding:.12em "
         ".5em;margin-right:.6em;font-size:.85em;white-space:nowrap}table{font-variant-numeric:tabular-nums;"
         "font-size:.9em}th{background:none;border-bottom:2px solid #0072b2;vertical-align:bottom}"
         "td{border-color:#eee}td:first-child{font-weight:500}i.pub{font-style:normal;color:#8a4b00;"
         "background:#fff4e3;padding:.1em "
         ".35em;border-radius:3px}i.none{font-style:normal;color:#999}nav{columns:3;font-size:.85em;margin:"
         "1em 0}"
         "nav a{color:#0072b2;text-decoration:none;display:block}.remark{border-left:3px solid #0072b2;"
         "padding:.1em .9em;color:#333;max-width:58em}.machine{background:#f4f8fb;padding:.6em "
         "1em;border-radius:6px}"
         ".row{display:flex;flex-wrap:wrap;gap:1em}.row figure{width:15.2em;margin:.4em "
         "0}.row{align-items:flex-start}"
         ".row img{image-rendering:pixelated;width:100%}pre{font-size:.85em}"_html;
}

Html htmlCell(const Table& table, std::size_t column, const Cell& cell) {
  const std::string text = shownText(cell, table.columns[column].shown);
  const Html shown = html::text(text);
  const bool nothing = text == "–" || text == "no GPU here" || text == "not in a quick run";
  const bool published = table.columns[column].title.starts_with("published");
  return nothing     ? "<i class=none>"_html + shown + "</i>"_html
         : published ? "<i class=pub>"_html + shown + "</i>"_html
                     : shown;
}

Html htmlTable(const Table& table) {
  std::vector<std::string> head;
  for (const auto& column : table.columns) head.push_back(column.title);
  std::vector<std::vector<Html>> rows;
  for (const auto& row : table.rows) {
    auto& cells = rows.emplace_back();
    for (std::size_t c = 0; c < row.size(); ++c) cells.push_back(htmlCell(table, c, row[c]));
  }
  return html::titledTable(head, rows);
}

/// Escaped text with its line breaks.
Html escapedLines(const std::string& text) {
  std::istringstream lines(text);
  Html escaped;
  for (std::string line; std::getline(lines, line);) escaped += html::text(line) + "\n"_html;
  return escaped;
}

Html htmlOf(const Exhibit& exhibit) {
  Html body = "<section id=\""_html + html::text(slugOf(exhibit)) + "\"><h3><b>"_html +
              html::text(exhibit.number) + "</b>"_html + html::text(exhibit.title) + "</h3>\n"_html;
  if (!exhibit.table.rows.empty()) body += htmlTable(exhibit.table);
  for (const auto& drawing : exhibit.drawings)
    body += html::figure(drawing.svg, drawing.caption, "image/svg+xml");
  if (!exhibit.pictures.empty()) body += "<div class=row>\n"_html;
  for (const auto& picture : exhibit.pictures)
    body += html::figure(io::pngBytes(picture.picture), picture.caption);
  if (!exhibit.pictures.empty()) body += "</div>\n"_html;
  if (!exhibit.listing.empty()) body += "<pre>"_html + escapedLines(exhibit.listing) + "</pre>\n"_html;
  return body + html::element("p"_html, exhibit.remark, "remark"_html) + "</section>\n"_html;
}

std::string machineText(const Machine& machine) {
  return "CPU: " + machine.cpu +
         ". GPU: " + (machine.hasGpu ? machine.gpu : "none was measured (" + machine.gpu + ")") +
         ". Sulcus " + sulcusVersion() + ", " + utcNow().substr(0, 10) + ".";
}

std::string extended(const std::string& text, char c) {
  return std::isalnum(static_cast<unsigned char>(c)) ? text + char(std::tolower(c))
         : text.empty() || text.back() == '-'        ? text
                                                     : text + '-';
}

}  // namespace

std::string slugOf(const Exhibit& exhibit) {
  std::string slug;
  for (const char c : exhibit.paper + " " + exhibit.number) slug = extended(slug, c);
  return slug.substr(0, slug.find_last_not_of('-') + 1);
}

std::vector<Exhibit> paperExhibits(const PapersOptions& options, const Machine& machine) {
  const std::map<std::string, std::vector<Exhibit> (*)(const PapersOptions&, const Machine&)> makers{
      {"ballard", ballardExhibits}, {"ferreira", ferreiraExhibits}, {"lee", leeExhibits}};
  if (!options.paper.empty() && !makers.contains(options.paper))
    throw Error("No paper is called '" + options.paper + "'", "papers have the names of their first authors",
                "give ballard, ferreira or lee", ErrorKind::usage);
  std::vector<Exhibit> exhibits;
  for (const auto& paper : kPapers) {
    if (!options.paper.empty() && options.paper != paper.key) continue;
    auto made = makers.at(paper.key)(options, machine);
    exhibits.insert(exhibits.end(), std::make_move_iterator(made.begin()),
                    std::make_move_iterator(made.end()));
  }
  return exhibits;
}

Table plainTable(const std::vector<std::string>& titles, std::vector<std::vector<Cell>> rows) {
  Table table;
  for (const auto& title : titles) table.columns.push_back({title, title, {}});
  table.rows = std::move(rows);
  return table;
}

std::vector<ExhibitDrawing> drawingOf(const std::string& caption,
                                      const std::map<std::string, ChartLine>& lines,
                                      const std::string& xLabel, const std::string& yLabel,
                                      const ChartAxis& x, const ChartAxis& y) {
  if (lines.empty()) return {};
  return {{caption, svgOf(chartOf(lines, xLabel, yLabel), x, y)}};
}

std::string papersHtml(const std::vector<Exhibit>& exhibits, const Machine& machine) {
  Html body =
      "<p class=machine>"_html + html::text(machineText(machine)) +
      "</p>\n<p>Each table and figure of the papers that Sulcus is built on, made again by "
      "<code>sulcus-bench papers</code>: what was <i class=pub>published</i> beside what this machine does, "
      "quality beside speed. Pictures are of this run.</p>\n<nav>"_html;
  for (const auto& exhibit : exhibits)
    body += html::link("#" + slugOf(exhibit), exhibit.number + " · " + exhibit.title) + "\n"_html;
  body += "</nav>\n"_html;
  for (const auto& paper : kPapers) {
    bool first = true;
    for (const auto& exhibit : exhibits) {
      if (exhibit.paper != paper.key) continue;
      if (first)
        body += html::element("h2"_html, paper.title) + html::element("p"_html, paper.reference, "note"_html);
      first = false;
      body += htmlOf(exhibit);
    }
  }
  return html::page("The papers, measured again", body, papersStyle());
}

std::string papersMarkdown(const std::vector<Exhibit>& exhibits, const Machine& machine) {
  std::string text = "# The papers, measured again\n\n" + machineText(machine) + "\n";
  for (const auto& paper : kPapers) {
    bool first = true;
    for (const auto& exhibit : exhibits) {
      if (exhibit.paper != paper.key) continue;
      if (first) text += "\n## " + std::string(paper.title) + "\n" + paper.reference + "\n";
      first = false;
      text += "\n### " + exhibit.number + ": " + exhibit.title + "\n\n";
      if (!exhibit.table.rows.empty()) text += markdown(exhibit.table) + "\n";
      int number = 0;
      for (const auto& drawing : exhibit.drawings)
        text += "![" + drawing.caption + "](" + slugOf(exhibit) + "-" + std::to_string(++number) + ".svg)\n";
      number = 0;
      for (const auto& picture : exhibit.pictures)
        text += "![" + picture.caption + "](" + slugOf(exhibit) + "-" + std::to_string(++number) + ".png)\n";
      if (!exhibit.listing.empty()) text += "```\n" + exhibit.listing + "\n```\n";
      text += "\n" + exhibit.remark + "\n";
    }
  }
  return text;
}

void writePapers(const std::vector<Exhibit>& exhibits, const Machine& machine,
                 const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& name, const std::string& bytes) {
    std::ofstream file(folder / name, std::ios::binary);
    if (!(file << bytes))
      throw Error("'" + (folder / name).string() + "' cannot be written", "the folder refuses it or is full",
                  "choose another --out");
  };
  write("papers.html", papersHtml(exhibits, machine));
  write("papers.md", papersMarkdown(exhibits, machine));
  for (const auto& exhibit : exhibits) {
    const std::string slug = slugOf(exhibit);
    if (!exhibit.table.rows.empty()) write(slug + ".csv", csv(exhibit.table));
    int number = 0;
    for (const auto& drawing : exhibit.drawings)
      write(slug + "-" + std::to_string(++number) + ".svg", drawing.svg);
    number = 0;
    for (const auto& picture : exhibit.pictures)
      write(slug + "-" + std::to_string(++number) + ".png", io::pngBytes(picture.picture));
  }
}

}  // namespace sulcus::bench
