#pragma once

#include "core/base/note.h"
#include "core/io/streams/byte_source.h"

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Parsing of text headers, such as those of NRRD and MetaImage.
namespace sulcus::io {

/// A text without leading and trailing blanks.
std::string_view trimmed(std::string_view text);
/// A text in lower case (ASCII).
std::string lowered(std::string_view text);
/// The words of a text, separated by blanks.
std::vector<std::string_view> wordsOf(std::string_view text);
/// The number that a word as a whole represents, which may be inf or nan; nullopt for other words.
std::optional<double> numberOf(std::string_view word);

/// Reads the lines of a header sequentially. Throws Error for binary data, for lines of more than 64 kB and
/// for headers of more than 4 MB.
class HeaderLines {
 public:
  explicit HeaderLines(const std::filesystem::path& file) : source_(file), file_(file) {}

  /// The next line without its line end; nullopt at the end of the file.
  std::optional<std::string> next();
  /// Throws the Error for a damaged header, with the reason.
  [[noreturn]] void fail(const std::string& why) const;
  /// The position after the last line, in decompressed bytes.
  std::uint64_t position() const { return position_; }

 private:
  ByteSource source_;
  std::filesystem::path file_;
  std::string ahead_;
  std::size_t at_ = 0;
  std::uint64_t position_ = 0;
  bool ended_ = false;
};

/// The fields of a header by name. Every failure is an Error that names the file and the field.
class HeaderFields {
 public:
  explicit HeaderFields(std::filesystem::path file) : file_(std::move(file)) {}

  /// Adds a field. Throws Error if it already has a different value.
  void add(const std::string& name, std::string_view value);
  bool has(const std::string& name) const { return values_.contains(name); }
  /// The text of a field, "" if missing.
  const std::string& text(const std::string& name) const;
  /// The `count` numbers of a field, which may be inf or nan. Throws Error if their count differs.
  std::vector<double> numbers(const std::string& name, std::size_t count) const;
  /// The `count` integers of a field. Throws Error if their count differs and for numbers out of bounds.
  std::vector<std::int64_t> wholeNumbers(const std::string& name, std::size_t count, std::int64_t lowest,
                                         std::int64_t largest) const;
  std::int64_t wholeNumber(const std::string& name, std::int64_t lowest, std::int64_t largest) const {
    return wholeNumbers(name, 1, lowest, largest)[0];
  }
  /// The first of several synonymous fields that is present, "" if none is. Throws Error if their values
  /// contradict each other.
  std::string oneOf(std::initializer_list<const char*> names) const;
  /// The millimeters per `unit`, as stated by the field `name`. Adds a note for units that are not lengths,
  /// and throws Error for unknown ones.
  double millimetersPer(const std::string& name, std::string_view unit, Notes& notes) const;
  const std::filesystem::path& file() const { return file_; }
  /// Throws the Error for a field that is missing or wrong.
  [[noreturn]] void fail(const std::string& name, const std::string& why) const;

 private:
  std::filesystem::path file_;
  std::map<std::string, std::string> values_;
};

}  // namespace sulcus::io
