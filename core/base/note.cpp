#include "core/base/note.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace sulcus {
namespace {

constexpr std::string_view kWarning = "Warning: ";

}  // namespace

Note Note::warning(std::string text, std::string remedy, std::string option) {
  Note note(std::move(text));
  note.severity = Severity::warning;
  note.remedy = std::move(remedy), note.option = std::move(option);
  return note;
}

Note Note::from(const std::string& line) {
  return line.starts_with(kWarning) ? warning(line.substr(kWarning.size())) : Note(line);
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
