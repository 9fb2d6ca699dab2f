#pragma once

#include <string>

namespace sulcus::app::cli {

/// `text` broken at spaces into lines of at most `width` characters, each further line after `indent` spaces.
std::string wrapped(const std::string& text, int width, int indent);

/// The number of terminal columns of UTF-8 `text`.
int displayWidth(const std::string& text);

}  // namespace sulcus::app::cli
