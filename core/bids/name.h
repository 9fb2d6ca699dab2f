#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sulcus::bids {

/// The name of a file in BIDS: "sub-01_task-rest_run-1_bold.nii.gz" has three entities, the suffix "bold" and
/// the extension ".nii.gz".
struct Name {
  std::vector<std::pair<std::string, std::string>> entities;  ///< key and label, in the order of BIDS
  std::string suffix;                                         ///< "" if the last part is an entity
  std::string extension;                                      ///< from the first '.' on

  /// The label of an entity, "" if absent.
  std::string label(std::string_view key) const;
  /// The name with this entity's label replaced; "" removes it. Characters other than letters and digits are
  /// removed from the label, and the letter that follows becomes a capital; something must remain.
  Name with(const std::string& key, const std::string& value) const;
  /// Entities and suffix without the extension.
  std::string stem() const;
  std::string text() const { return stem() + extension; }
  /// Entities and suffix without the extension.
  bool describes(const Name& other, const std::vector<std::string>& except = {}) const;
};

/// Parses a file name. nullopt if it is not a BIDS name; `fault` then says why, "" for a file that does not
/// begin with an entity or has no suffix, for which BIDS has no rules either.
std::optional<Name> parsedName(std::string_view file, std::string& fault);

/// Whether a text can be the label of an entity, such as "01" of sub-01.
bool isLabel(std::string_view text);

/// `text` as a label: letters and digits only, with a capital after each removed part.
std::string labelOf(std::string_view text);

/// Natural order of labels: numbers in them compare by value, "2" before "10" and "day9" before "day10".
bool labelBefore(std::string_view a, std::string_view b);

/// Whether two labels are equal, ignoring leading zeros of numbers: "1" and "01".
bool sameLabel(std::string_view a, std::string_view b);

}  // namespace sulcus::bids
