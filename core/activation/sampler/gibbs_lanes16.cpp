#include "core/activation/sampler/gibbs_lanes.h"

namespace sulcus::activation {

RunBlock* blockOn16Lanes(int k, bool correlated, RandomGenerator generator) {
  return blockOnLanes<16>(k, correlated, generator);
}

}  // namespace sulcus::activation
