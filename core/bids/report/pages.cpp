#include "core/bids/report/pages.h"

#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/image/display/layer_kinds.h"
#include "core/io/below.h"
#include "core/io/export/html.h"
#include "core/io/streams/byte_source.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>
#include <system_error>

namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;
namespace html = io::html;
using html::Html;
using html::operator""_html;
using Rows = std::vector<std::vector<Html>>;

constexpr std::size_t kShownRuns = 12;  ///< runs whose pictures are shown on the page of a study

std::string valueText(double value, const std::string& unit) {
  return shownValue(value) + (unit.empty() || !std::isfinite(value) ? "" : " " + unit);
}

/// The name of a figure for readers.
std::string plainName(const Figure& figure) {
  std::string name = figure.name;
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string titleOf(std::string analysis) {
  if (!analysis.empty()) analysis[0] = char(std::toupper(static_cast<unsigned char>(analysis[0])));
  return analysis;
}

/// Text with an explanation as a tooltip.
Html explained(const std::string& text, const std::string& help) {
  return "<abbr title=\""_html + html::text(help) + "\">"_html + html::text(text) + "</abbr>"_html;
}

/// The bytes of a picture in a folder. Throws Error for a file that is not a picture or that a link places
/// outside of the folder.
std::string pictureBytes(const fs::path& folder, const std::string& name) {
  const auto refuse = [&](const std::string& why) {
    throw Error("The picture " + io::quoted(name) + " is not shown", why, "run that participant again");
  };
  std::error_code fault;
  const fs::path file = folder / name;
  if (!fs::exists(file, fault)) refuse("it is not there");
  if (!io::leadsInto(file, folder)) refuse("it lies outside of the results");
  const auto data = io::openData(file);
  std::string bytes(std::size_t(data.size()), '\0');
  data.read(0, bytes);
  if (!bytes.starts_with("\x89PNG\r\n")) refuse("it is not a PNG picture");
  return bytes;
}

/// The pictures of a run; a sentence in place of one that cannot be read.
Html picturesOf(const Record& record, const fs::path& out) {
  Html html;
  for (const auto& picture : record.pictures) {
    try {
      html += html::figure(pictureBytes(out, picture.file), picture.caption);
    } catch (const Error& fault) {
      html += html::element("p"_html, fault.what(), "bad"_html);
    }
  }
  return html;
}

Html agreementTable(const Record& record) {
  if (record.agreement.empty()) return {};
  Rows rows;
  for (const auto& row : record.agreement) {
    const auto cell = [&](double value) { return html::text(valueText(value, row.unit)); };
    rows.push_back({html::text(row.quantity), cell(row.mean), cell(row.maximum), cell(row.tolerance),
                    html::text(shownValue(100 * row.shareWithin) + " %"),
                    row.agrees() ? "agrees"_html : "<b class=bad>differs</b>"_html});
  }
  return "<h4>GPU against CPU</h4>"_html +
         html::titledTable({"difference", "mean", "largest", "tolerance", "within", "verdict"}, rows);
}

Html provenanceOf(const Record& record) {
  const Provenance& made = record.provenance;
  Rows rows;
  for (const auto& input : made.inputs)
    rows.push_back({html::text(input.slot), html::text(input.path),
                    "<code>"_html + html::text(input.sha256.substr(0, 16)) + "</code>"_html});
  std::string parameters;
  for (const auto& [name, value] : made.parameters)
    parameters += (parameters.empty() ? "" : ", ") + name + " " + formatOption(value);
  return "<details><summary>Provenance</summary>"_html +
         html::element("p"_html, made.backend + " on " + made.device + ", " + record.created) +
         html::element("pre"_html, made.commandLine) + html::element("p"_html, parameters) +
         html::titledTable({"input", "file", "sha256"}, rows) + "</details>"_html;
}

Html runSection(const Record& record, const fs::path& out) {
  Html html = html::element("h2"_html, titleOf(record.analysis) + " · " + record.run);
  if (!record.done) return html + html::element("p"_html, "Failed: " + record.problem, "bad"_html);
  Rows rows;
  for (const auto& figure : record.figures)
    rows.push_back({html::text(plainName(figure)), html::text(valueText(figure.value, figure.unit)),
                    html::text(figure.help)});
  html += html::titledTable({"figure", "value", "what it is"}, rows) + picturesOf(record, out) +
          agreementTable(record);
  for (const auto& note : record.notes)
    html += html::element("p"_html, note.line(), note.isWarning() ? "bad"_html : "note"_html);
  return html + provenanceOf(record);
}

Html runTableHtml(const RunTable& table) {
  std::vector<Html> head{"run"_html, "status"_html};
  for (const auto& figure : table.figures) {
    head.push_back(explained(plainName(figure), figure.help));
    if (!figure.unit.empty()) head.back() += "<br><small>"_html + html::text(figure.unit) + "</small>"_html;
  }
  Rows rows;
  for (const auto& row : table.rows) {
    const Record& record = *row.record;
    const auto distance = [](double z) { return shownValue(std::round(10 * z) / 10); };
    Html status = "done"_html;
    if (!record.done)
      status = "<b class=bad>failed</b>: "_html + html::text(record.problem);
    else if (row.outlier())
      status =
          "<b class=bad>outlier</b>,&nbsp;"_html + html::text(distance(row.furthest)) + "&nbsp;s.d."_html;
    std::vector<Html> cells{html::link("sub-" + record.subject + ".html", record.run), std::move(status)};
    for (std::size_t f = 0; f < row.values.size(); ++f) {
      const std::string text = shownValue(row.values[f]);
      const bool far = isFar(table.figures[f], row.z[f]);
      cells.push_back(far ? "<b class=bad>"_html +
                                explained(text, distance(row.z[f]) + " s.d. from the median") + "</b>"_html
                          : html::text(text));
    }
    rows.push_back(std::move(cells));
  }
  return html::table(head, rows, "numbers"_html);
}

/// Every figure as a row of dots, one dot per run.
Html dotRows(const RunTable& table) {
  Html rows;
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

Html sectionHtml(const StudySection& section, const fs::path& out) {
  const auto& rows = section.table.rows;
  Html html = "<h2 id=\""_html + html::text(section.analysis) + "\">"_html +
              html::text(titleOf(section.analysis)) + "</h2>\n"_html;
  html += html::element("p"_html, countsText(section.table) +
                                      ". The worst come first; outliers lie further than 3.5 robust standard "
                                      "deviations from the median.");
  html += runTableHtml(section.table) + "<h3>Figures</h3>"_html + dotRows(section.table);
  for (const auto& note : section.notes) html += html::element("p"_html, note.line(), "note"_html);
  if (!section.means.empty())
    html +=
        "<h3>Means</h3><p>The means only describe these participants; they do not test an effect. For tests, "
        "use sulcus-cli group with one map per person.</p>"_html;
  for (const auto& mean : section.means) html += html::figure(mean.png, mean.caption);
  std::size_t shown = 0;
  for (const auto& row : rows) {
    if (!row.record->done || row.record->pictures.empty() || shown == kShownRuns) continue;
    if (shown++ == 0) html += "<h3>The worst runs</h3>"_html;
    html += "<h4>"_html + html::link("sub-" + row.record->subject + ".html", row.record->run) + "</h4>"_html +
            picturesOf(*row.record, out);
  }
  return html;
}

}  // namespace

std::string participantPage(const std::string& subject, const std::vector<Record>& records,
                            const fs::path& out) {
  Html body = html::link("group.html", "All participants");
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
  Html body = html::element("p"_html,
                            std::to_string(subjects.size()) + " participants. Sulcus " + sulcusVersion() +
                                ", " + utcNow() + ". Research use only.",
                            "note"_html);
  body += "<p>"_html;
  for (const auto& section : sections)
    body += html::link("#" + section.analysis, titleOf(section.analysis)) +
            html::text(": " + countsText(section.table)) + "<br>\n"_html;
  body += "</p>"_html;
  for (const auto& section : sections) body += sectionHtml(section, out);
  body += "<h2>Participants</h2><p>"_html;
  for (const auto& subject : subjects)
    body += html::link("sub-" + subject + ".html", "sub-" + subject) + " "_html;
  body += "</p>"_html;
  return html::page(title, body);
}

}  // namespace sulcus::bids
