#include "core/fibers/find_peaks_lanes.h"

namespace sulcus {

SearchVoxel* searchOn16Lanes(int order) { return searchOnLanes<16>(order); }

}  // namespace sulcus
