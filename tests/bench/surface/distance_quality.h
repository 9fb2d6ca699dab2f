#pragma once

namespace sulcus::bench {

/// Prints how far signed distances, ours and ITK's, are from those of a ball in size³ voxels.
void distanceTable(int size);

}  // namespace sulcus::bench
