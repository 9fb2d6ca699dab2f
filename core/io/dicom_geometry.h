#pragma once

#include "core/io/dicom_elements.h"
#include "core/io/dicom_frames.h"

#include <string>

namespace sulcus::io {

/// Where the header speaks of one frame: the data set itself, or for enhanced multi-frame files the
/// functional groups, those of the frame before the shared ones.
class DicomFrameFacts {
 public:
  /// `frame`: from 0.
  DicomFrameFacts(const DicomSet& set, std::size_t frame);
  /// The set that holds what belongs to the sequence `group` (part 3, C.7.6.16).
  const DicomSet& in(DicomTag group) const;
  const DicomSet& whole() const { return set_; }

 private:
  const DicomSet& set_;
  const DicomSet* own_ = nullptr;
  const DicomSet* shared_ = nullptr;
};

/// Puts place, axes and weighting of a frame of columns × rows into `frame`; what the header does not give
/// stands in DicomFrame::missing. Throws Error where it is damaged.
void placeFrame(DicomFrame& frame, const DicomFrameFacts& facts, int columns, int rows);

/// Slope and intercept of a frame's numbers.
Scaling scalingOf(const DicomFrameFacts& facts);

}  // namespace sulcus::io
