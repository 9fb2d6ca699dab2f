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
  std::string suffix;                                         ///< "" where the last part is an entity
  std::string extension;                                      ///< from the first '.' on

  /// The label of an entity, "" where there is none.
  std::string label(std::string_view key) const;
  /// The name with another label of this entity; "" removes it. Other characters than letters and
  /// digits are left out of the label, which may not be "" then: what begins a new word becomes a capital.
  Name with(const std::string& key, const std::string& value) const;
  /// Entities and suffix without the extension.
  std::string stem() const;
  std::string text() const { return stem() + extension; }
  /// Whether each of its entities but `except` is in `other` with the same label.
  bool describes(const Name& other, const std::vector<std::string>& except = {}) const;
};

/// The parts of a file name. None when it is no name of BIDS; `fault` then says why, "" for a file that does
/// not begin with an entity or has no suffix, which BIDS does not name either.
std::optional<Name> parsedName(std::string_view file, std::string& fault);

/// Whether a text can be the label of an entity, such as "01" of sub-01.
bool isLabel(std::string_view text);

/// `text` as a label: letters and digits only, with a capital where something was left out.
std::string labelOf(std::string_view text);

/// Whether label `a` comes before `b`: numbers in them by their value, "2" before "10" and "day9" before
/// "day10".
bool labelBefore(std::string_view a, std::string_view b);

/// Whether two labels are the same, numbers with and without leading zeros too: "1" and "01".
bool sameLabel(std::string_view a, std::string_view b);

}  // namespace sulcus::bids
