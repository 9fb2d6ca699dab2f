#pragma once

namespace sulcus {

/// How an echo-planar image was encoded, which says where an uneven field shifts its voxels to.
struct PhaseEncoding {
  int axis = 1;            ///< voxel axis of the image
  int sign = 1;            ///< −1: against the axis ("j-" of BIDS)
  double readoutTime = 0;  ///< TotalReadoutTime of BIDS, s

  /// How far a field of 1 Hz shifts a voxel along the axis, voxels.
  double voxelsPerHz() const { return sign * readoutTime; }
};

}  // namespace sulcus
