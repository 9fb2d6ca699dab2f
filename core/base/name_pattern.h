#pragma once

#include <string_view>

namespace sulcus {

/// Whether a name matches a pattern in which `*` stands for any text and `?` for any byte.
bool matchesPattern(std::string_view pattern, std::string_view name) noexcept;

/// The same for paths: neither wildcard matches a slash, nor the dot at the start of a hidden file or folder.
bool matchesPathPattern(std::string_view pattern, std::string_view path) noexcept;

}  // namespace sulcus
