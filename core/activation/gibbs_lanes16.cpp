#include "core/activation/gibbs_lanes.h"

namespace sulcus::activation {

RunBlock* blockOn16Lanes(int k, RandomGenerator generator) { return blockOnLanes<16>(k, generator); }

}  // namespace sulcus::activation
