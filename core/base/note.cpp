#include "core/base/note.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace sulcus {
namespace {

constexpr std::string_view kWarning = "Warning: ";
constexpr std::string_view kOption = " (--";
constexpr std::string_view kSubjects[] = {"",          "assumedSides",   "labelNames", "dicomHeaders",
                                          "gradients", "fieldConvention"};

}  // namespace

std::string nameOf(Subject subject) { return std::string(kSubjects[std::size_t(subject)]); }

Subject subjectNamed(const std::string& name) {
  const auto found = std::ranges::find(kSubjects, name);
  return found == std::end(kSubjects) ? Subject::other : Subject(found - std::begin(kSubjects));
}

Note Note::warning(Message text, Message remedy, std::string option) {
  Note note(std::move(text), std::move(option));
  note.severity = Severity::warning;
  note.remedy = std::move(remedy);
  return note;
}

Note Note::from(const std::string& line) {
  Note note;
  std::string_view said = line;
  if (said.starts_with(kWarning)) {
    note.severity = Severity::warning;
    said.remove_prefix(kWarning.size());
  }
  const std::string_view end = said.ends_with('.') ? ")." : ")";
  const std::size_t begin = said.rfind(kOption);
  if (begin != said.npos && said.ends_with(end)) {
    const std::string_view name =
        said.substr(begin + kOption.size(), said.size() - end.size() - begin - kOption.size());
    if (!name.empty() && name.find_first_not_of(kOfOptionName) == name.npos) {
      note.option = name;
      note.text = Message::from(std::string(said.substr(0, begin)) + std::string(end.substr(1)));
      return note;
    }
  }
  note.text = Message::from(std::string(said));
  return note;
}

Note Note::about(Subject its) && {
  subject = its;
  return std::move(*this);
}

Message Note::message() const {
  Message said = remedy.empty() ? text : text + " " + remedy;
  if (option.empty()) return said;
  const bool hasPeriod = said.removeEnd(".");
  said += " (" + Message::option(option) + ")";
  return hasPeriod ? said + "." : said;
}

std::string Note::line() const {
  return (isWarning() ? std::string(kWarning) : std::string()) + message().line();
}

Notes warningsIn(const Notes& notes) {
  Notes warnings;
  std::ranges::copy_if(notes, std::back_inserter(warnings), &Note::isWarning);
  return warnings;
}

bool hasNoteAbout(const Notes& notes, Subject subject) {
  return std::ranges::any_of(notes, [&](const Note& note) { return note.subject == subject; });
}

void replaceNote(Notes& notes, Note note) {
  if (note.subject != Subject::other)
    std::erase_if(notes, [&](const Note& earlier) { return earlier.subject == note.subject; });
  notes.push_back(std::move(note));
}

}  // namespace sulcus
