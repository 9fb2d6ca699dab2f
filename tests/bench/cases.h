#pragma once

#include <regex>
#include <string>

namespace sulcus::bench {

/// Whether a case is to be measured: its name, with which its line begins, has a match of the regular
/// expression of --only. An empty one matches every name.
///
/// @throws std::regex_error  where it is none
inline bool isWanted(const std::string& name, const std::string& only) {
  return std::regex_search(name, std::regex(only));
}

}  // namespace sulcus::bench
