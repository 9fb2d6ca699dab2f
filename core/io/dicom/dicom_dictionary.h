#pragma once

#include "core/io/dicom/dicom_elements.h"

#include <cstddef>

namespace sulcus::io {

/// How the values of a DICOM element are stored.
enum class Holds { nothing, text, decimals, doubles, whole, sequence };
struct ElementStorage {
  Holds holds = Holds::nothing;
  std::size_t count = 0;  ///< number of its values; 0: any
};

/// How an element is stored; Holds::nothing if only its length is read.
ElementStorage storageOf(DicomTag tag);

}  // namespace sulcus::io
