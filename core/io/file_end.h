#pragma once

#include "core/io/byte_source.h"

#include <string>
#include <vector>

namespace sulcus::io {

/// Of a file with more bytes than its header announces.
inline constexpr const char* kLongerNote =
    "The file goes on after the numbers that its header announces; what follows was not read.";

/// After the last number: lets gzip compare its checksum where the stream ends here, and says where it goes
/// on.
inline void finishNumbers(ByteSource& source, std::vector<std::string>& notes) {
  char beyond;
  if (source.readSome({&beyond, 1}) > 0) notes.emplace_back(kLongerNote);
}

}  // namespace sulcus::io
