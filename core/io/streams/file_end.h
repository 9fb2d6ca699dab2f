#pragma once

#include "core/base/note.h"
#include "core/io/streams/byte_source.h"

#include <string>
#include <vector>

namespace sulcus::io {

/// The note on a file with more bytes than its header announces.
inline constexpr const char* kLongerNote =
    "The file continues after the data declared by its header; the rest is ignored.";

/// Must be called after the last number: finishes the source, and adds a note if more data follows.
inline void finishNumbers(ByteSource& source, Notes& notes) {
  if (source.finish()) notes.emplace_back(kLongerNote);
}

}  // namespace sulcus::io
