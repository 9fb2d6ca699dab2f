#pragma once

#include <string>
#include <string_view>

namespace sulcus {

/// `text` with the bytes that are no UTF-8 as \xe9, and all else as it is.
std::string withoutStrayBytes(std::string_view text);

}  // namespace sulcus
