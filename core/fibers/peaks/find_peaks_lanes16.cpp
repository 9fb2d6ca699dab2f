#include "core/fibers/peaks/find_peaks_lanes.h"

namespace sulcus::fibers {

SearchVoxel* searchOn16Lanes(int order) { return searchOnLanes<16>(order); }

}  // namespace sulcus::fibers
