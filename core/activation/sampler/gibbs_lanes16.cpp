#include "core/activation/sampler/gibbs_lanes.h"

namespace sulcus::activation {

RunBlock* blockOn16Lanes(int k, bool correlated) { return blockOnLanes<16>(k, correlated); }

}  // namespace sulcus::activation
