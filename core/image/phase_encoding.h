#pragma once

namespace sulcus {

/// How an echo-planar image was encoded: the direction in which field inhomogeneity shifts its voxels.
struct PhaseEncoding {
  int axis = 1;            ///< voxel axis of the image
  int sign = 1;            ///< −1: against the axis ("j-" of BIDS)
  double readoutTime = 0;  ///< TotalReadoutTime of BIDS, s

  /// The shift of a voxel along the axis by a field of 1 Hz, voxels.
  double voxelsPerHz() const { return sign * readoutTime; }
};

}  // namespace sulcus
