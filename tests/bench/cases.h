#pragma once

#include <regex>
#include <string>

namespace sulcus::bench {

/// Whether a case is to be measured: whether its name, with which its line begins, matches the regular
/// expression of --only. An empty one matches every name.
///
/// @throws std::regex_error if the expression is invalid
inline bool isWanted(const std::string& name, const std::string& only) {
  return std::regex_search(name, std::regex(only));
}

}  // namespace sulcus::bench
