#pragma once

#include "core/image/phase_encoding.h"
#include "core/math/vec3.h"

#include <filesystem>
#include <optional>
#include <string>

namespace sulcus::io {

/// What the sidecars of a scan say about distortion, by the keys of BIDS.
struct DistortionMetadata {
  /// PhaseEncodingDirection with TotalReadoutTime, or with EffectiveEchoSpacing and the number of voxels.
  std::optional<PhaseEncoding> encoding;
  std::string direction;  ///< PhaseEncodingDirection; "": not said
  std::string units;      ///< of a field map: "Hz", "rad/s", "T"; "": not said
};

/// @param size  voxels of the scan
DistortionMetadata readDistortionMetadata(const std::filesystem::path& scan, const Vec3<int>& size);

}  // namespace sulcus::io
