#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sulcus {

/// Whether a name matches a pattern in which `*` stands for any text and `?` for any byte.
bool matchesPattern(std::string_view pattern, std::string_view name) noexcept;

/// Whether a path matches: neither wildcard stands for a slash, nor for the dot at the start of a hidden file
/// or folder.
bool matchesPathPattern(std::string_view pattern, std::string_view path) noexcept;

/// The pattern of a result's name without the folder that may stand before it, as in people/*_logjac.
std::string_view withoutFolder(std::string_view pattern) noexcept;

/// The folder of a result of this name, by the pattern that it is of; "" where it has none.
std::string folderOfResult(const std::vector<std::string>& patterns, std::string_view name);

}  // namespace sulcus
