#include "core/activation/sampler/gibbs_lanes.h"

namespace sulcus::activation {

RunBlock* blockOn8Lanes(int k, bool correlated, RandomGenerator generator) {
  return blockOnLanes<8>(k, correlated, generator);
}

}  // namespace sulcus::activation
