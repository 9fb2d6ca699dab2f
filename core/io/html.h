#pragma once

#include <string>
#include <vector>

// The few parts that pages of HTML are made of. Text is escaped where it says so; everything else is HTML.
namespace sulcus::io::html {

/// Text as HTML shows it literally, control characters made visible.
std::string escaped(const std::string& text);
/// <tag class=…>escaped text</tag>
std::string element(const std::string& tag, const std::string& text, const std::string& className = "");
/// A link with escaped text to a page in the same folder.
std::string link(const std::string& page, const std::string& text);
/// A table of cells that are HTML. Of the class "numbers" all columns but the first two are numbers.
std::string table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows,
                  const std::string& className = "");
/// A picture inside of the page, with an escaped caption.
///
/// @param bytes  of the file
/// @param type   of its content, e.g. "image/svg+xml"
std::string figure(const std::string& bytes, const std::string& caption,
                   const std::string& type = "image/png");

/// One of many values.
struct Dot {
  double value = 0;
  std::string name;
  bool stressed = false;
};
/// Values along a line, smallest at the left, with their range and an escaped title.
std::string dotRow(const std::string& title, const std::vector<Dot>& dots);

/// A whole page; `style` is added to that of all pages.
std::string page(const std::string& title, const std::string& body, const std::string& style = "");

}  // namespace sulcus::io::html
