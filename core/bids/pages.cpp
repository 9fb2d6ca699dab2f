#include "core/bids/pages.h"

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/image/layer_kinds.h"
#include "core/io/byte_source.h"
#include "core/io/html.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <system_error>

namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;
namespace html = io::html;

constexpr std::size_t kShownRuns = 12;  ///< runs whose pictures the page of a study has

std::string valueText(double value, const std::string& unit) {
  return shownValue(value) + (unit.empty() || !std::isfinite(value) ? "" : " " + unit);
}

/// The name of a figure as people read it.
std::string plainName(const Figure& figure) {
  std::string name = figure.name;
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string titleOf(std::string analysis) {
  if (!analysis.empty()) analysis[0] = char(std::toupper(static_cast<unsigned char>(analysis[0])));
  return analysis;
}

/// Text that explains itself when the mouse is over it.
std::string explained(const std::string& text, const std::string& help) {
  return "<abbr title=\"" + html::escaped(help) + "\">" + html::escaped(text) + "</abbr>";
}

/// The bytes of a picture in a folder. Throws Error for a file that is no picture or, by a link, is
/// elsewhere.
std::string pictureBytes(const fs::path& folder, const std::string& name) {
  const auto refuse = [&](const std::string& why) {
    throw Error("The picture " + io::quoted(name) + " is not shown", why, "run that participant again");
  };
  std::error_code fault;
  const fs::path inside = fs::canonical(folder, fault), file = fs::canonical(folder / name, fault);
  if (fault) refuse("it is not there");
  if (std::mismatch(inside.begin(), inside.end(), file.begin(), file.end()).first != inside.end())
    refuse("it lies outside of the results");
  const auto data = io::openData(file);
  std::string bytes(std::size_t(data.size()), '\0');
  data.read(0, bytes);
  if (!bytes.starts_with("\x89PNG\r\n")) refuse("it is no PNG picture");
  return bytes;
}

/// The pictures of a run; a sentence in the place of one that cannot be read.
std::string picturesOf(const Record& record, const fs::path& out) {
  std::string html;
  for (const auto& picture : record.pictures) {
    try {
      html += html::figure(pictureBytes(out, picture.file), picture.caption);
    } catch (const Error& fault) {
      html += html::element("p", fault.what(), "bad");
    }
  }
  return html;
}

std::string agreementTable(const Record& record) {
  if (record.agreement.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : record.agreement) {
    const auto text = [&](double value) { return html::escaped(valueText(value, row.unit)); };
    rows.push_back({html::escaped(row.quantity), text(row.mean), text(row.maximum), text(row.tolerance),
                    shownValue(100 * row.shareWithin) + " %",
                    row.agrees() ? "agrees" : "<b class=bad>differs</b>"});
  }
  return "<h4>GPU against CPU</h4>" +
         html::table({"difference", "mean", "largest", "tolerance", "within", "verdict"}, rows);
}

std::string provenanceOf(const Record& record) {
  const Provenance& made = record.provenance;
  std::vector<std::vector<std::string>> rows;
  for (const auto& input : made.inputs)
    rows.push_back({html::escaped(input.slot), html::escaped(input.path),
                    "<code>" + html::escaped(input.sha256.substr(0, 16)) + "</code>"});
  std::string parameters;
  for (const auto& [name, value] : made.parameters)
    parameters += (parameters.empty() ? "" : ", ") + name + " " + formatOption(value);
  return "<details><summary>Provenance</summary>" +
         html::element("p", made.backend + " on " + made.device + ", " + record.created) +
         html::element("pre", made.commandLine) + html::element("p", parameters) +
         html::table({"input", "file", "sha256"}, rows) + "</details>";
}

std::string runSection(const Record& record, const fs::path& out) {
  std::string html = html::element("h2", titleOf(record.analysis) + " · " + record.run);
  if (!record.done) return html + html::element("p", "Failed: " + record.problem, "bad");
  std::vector<std::vector<std::string>> rows;
  for (const auto& figure : record.figures)
    rows.push_back({html::escaped(plainName(figure)), html::escaped(valueText(figure.value, figure.unit)),
                    html::escaped(figure.help)});
  html +=
      html::table({"figure", "value", "what it is"}, rows) + picturesOf(record, out) + agreementTable(record);
  for (const auto& note : record.notes) html += html::element("p", note, isWarning(note) ? "bad" : "note");
  return html + provenanceOf(record);
}

std::string runTableHtml(const RunTable& table) {
  std::vector<std::string> head{"run", "status"};
  for (const auto& figure : table.figures)
    head.push_back(explained(plainName(figure), figure.help) +
                   (figure.unit.empty() ? "" : "<br><small>" + html::escaped(figure.unit) + "</small>"));
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : table.rows) {
    const Record& record = *row.record;
    const auto distance = [](double z) { return shownValue(std::round(10 * z) / 10); };
    std::vector<std::string> cells{
        html::link("sub-" + record.subject + ".html", record.run),
        !record.done    ? "<b class=bad>failed</b>: " + html::escaped(record.problem)
        : row.outlier() ? "<b class=bad>outlier</b>,&nbsp;" + distance(row.furthest) + "&nbsp;s.d."
                        : "done"};
    for (std::size_t f = 0; f < row.values.size(); ++f) {
      const std::string text = shownValue(row.values[f]);
      const bool far = isFar(table.figures[f], row.z[f]);
      cells.push_back(far ? "<b class=bad>" + explained(text, distance(row.z[f]) + " s.d. from the median") +
                                "</b>"
                          : text);
    }
    rows.push_back(std::move(cells));
  }
  return html::table(head, rows, "numbers");
}

