#include "core/activation/sampler/gibbs_lanes.h"

namespace sulcus::activation {

RunBlock* blockOn8Lanes(int k, bool correlated) { return blockOnLanes<8>(k, correlated); }

}  // namespace sulcus::activation
