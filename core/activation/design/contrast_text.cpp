#include "core/activation/design/contrast_text.h"

#include "core/base/error.h"
#include "core/base/sanitized.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace sulcus::activation {
namespace {

/// The position of F( of a joint contrast: at the beginning of the text or after a colon.
std::optional<std::size_t> beginOfJoint(std::string_view text) {
  auto behind = placesOf(':', text);
  for (std::size_t& colon : behind) ++colon;
  behind.insert(behind.begin(), 0);
  for (std::size_t at : behind) {
    while (at < text.size() && isBlank(text[at])) ++at;
    if (at < text.size() && (text[at] == 'F' || text[at] == 'f') &&
        trimmed(text.substr(at + 1)).starts_with('('))
      return at;
  }
  return {};
}

/// Calls visit(position) for each character outside of quotation marks.
template <class Visit>
void forUnquoted(std::string_view text, const Visit& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const auto end = endOfQuotes(text, at);
    if (end == text.npos) visit(at);
    at = end == text.npos ? at + 1 : end;
  }
}

/// The end of the first parentheses in the text; npos if they are not closed.
std::size_t endOfParentheses(std::string_view text) {
  int depth = 0;
  std::size_t found = text.npos;
  forUnquoted(text, [&](std::size_t at) {
    depth += (text[at] == '(') - (text[at] == ')');
    if (found == text.npos && text[at] == ')' && depth == 0) found = at;
  });
  return found;
}

/// The position of the first such character outside of quotation marks, or the end of the text.
std::size_t placeOf(char wanted, std::string_view text) {
  const auto places = placesOf(wanted, text);
  return places.empty() ? text.size() : places.front();
}

}  // namespace

bool isBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
  return text;
}

/// The position after the closing quotation mark of the quotation that begins at `at`; npos if there is none,
/// or if the mark belongs to a name ("don't").
std::size_t endOfQuotes(std::string_view text, std::size_t at) {
  if (text[at] != '"' && text[at] != '\'') return text.npos;
  constexpr std::string_view kBefore = "+-*:;,(";
  if (at > 0 && !isBlank(text[at - 1]) && kBefore.find(text[at - 1]) == kBefore.npos) return text.npos;
  const auto end = text.find(text[at], at + 1);
  return end == text.npos ? end : end + 1;
}

std::vector<std::size_t> placesOf(char wanted, std::string_view text) {
  std::vector<std::size_t> places;
  forUnquoted(text, [&](std::size_t at) {
    if (text[at] == wanted) places.push_back(at);
  });
  return places;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (const std::size_t at : placesOf(separator, text)) {
    parts.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::vector<ContrastText> contrastTexts(std::string_view text,
                                        const std::function<bool(std::string_view)>& isSum) {
  std::vector<ContrastText> contrasts;
  for (std::string_view left = text; !left.empty();) {
    std::size_t end = placeOf(';', left);
    ContrastText one{trimmed(left.substr(0, end))};
    if (const auto begin = beginOfJoint(left.substr(0, end)); begin && !isSum(one.whole)) {
      constexpr const char* kHowTo =
          "write F(a - b; b - c), or put names with parentheses in quotation marks";
      const std::string_view joint = left.substr(*begin);
      const std::size_t close = endOfParentheses(joint);
      if (close == joint.npos)
        refuseContrast(trimmed(joint), "begins with F( and has no parenthesis that ends it",
                       "it is not clear where its rows end", kHowTo);
      end = *begin + close + placeOf(';', joint.substr(close));
      one.whole = trimmed(left.substr(0, end));
      if (!trimmed(left.substr(*begin + close + 1, end - *begin - close - 1)).empty())
        refuseContrast(one.whole, "continues after the parenthesis of F(…)", "only ; may follow it", kHowTo);
      one.joint = true;
      one.name = trimmed(left.substr(0, *begin));
      if (!one.name.empty()) one.name = trimmed(one.name.substr(0, one.name.size() - 1));  // the colon
      const std::size_t open = joint.find('(');
      one.rows = trimmed(joint.substr(open + 1, close - open - 1));
    }
    if (!one.whole.empty()) contrasts.push_back(one);
    left.remove_prefix(std::min(left.size(), end + 1));
  }
  return contrasts;
}

void refuseContrast(std::string_view contrast, const std::string& problem, const std::string& why,
                    const Message& whatToDo) {
  throw Error("The contrast " + inQuotes(contrast) + " " + problem, why, whatToDo, ErrorKind::usage);
}

}  // namespace sulcus::activation
