#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sulcus {

/// Whether a name is one of a pattern, in which `*` stands for any text and `?` for any byte.
bool matchesPattern(std::string_view pattern, std::string_view name) noexcept;

/// The same for paths: neither stands for a slash, nor for the dot with which a hidden file or folder begins.
bool matchesPathPattern(std::string_view pattern, std::string_view path) noexcept;

/// The pattern of a result's name without the folder that may stand before it, as in people/*_logjac.
std::string_view withoutFolder(std::string_view pattern) noexcept;

/// The folder of a result of this name, by the pattern that it is of; "" where it has none.
std::string folderOfResult(const std::vector<std::string>& patterns, std::string_view name);

}  // namespace sulcus
