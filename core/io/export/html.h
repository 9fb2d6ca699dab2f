#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The only place where HTML is generated. No text becomes HTML: an Html consists of literals in the source
// and of text(), which escapes.
namespace sulcus::io::html {

/// A piece of a page.
class Html {
 public:
  Html() = default;
  bool empty() const { return html_.empty(); }
  const std::string& str() const { return html_; }  ///< for writing to a file

  Html& operator+=(const Html& more) {
    html_ += more.html_;
    return *this;
  }
  friend Html operator+(Html first, const Html& second) { return std::move(first += second); }
  friend Html operator""_html(const char* literal, std::size_t size) { return Html({literal, size}); }
  friend Html text(std::string_view text);

 private:
  explicit Html(std::string html) : html_(std::move(html)) {}
  std::string html_;
};

/// A literal in the source as HTML: "<b>bold</b>"_html.
Html operator""_html(const char* literal, std::size_t size);
/// Text as HTML that shows it literally, in a page or in a quoted attribute; control characters are made
/// visible.
Html text(std::string_view text);
/// Text in an element such as <span> or <p>, with a class.
///
/// @param tag, className  literals in the source: "p"_html
Html element(const Html& tag, std::string_view text, const Html& className = {});
/// A link with a text to a page in the same folder, or, with # before an id, to a part of this page.
Html link(const std::string& page, std::string_view text);
/// A table. With the class "numbers", all columns but the first two are numbers.
Html table(const std::vector<Html>& head, const std::vector<std::vector<Html>>& rows,
           const Html& className = {});
/// A table with these column titles.
Html titledTable(const std::vector<std::string>& titles, const std::vector<std::vector<Html>>& rows);
/// A picture embedded in the page, with a caption.
///
/// @param bytes  content of the picture file
/// @param type   its media type, e.g. "image/svg+xml"
Html figure(const std::string& bytes, const std::string& caption, const std::string& type = "image/png");

/// One value of a dotRow().
struct Dot {
  double value = 0;
  std::string name;
  bool stressed = false;
};
/// Values as dots on a line, increasing to the right, with their range and a title.
Html dotRow(const std::string& title, const std::vector<Dot>& dots);

/// The content of a whole page; `style` is added to the style of all pages.
std::string page(const std::string& title, const Html& body, const Html& style = {});

}  // namespace sulcus::io::html
