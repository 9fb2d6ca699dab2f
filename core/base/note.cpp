#include "core/base/note.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace sulcus {
namespace {

constexpr std::string_view kWarning = "Warning: ";
constexpr std::string_view kOption = " (--";

bool isOfOptionName(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }

}  // namespace

Note Note::warning(std::string text, std::string remedy, std::string option) {
  Note note(std::move(text));
  note.severity = Severity::warning;
  note.remedy = std::move(remedy);
  note.option = std::move(option);
  return note;
}

Note Note::from(const std::string& line) {
  Note note = line.starts_with(kWarning) ? warning(line.substr(kWarning.size())) : Note(line);
  std::string_view said = note.text;
  const std::string_view end = said.ends_with('.') ? ")." : ")";
  const std::size_t begin = said.rfind(kOption);
  if (begin == said.npos || !said.ends_with(end)) return note;
  const std::string name(
      said.substr(begin + kOption.size(), said.size() - end.size() - begin - kOption.size()));
  if (name.empty() || !std::ranges::all_of(name, isOfOptionName)) return note;
  note.option = name;
  note.text.erase(begin, kOption.size() + name.size() + 1);
  return note;
}

std::string Note::sentences(const std::string& name) const {
  std::string said = remedy.empty() ? text : text + " " + remedy;
  if (!option.empty()) said.insert(said.ends_with('.') ? said.size() - 1 : said.size(), " (" + name + ")");
  return said;
}

std::string Note::line() const {
  return (isWarning() ? std::string(kWarning) : std::string()) + sentences("--" + option);
}

Notes warningsIn(const Notes& notes) {
  Notes warnings;
  std::ranges::copy_if(notes, std::back_inserter(warnings), &Note::isWarning);
  return warnings;
}

}  // namespace sulcus
