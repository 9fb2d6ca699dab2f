#pragma once

#include "core/io/byte_source.h"

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Headers that are text, as those of NRRD and MetaImage.
namespace sulcus::io {

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);
/// In lower case (ASCII).
std::string lowered(std::string_view text);
/// Words parted by blanks.
std::vector<std::string_view> wordsOf(std::string_view text);
/// The whole word as a number, which may be inf or nan.
std::optional<double> numberOf(std::string_view word);

/// The lines of a header, from front to back. Throws Error for what is no text, lines of more than 64 kB and
/// headers of more than 4 MB.
class HeaderLines {
 public:
  explicit HeaderLines(const std::filesystem::path& file) : source_(file), file_(file) {}

  /// The next line, without its end; none at the end of the file.
  std::optional<std::string> next();
  /// The byte (decompressed) behind the last line.
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

  /// Throws Error when it was given before, as another value.
  void add(const std::string& name, std::string_view value);
  bool has(const std::string& name) const { return values_.contains(name); }
  /// "" where it is missing.
  const std::string& text(const std::string& name) const;
  /// Exactly `count` numbers, some of which may be inf or nan.
  std::vector<double> numbers(const std::string& name, std::size_t count) const;
  /// Exactly `count` whole numbers of these bounds.
  std::vector<std::int64_t> wholeNumbers(const std::string& name, std::size_t count, std::int64_t lowest,
                                         std::int64_t largest) const;
  std::int64_t wholeNumber(const std::string& name, std::int64_t lowest, std::int64_t largest) const {
    return wholeNumbers(name, 1, lowest, largest)[0];
  }
  /// Which of several names for the same is there, "" where none is. Throws Error where they contradict.
  std::string oneOf(std::initializer_list<const char*> names) const;
  /// mm per `unit`, the field's or one of several in it, in any case. Notes units that are no lengths; throws
  /// Error for those not known.
  double millimetresPer(const std::string& name, std::string_view unit,
                        std::vector<std::string>& notes) const;
  const std::filesystem::path& file() const { return file_; }
  [[noreturn]] void fail(const std::string& name, const std::string& why) const;

 private:
  std::filesystem::path file_;
  std::map<std::string, std::string> values_;
};

}  // namespace sulcus::io
