#include "core/io/export/html.h"

#include "core/base/numbers.h"
#include "core/base/sanitized.h"
#include "core/io/volumes/encoded_numbers.h"

#include <algorithm>
#include <cstdint>

namespace sulcus::io::html {
namespace {

Html style() {
  return "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em;color:#222}"
         "a{color:#1558b0;text-decoration:none}a:hover{text-decoration:underline}"
         "h1{font-size:1.8em;margin-bottom:.2em}h2{border-bottom:2px solid #ddd;margin-top:2em}"
         "table{border-collapse:collapse;display:block;overflow-x:auto;margin:.6em 0}"
         "th,td{padding:.25em .6em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}"
         "th{background:#f4f4f4;vertical-align:bottom}tr:hover td{background:#f8fafd}"
         "td:first-child{white-space:nowrap}small{color:#666;font-weight:normal}"
         "abbr{text-decoration:none;cursor:help}"
         ".numbers td:nth-child(n+3),.numbers "
         "th:nth-child(n+3){text-align:right;font-variant-numeric:tabular-nums}"
         "img{max-width:100%;background:#000;border-radius:3px}img[src^=\"data:image/svg\"]{background:#fff}"
         "figure{margin:.8em 0}figcaption,.note{color:#666;font-size:90%}.note{margin:.35em "
         "0}.bad{color:#b00020}"
         "pre{white-space:pre-wrap;background:#f4f4f4;padding:.5em}summary{cursor:pointer}svg{display:block}"_html;
}

}  // namespace

Html text(std::string_view text) { return Html(escapedForXml(text)); }

Html element(const Html& tag, std::string_view words, const Html& className) {
  const Html ofClass = className.empty() ? Html() : " class=\""_html + className + "\""_html;
  return "<"_html + tag + ofClass + ">"_html + text(words) + "</"_html + tag + ">\n"_html;
}

Html link(const std::string& page, std::string_view words) {
  const bool isPart = page.starts_with('#');  // else a name, never an address such as "javascript:…"
  return "<a href=\""_html + (isPart ? Html() : "./"_html) + text(page) + "\">"_html + text(words) +
         "</a>"_html;
}

Html table(const std::vector<Html>& head, const std::vector<std::vector<Html>>& rows, const Html& className) {
  Html html =
      (className.empty() ? "<table"_html : "<table class=\""_html + className + "\""_html) + "><tr>"_html;
  for (const auto& cell : head) html += "<th>"_html + cell + "</th>"_html;
  html += "</tr>\n"_html;
  for (const auto& row : rows) {
    html += "<tr>"_html;
    for (const auto& cell : row) html += "<td>"_html + cell + "</td>"_html;
    html += "</tr>\n"_html;
  }
  return html + "</table>\n"_html;
}

Html titledTable(const std::vector<std::string>& titles, const std::vector<std::vector<Html>>& rows) {
  std::vector<Html> head;
  for (const auto& title : titles) head.push_back(text(title));
  return table(head, rows);
}

Html figure(const std::string& bytes, const std::string& caption, const std::string& type) {
  return "<figure><img alt=\""_html + text(caption) + "\" src=\"data:"_html + text(type) + ";base64,"_html +
         text(base64Of(bytes)) + "\"><figcaption>"_html + text(caption) + "</figcaption></figure>\n"_html;
}

Html dotRow(const std::string& title, const std::vector<Dot>& dots) {
  constexpr int kLeft = 240, kWidth = 520, kHeight = 26;
  const auto number = [](double value) { return text(numberText(value)); };
  const auto [low, high] = std::minmax_element(dots.begin(), dots.end(),
                                               [](const Dot& a, const Dot& b) { return a.value < b.value; });
  const double span = high->value - low->value;
  const Html y = number(kHeight / 2);
  Html svg = "<svg width=1080 height=\""_html + number(kHeight) + "\" font-size=13><text x=0 y=17>"_html +
             text(title) + "</text><line x1=\""_html + number(kLeft) + "\" x2=\""_html +
             number(kLeft + kWidth) + "\" y1=\""_html + y + "\" y2=\""_html + y + "\" stroke=\"#ccc\"/>"_html;
  for (const bool stressed : {false, true})
    for (const auto& dot : dots) {
      if (dot.stressed != stressed) continue;
      const double share = span > 0 ? (dot.value - low->value) / span : 0.5;
      svg += "<circle cx=\""_html + number(kLeft + kWidth * share) + "\" cy=\""_html + y +
             "\" r=4 fill-opacity=.55 fill=\""_html + (stressed ? "#b00020"_html : "#2060c0"_html) +
             "\"><title>"_html + text(dot.name) + ": "_html + number(dot.value) + "</title></circle>"_html;
    }
  return svg + "<text x=\""_html + number(kLeft + kWidth + 12) + "\" y=17>"_html + number(low->value) +
         (span > 0 ? " … "_html + number(high->value) : Html()) + "</text></svg>\n"_html;
}

std::string page(const std::string& title, const Html& body, const Html& more) {
  const Html whole = "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>"_html + text(title) +
                     "</title><style>"_html + style() + more + "</style></head><body>\n<h1>"_html +
                     text(title) + "</h1>\n"_html + body + "</body></html>\n"_html;
  return whole.str();
}

}  // namespace sulcus::io::html
