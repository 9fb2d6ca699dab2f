#pragma once

#include "core/base/message.h"

#include <ostream>
#include <string>
#include <vector>

namespace sulcus {

enum class Severity { information, warning };

/// What a note is about, if the program acts on it or a later note about it takes its place.
enum class Subject { other, assumedSides, labelNames, dicomHeaders, gradients, fieldConvention };
/// As files write it: "labelNames"; "" for other.
std::string nameOf(Subject subject);
/// The subject of this name; other if there is none.
Subject subjectNamed(const std::string& name);

/// Something worth saying about a file or a result. Each part is one or more sentences in English.
struct Note {
  Severity severity = Severity::information;
  Message text;        ///< what is the case
  Message remedy;      ///< what to do about it; may be empty
  std::string option;  ///< name of the option it concerns, e.g. "gamma"; may be empty
  Subject subject = Subject::other;

  Note() = default;
  Note(Message said, std::string about = {}) : text(std::move(said)), option(std::move(about)) {}
  Note(std::string said) : text(std::move(said)) {}
  Note(const char* said) : text(said) {}
  /// Something that cannot be relied on.
  static Note warning(Message text, Message remedy = {}, std::string option = {});
  /// Parses what line() wrote. The parts are not separated again and the subject is lost, but a warning
  /// remains one.
  static Note from(const std::string& line);

  Note about(Subject its) &&;
  bool isWarning() const { return severity == Severity::warning; }
  /// As written to files and to the command line: "Warning: … Ask for a larger effect (--gamma)."
  std::string line() const;
  /// The text and the remedy, with the option in parentheses at their end.
  Message message() const;
  operator std::string() const { return line(); }

  friend bool operator==(const Note&, const Note&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Note& note) { return out << note.line(); }
  template <class Json>
  friend void to_json(Json& json, const Note& note) {
    json = note.line();
  }
  template <class Json>
  friend void from_json(const Json& json, Note& note) {
    note = from(json.template get<std::string>());
  }
};

using Notes = std::vector<Note>;
Notes warningsIn(const Notes& notes);
bool hasNoteAbout(const Notes& notes, Subject subject);
/// Adds a note in place of all earlier ones about its subject.
void replaceNote(Notes& notes, Note note);

}  // namespace sulcus
