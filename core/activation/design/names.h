#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sulcus::activation {

/// `name` made suitable for file names and contrasts: letters, digits, _ . - and non-ASCII characters are
/// kept, everything else becomes _. A name that does not start with a letter gets `prefix`, so that it is
/// neither a number nor a hidden file. At most 60 bytes.
std::string fileSafeName(std::string_view name, std::string_view prefix);

/// `name`, or `name_2`, `name_3`, … if it is taken, ignoring case.
std::string uniqueName(const std::string& name, const std::vector<std::string>& taken);

/// The names as "a, b, c"; names beyond `most` are only counted ("and 3 more").
std::string listed(const std::vector<std::string>& names, std::size_t most = 12);

}  // namespace sulcus::activation
