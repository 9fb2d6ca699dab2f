#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace sulcus {

/// `text` as a terminal or a label may show it: control characters, marks that change the direction of
/// writing, and bytes that are not UTF-8 appear as \x1b. If it is longer than `most` bytes, the middle is
/// left out ("begin…end").
std::string sanitizedForDisplay(std::string_view text,
                                std::size_t most = std::numeric_limits<std::size_t>::max());

/// sanitizedForDisplay() between single quotes, for messages.
std::string inQuotes(std::string_view text, std::size_t most = 60);

/// sanitizedForDisplay() as text or attribute of XML and HTML: & < > " and ' are escaped.
std::string escapedForXml(std::string_view text);

}  // namespace sulcus
