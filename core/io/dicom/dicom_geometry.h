#pragma once

#include "core/io/dicom/dicom_elements.h"
#include "core/io/dicom/dicom_frames.h"
#include "core/io/volumes/samples.h"

#include <string>

namespace sulcus::io {

/// The parts of a header that describe one frame: the data set itself or, in enhanced multi-frame files, the
/// functional groups, of which those of the frame take precedence over the shared ones.
class DicomFrameFacts {
 public:
  /// `frame` counts from 0.
  DicomFrameFacts(const DicomSet& set, std::size_t frame);
  /// The set with the elements of the functional group `group` (part 3, C.7.6.16).
  const DicomSet& in(DicomTag group) const;
  const DicomSet& whole() const { return set_; }

 private:
  const DicomSet& set_;
  const DicomSet* own_ = nullptr;
  const DicomSet* shared_ = nullptr;
};

/// Fills in position, axes, order, scaling and weighting of a frame of columns × rows. Parts that the header
/// lacks are listed in DicomFrame::missing. Throws Error when the header is damaged.
void placeFrame(DicomFrame& frame, const DicomFrameFacts& facts, int columns, int rows);

/// The slope and the intercept of the numbers of a frame.
Scaling scalingOf(const DicomFrameFacts& facts);
/// The repetition time in the header, s; 0 if not stated.
double repetitionSeconds(const DicomFrameFacts& facts);

}  // namespace sulcus::io
