#pragma once

#include "core/base/note.h"
#include "core/io/streams/byte_source.h"

#include <string>
#include <vector>

namespace sulcus::io {

/// The note on a file with more bytes than its header announces.
inline constexpr const char* kLongerNote =
    "The file goes on after the numbers that its header announces; what follows was not read.";

/// Must be called after the last number: finishes the source, and adds a note if more data follows.
inline void finishNumbers(ByteSource& source, Notes& notes) {
  if (source.finish()) notes.emplace_back(kLongerNote);
}

}  // namespace sulcus::io
