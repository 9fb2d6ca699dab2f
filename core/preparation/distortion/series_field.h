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

/// What there is to find the field by that distorts a series. Empty: its distortion is left in.
struct FieldScans {
  std::optional<PhaseEncoding> series;  ///< how the series was encoded
  /// One image of opposite phase encoding, or also one that is encoded as the series.
  std::vector<EpiImage> epi;
  std::optional<Volume<float>> hertz;  ///< a field map, in place of these images
  /// An image of the head that no field distorts, such as its T1 scan; it stands in where the others are not.
  std::optional<Volume<float>> anatomy = {};
  std::string problem;  ///< a sentence on why scans that were given cannot be used; "": none

  bool empty() const { return epi.empty() && !hertz && !anatomy && problem.empty(); }
};

/// The field that distorts a series, where its undistorted head is.
struct SeriesField {
  std::shared_ptr<const Volume<float>> hertz;  ///< null: not found
  std::shared_ptr<const Unwarp> unwarp;        ///< of the series
  Notes notes;                                 ///< what was done; a warning says why nothing was
};

/// Finds the field for a series. An image of opposite phase encoding is compared with that which is encoded
/// as the series, else with the mean of the series itself. A field map lies where its header says. The
/// anatomy is aligned.
///
/// @param mean  of the volumes of the series, distorted
/// @param find  that of the CPU or of the GPU
/// @throws Cancelled
SeriesField fieldOfSeries(const FieldScans& scans, const Volume<float>& mean, FindDistortion& find,
                          const Progress& progress);

/// The field as a layer, which is not shown at first.
Layer fieldLayer(const std::string& name, const Volume<float>& hertz);

}  // namespace sulcus::preparation
