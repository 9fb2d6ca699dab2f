#include "core/io/html.h"

#include "core/base/numbers.h"
#include "core/base/printable.h"

#include <algorithm>
#include <cstdint>

namespace sulcus::io::html {
namespace {

/// RFC 4648.
std::string base64(const std::string& bytes) {
  static constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (i + j < bytes.size() ? std::uint8_t(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j)
      text += i + j <= bytes.size() ? kDigits[bits >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

constexpr const char* kStyle =
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em;color:#222}"
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
    "figure{margin:.8em 0}figcaption,.note{color:#666;font-size:90%}.note{margin:.35em 0}.bad{color:#b00020}"
    "pre{white-space:pre-wrap;background:#f4f4f4;padding:.5em}summary{cursor:pointer}svg{display:block}";

}  // namespace

std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string element(const std::string& tag, const std::string& text, const std::string& className) {
  return "<" + tag + (className.empty() ? "" : " class=" + className) + ">" + escaped(text) + "</" + tag +
         ">\n";
}

std::string link(const std::string& page, const std::string& text) {
  return "<a href=\"" + escaped(page) + "\">" + escaped(text) + "</a>";
}

std::string table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows,
                  const std::string& className) {
  std::string html = "<table" + (className.empty() ? "" : " class=" + className) + "><tr>";
  for (const auto& cell : head) html += "<th>" + cell + "</th>";
  html += "</tr>\n";
  for (const auto& row : rows) {
    html += "<tr>";
    for (const auto& cell : row) html += "<td>" + cell + "</td>";
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

std::string figure(const std::string& bytes, const std::string& caption, const std::string& type) {
  return "<figure><img alt=\"" + escaped(caption) + "\" src=\"data:" + type + ";base64," + base64(bytes) +
         "\"><figcaption>" + escaped(caption) + "</figcaption></figure>\n";
}

std::string dotRow(const std::string& title, const std::vector<Dot>& dots) {
  constexpr int kLeft = 240, kWidth = 520, kHeight = 26;
  const auto [low, high] = std::minmax_element(dots.begin(), dots.end(),
                                               [](const Dot& a, const Dot& b) { return a.value < b.value; });
  const double span = high->value - low->value;
  const std::string y = std::to_string(kHeight / 2);
  std::string svg = "<svg width=1080 height=" + std::to_string(kHeight) + " font-size=13><text x=0 y=17>" +
                    escaped(title) + "</text><line x1=" + std::to_string(kLeft) +
                    " x2=" + std::to_string(kLeft + kWidth) + " y1=" + y + " y2=" + y + " stroke=\"#ccc\"/>";
  for (const bool stressed : {false, true})
    for (const auto& dot : dots) {
      if (dot.stressed != stressed) continue;
      const double share = span > 0 ? (dot.value - low->value) / span : 0.5;
      svg += "<circle cx=" + numberText(kLeft + kWidth * share) + " cy=" + y +
             " r=4 fill-opacity=.55 fill=\"" + (stressed ? "#b00020" : "#2060c0") + "\"><title>" +
             escaped(dot.name) + ": " + numberText(dot.value) + "</title></circle>";
    }
  return svg + "<text x=" + std::to_string(kLeft + kWidth + 12) + " y=17>" + numberText(low->value) +
         (span > 0 ? " … " + numberText(high->value) : "") + "</text></svg>\n";
}

std::string page(const std::string& title, const std::string& body, const std::string& style) {
  return "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>" + escaped(title) +
         "</title><style>" + kStyle + style + "</style></head><body>\n<h1>" + escaped(title) + "</h1>\n" +
         body + "</body></html>\n";
}

}  // namespace sulcus::io::html
