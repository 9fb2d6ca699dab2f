#pragma once

#include "core/io/dicom/dicom_elements.h"

#include <cstddef>

namespace sulcus::io {

/// The values of a DICOM element, as they are kept.
enum class Holds { nothing, text, decimals, doubles, whole, bytes, sequence };
struct ElementStorage {
  Holds holds = Holds::nothing;
  std::size_t count = 0;  ///< of its numbers; 0: any
};

/// How an element is kept; Holds::nothing when only its length is read.
ElementStorage storageOf(DicomTag tag);

}  // namespace sulcus::io
