#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The one place where pages of HTML are made. No text becomes HTML: an Html is put together from literals of
// the source and from text(), which escapes.
namespace sulcus::io::html {

/// A piece of a page.
class Html {
 public:
  Html() = default;
  bool empty() const { return html_.empty(); }
  const std::string& str() const { return html_; }  ///< what a file gets

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

/// HTML as it stands in the source: "<b>bold</b>"_html.
Html operator""_html(const char* literal, std::size_t size);
/// Text as HTML shows it literally, in a page or between the quotation marks of an attribute; control
/// characters are made visible.
Html text(std::string_view text);
/// Text in a <span>, <p>, … of a class.
///
/// @param tag, className  of the source: "p"_html
Html element(const Html& tag, std::string_view text, const Html& className = {});
/// A link with a text to a page in the same folder, or with # before its id to a part of this page.
Html link(const std::string& page, std::string_view text);
/// A table. Of the class "numbers" all columns but the first two are numbers.
Html table(const std::vector<Html>& head, const std::vector<std::vector<Html>>& rows,
           const Html& className = {});
/// A table with such titles.
Html titledTable(const std::vector<std::string>& titles, const std::vector<std::vector<Html>>& rows);
/// A picture inside of the page, with a caption.
///
/// @param bytes  of the file
/// @param type   of its content, e.g. "image/svg+xml"
Html figure(const std::string& bytes, const std::string& caption, const std::string& type = "image/png");

/// One of many values.
struct Dot {
  double value = 0;
  std::string name;
  bool stressed = false;
};
/// Values along a line, smallest at the left, with their range and a title.
Html dotRow(const std::string& title, const std::vector<Dot>& dots);

/// The file of a whole page; `style` is added to that of all pages.
std::string page(const std::string& title, const Html& body, const Html& style = {});

}  // namespace sulcus::io::html
