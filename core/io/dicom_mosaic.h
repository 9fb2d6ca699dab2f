#pragma once

#include "core/io/dicom_elements.h"
#include "core/io/dicom_frames.h"

#include <map>
#include <string>
#include <vector>

namespace sulcus::io {

/// The numbers in the CSA header of Siemens, by name.
class CsaHeader {
 public:
  const std::vector<double>& numbers(const std::string& name) const;
  bool empty() const { return numbers_.empty(); }

 private:
  friend CsaHeader csaHeaderOf(const DicomSet& set);
  std::map<std::string, std::vector<double>> numbers_;
};
/// The CSA header of the image in its second form ("SV10"); empty when there is none or it is damaged.
CsaHeader csaHeaderOf(const DicomSet& set);

/// Whether the picture is a Siemens mosaic, which has the slices of a volume side by side.
bool isMosaic(const DicomSet& set);
/// Replaces the mosaic in `frame` by its volume. Throws Error when the header does not give the number of the
/// slices, their positions and their order, or when they do not fit into the picture.
void unfoldMosaic(DicomFrame& frame, const DicomSet& set);

}  // namespace sulcus::io
