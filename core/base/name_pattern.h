#pragma once

#include <string_view>

namespace sulcus {

/// Whether a name is one of a pattern, in which `*` stands for any text and `?` for any byte.
bool matchesPattern(std::string_view pattern, std::string_view name) noexcept;

/// The same for paths: neither stands for a slash, nor for the dot with which a hidden file or folder begins.
bool matchesPathPattern(std::string_view pattern, std::string_view path) noexcept;

}  // namespace sulcus
