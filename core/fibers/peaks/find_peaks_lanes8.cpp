#include "core/fibers/peaks/find_peaks_lanes.h"

namespace sulcus::fibers {

SearchVoxel* searchOn8Lanes(int order) { return searchOnLanes<8>(order); }

}  // namespace sulcus::fibers
