#pragma once

#include "core/io/dicom_elements.h"
#include "core/io/dicom_frames.h"

#include <map>
#include <string>
#include <vector>

namespace sulcus::io {

/// The numbers of Siemens' CSA header, by name.
class CsaHeader {
 public:
  const std::vector<double>& numbers(const std::string& name) const;
  bool empty() const { return numbers_.empty(); }

 private:
  friend CsaHeader csaHeaderOf(const DicomSet& set);
  std::map<std::string, std::vector<double>> numbers_;
};
/// That of the image, in its second form ("SV10"); empty without one, or where it is damaged.
CsaHeader csaHeaderOf(const DicomSet& set);

/// Whether the picture is a Siemens mosaic: the slices of a volume side by side.
bool isMosaic(const DicomSet& set);
/// Makes the volume of the mosaic in `frame`. Throws Error where the header does not say how many slices
/// there are, where they lie and in which order, or where they do not fit.
void unfoldMosaic(DicomFrame& frame, const DicomSet& set);

}  // namespace sulcus::io
