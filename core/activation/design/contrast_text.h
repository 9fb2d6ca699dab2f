#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// How the text of the option `contrast` is parted, before any of its names are looked up. What stands in
// quotation marks is passed over.

namespace sulcus::activation {

bool isBlank(char c);
std::string_view trimmed(std::string_view text);

/// Where quotation marks that begin at `at` end, behind the second one; npos where there is none, or where
/// the mark belongs to a name ("don't").
std::size_t endOfQuotes(std::string_view text, std::size_t at);

/// Where a character stands outside of quotation marks.
std::vector<std::size_t> placesOf(char wanted, std::string_view text);
/// The first of them; the size of the text where there is none.
std::size_t placeOf(char wanted, std::string_view text);

std::vector<std::string_view> split(std::string_view text, char separator);

/// One contrast of the option, as it is written: a sum, or F(…) of several.
struct ContrastText {
  std::string_view whole;  ///< without blanks around it
  bool joint = false;      ///< "name: F(row; row)"
  std::string_view name,
      rows{};  ///< of a joint contrast: its name, empty where it has none, and what F holds
};

/// Parts contrasts at ';', but not within F(…). Empty ones are left out.
///
/// @param isSum  whether a text is a contrast as it stands: a regressor may be called "F(x)"
/// @throws Error (usage) where the parentheses of F do not end, or something follows them
std::vector<ContrastText> contrastTexts(std::string_view text,
                                        const std::function<bool(std::string_view)>& isSum);

/// Says that a contrast cannot be used, as an Error (usage).
[[noreturn]] void refuseContrast(std::string_view contrast, const std::string& problem,
                                 const std::string& why, const std::string& whatToDo);

}  // namespace sulcus::activation
