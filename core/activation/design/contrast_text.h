#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// Splits the text of the option `contrast` before any of its names are looked up. Text in quotation marks is
// skipped.

namespace sulcus::activation {

bool isBlank(char c);
std::string_view trimmed(std::string_view text);

/// The position after the closing quotation mark of the quotation that begins at `at`; npos if there is none,
/// or if the mark belongs to a name ("don't").
std::size_t endOfQuotes(std::string_view text, std::size_t at);

/// The positions of a character outside of quotation marks.
std::vector<std::size_t> placesOf(char wanted, std::string_view text);

std::vector<std::string_view> split(std::string_view text, char separator);

/// One contrast of the option as written: a sum, or F(…) of several.
struct ContrastText {
  std::string_view whole;  ///< without surrounding blanks
  bool joint = false;      ///< "name: F(row; row)"
  std::string_view name{},
      rows{};  ///< of a joint contrast: its name, empty if it has none, and the argument of F
};

/// Splits contrasts at ';', but not within F(…). Empty ones are omitted.
///
/// @param isSum  whether a text as a whole is a contrast: a regressor may be called "F(x)"
/// @throws Error (usage) if the parentheses of F are not closed, or something follows them
std::vector<ContrastText> contrastTexts(std::string_view text,
                                        const std::function<bool(std::string_view)>& isSum);

/// Throws Error (usage) for a contrast that cannot be used.
[[noreturn]] void refuseContrast(std::string_view contrast, const std::string& problem,
                                 const std::string& why, const Message& whatToDo);

}  // namespace sulcus::activation
