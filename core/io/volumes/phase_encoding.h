#pragma once

#include "core/image/phase_encoding.h"
#include "core/math/vec3.h"

#include <filesystem>
#include <optional>
#include <string>

namespace sulcus::io {

/// Distortion-related metadata in the sidecars of a scan, by BIDS key.
struct DistortionMetadata {
  /// PhaseEncodingDirection with TotalReadoutTime, or with EffectiveEchoSpacing and the number of voxels.
  std::optional<PhaseEncoding> encoding;
  std::optional<int> axis;  ///< of the voxels, by PhaseEncodingDirection alone
  std::string direction;    ///< PhaseEncodingDirection; "": not stated
  std::string units;        ///< of a field map: "Hz", "rad/s", "T"; "": not stated
  std::string fault;        ///< a sentence on a sidecar that cannot be read; "": none
};

/// @param size  voxels of the scan
DistortionMetadata readDistortionMetadata(const std::filesystem::path& scan, const Vec3<int>& size);

}  // namespace sulcus::io
