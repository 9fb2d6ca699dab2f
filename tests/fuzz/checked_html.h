#pragma once

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sulcus::fuzz {

/// Ends the process unless a page consists only of the tags and attributes used by our pages, properly
/// nested, with links only to neighboring pages and pictures only inside the page: no text of a file has
/// become HTML.
inline void requireOwnHtml(std::string_view page) {
  static const std::set<std::string, std::less<>> tags{
      "html", "head",   "meta", "title",      "style",   "body",    "h1",  "h2",   "h3",    "h4",    "p",
      "a",    "abbr",   "b",    "br",         "small",   "code",    "pre", "div",  "table", "tr",    "th",
      "td",   "figure", "img",  "figcaption", "details", "summary", "svg", "text", "line",  "circle"};
  static const std::set<std::string, std::less<>> attributes{
      "lang",  "charset", "class",     "id", "href", "title",        "alt", "src",
      "width", "height",  "font-size", "x",  "y",    "x1",           "x2",  "y1",
      "y2",    "stroke",  "cx",        "cy", "r",    "fill-opacity", "fill"};
  static const std::set<std::string, std::less<>> empty{"meta", "br", "img", "line"};
  const auto fail = [&](const char* why, std::string_view where) {
    std::fprintf(stderr, "%s: %.*s\n", why, int(std::min<std::size_t>(where.size(), 120)), where.data());
    std::abort();
  };
  constexpr std::string_view kDoctype = "<!DOCTYPE html>\n";
  if (!page.starts_with(kDoctype)) fail("no page", page);
  page.remove_prefix(kDoctype.size());
  std::vector<std::string> open;
  for (auto at = page.find('<'); at != page.npos; at = page.find('<')) {
    page.remove_prefix(at + 1);
    const std::string_view rest = page;
    const bool closes = page.starts_with('/');
    if (closes) page.remove_prefix(1);
    std::size_t end = 0;
    while (end < page.size() && std::isalnum(static_cast<unsigned char>(page[end]))) ++end;
    const std::string tag(page.substr(0, end));
    if (!tags.contains(tag)) fail("a tag that is not ours", rest);
    page.remove_prefix(end);
    while (page.starts_with(' ')) {  // name=value or name="value"
      page.remove_prefix(1);
      const auto equals = page.find('=');
      if (equals == page.npos || !attributes.contains(page.substr(0, equals)))
        fail("an attribute that is not ours", rest);
      const std::string name(page.substr(0, equals));
      page.remove_prefix(equals + 1);
      const bool isQuoted = page.starts_with('"');
      if (isQuoted) page.remove_prefix(1);
      const auto stop = isQuoted ? page.find('"') : page.find_first_of(" >/");
      if (stop == page.npos) fail("an open attribute", rest);
      const std::string_view value = page.substr(0, stop);
      if (name == "href" && !value.starts_with('#') && !value.starts_with("./")) fail("a link out", rest);
      if (name == "src" && !value.starts_with("data:image/")) fail("a picture from elsewhere", rest);
      page.remove_prefix(stop + isQuoted);
    }
    if (page.starts_with('/')) page.remove_prefix(1);
    if (!page.starts_with('>')) fail("a tag that does not end", rest);
    if (closes && (open.empty() || open.back() != tag)) fail("a tag that closes no other", rest);
    if (closes) open.pop_back();
    if (!closes && !empty.contains(tag)) open.push_back(tag);
  }
  if (!open.empty()) fail("a tag that is not closed", open.back());
}

}  // namespace sulcus::fuzz