/// Every figure as a row of dots, one a run.
std::string dotRows(const RunTable& table) {
  std::string rows;
  for (std::size_t f = 0; f < table.figures.size(); ++f) {
    std::vector<html::Dot> dots;
    for (const auto& row : table.rows)
      if (std::isfinite(row.values[f]))
        dots.push_back({row.values[f], row.record->run, isFar(table.figures[f], row.z[f])});
    if (dots.empty()) continue;
    const auto& figure = table.figures[f];
    rows += html::dotRow(plainName(figure) + (figure.unit.empty() ? "" : ", " + figure.unit), dots);
  }
  return rows;
}

std::string sectionHtml(const StudySection& section, const fs::path& out) {
  const auto& rows = section.table.rows;
  std::string html = "<h2 id=" + html::escaped(section.analysis) + ">" +
                     html::escaped(titleOf(section.analysis)) + "</h2>\n";
  html += html::element("p", countsText(section.table) +
                                 ". The worst come first; outliers lie further than 3.5 robust standard "
                                 "deviations from the median.");
  html += runTableHtml(section.table) + "<h3>Figures</h3>" + dotRows(section.table);
  for (const auto& note : section.notes) html += html::element("p", note, "note");
  if (!section.means.empty()) html += "<h3>Means</h3>";
  for (const auto& mean : section.means) html += html::figure(mean.png, mean.caption);
  std::size_t shown = 0;
  for (const auto& row : rows) {
    if (!row.record->done || row.record->pictures.empty() || shown == kShownRuns) continue;
    if (shown++ == 0) html += "<h3>The worst runs</h3>";
    html += "<h4>" + html::link("sub-" + row.record->subject + ".html", row.record->run) + "</h4>" +
            picturesOf(*row.record, out);
  }
  return html;
}

}  // namespace

std::string participantPage(const std::string& subject, const std::vector<Record>& records,
                            const fs::path& out) {
  std::string body = html::link("group.html", "All participants");
  for (const bool done : {false, true})
    for (const auto& record : records)
      if (record.done == done) body += runSection(record, out);
  return html::page("sub-" + subject, body);
}

std::string studyPage(const std::string& title, const std::vector<StudySection>& sections,
                      const fs::path& out) {
  std::set<std::string> subjects;
  for (const auto& section : sections)
    for (const auto& row : section.table.rows) subjects.insert(row.record->subject);
  std::string body = html::element("p",
                                   std::to_string(subjects.size()) + " participants. Sulcus " +
                                       sulcusVersion() + ", " + utcNow() + ". Research use only.",
                                   "note");
  body += "<p>";
  for (const auto& section : sections)
    body += html::link("#" + section.analysis, titleOf(section.analysis)) + ": " + countsText(section.table) +
            "<br>\n";
  body += "</p>";
  for (const auto& section : sections) body += sectionHtml(section, out);
  body += "<h2>Participants</h2><p>";
  for (const auto& subject : subjects) body += html::link("sub-" + subject + ".html", "sub-" + subject) + " ";
  body += "</p>";
  return html::page(title, body);
}

}  // namespace sulcus::bids
