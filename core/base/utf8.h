#pragma once

#include <string>
#include <string_view>

namespace sulcus {

/// `text` with bytes that are not UTF-8 as \xe9, and all else unchanged.
std::string withoutStrayBytes(std::string_view text);

/// Appends a character below U+10000.
void appendUtf8(std::string& text, char32_t code);

}  // namespace sulcus
