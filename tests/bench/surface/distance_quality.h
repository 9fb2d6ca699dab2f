#pragma once

namespace sulcus::bench {

/// Prints the errors of signed distances, ours and ITK's, for a ball in size³ voxels.
void distanceTable(int size);

}  // namespace sulcus::bench
