#include "core/activation/gibbs_lanes.h"

namespace sulcus::activation {

RunBlock* blockOn8Lanes(int k, RandomGenerator generator) { return blockOnLanes<8>(k, generator); }

}  // namespace sulcus::activation
