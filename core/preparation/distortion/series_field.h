#pragma once

#include "core/base/progress.h"
#include "core/image/layer.h"
#include "core/image/phase_encoding.h"
#include "core/image/volume.h"
#include "core/preparation/distortion/distortion.h"
#include "core/preparation/distortion/unwarp.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::preparation {

/// The scans from which the field that distorts a series is found. Empty: distortion is not corrected.
struct FieldScans {
  std::optional<PhaseEncoding> series;  ///< how the series was encoded
  /// One image of opposite phase encoding, and optionally one encoded like the series.
  std::vector<EpiImage> epi;
  std::optional<Volume<float>> hertz;  ///< a field map, instead of these images
  /// An undistorted image of the head, such as its T1 scan, used if the others are missing.
  std::optional<Volume<float>> anatomy = {};
  std::string problem;  ///< why given scans cannot be used, a sentence; "": none

  bool empty() const { return epi.empty() && !hertz && !anatomy && problem.empty(); }
};

/// The field that distorts a series, at the undistorted position of the head.
struct SeriesField {
  std::shared_ptr<const Volume<float>> hertz;  ///< null: not found
  std::shared_ptr<const Unwarp> unwarp;        ///< of the series
  Notes notes;                                 ///< what was done; a warning says why nothing was
};

/// Finds the field for a series. An image of opposite phase encoding is compared with the image encoded like
/// the series, else with the mean of the series itself. A field map is placed by its header. The anatomy is
/// aligned.
///
/// @param mean  of the volumes of the series, distorted
/// @param find  on the CPU or the GPU
/// @throws Cancelled
SeriesField fieldOfSeries(const FieldScans& scans, const Volume<float>& mean, FindDistortion& find,
                          const Progress& progress);

/// The field as a layer, hidden at first.
Layer fieldLayer(const std::string& name, const Volume<float>& hertz);

}  // namespace sulcus::preparation
