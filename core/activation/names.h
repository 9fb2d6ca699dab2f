#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sulcus {

/// `name` made fit for file names and for contrasts: letters, digits and _ . - (and what is not ASCII) stay,
/// all else becomes _; a name that starts with no letter gets `prefix`, so that none is a number or hidden.
/// At most 60 bytes.
std::string fileSafeName(std::string_view name, std::string_view prefix);

/// `name`, or `name_2`, `name_3`, … when it is taken; upper and lower case count as the same.
std::string uniqueName(const std::string& name, const std::vector<std::string>& taken);

/// "a, b, c": of at most `most` names, the rest as a number.
std::string listed(const std::vector<std::string>& names, std::size_t most = 12);

}  // namespace sulcus
