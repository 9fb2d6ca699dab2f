#include "gpu/runtime/no_cuda.h"

#include "gpu/tracts/line_weights.h"
#include "gpu/tracts/tracts.h"

namespace sulcus::gpu::tracts {

void followSeeds(const TractPlan&, const TakeBatch&, const Progress&) { refuse(); }
void followSeedsInBatches(const TractPlan&, const TakeBatch&, const Progress&, std::int64_t) { refuse(); }
HeldPlan holdPlan(const std::shared_ptr<const TractPlan>&) { refuse(); }
TractResult findTracts(const TractInput&, const TractOptions&, const Progress&) { refuse(); }
std::vector<float> fitWeights(const WeightProblem&, int, const Progress&) { refuse(); }
double tractDeviceBytes(std::int64_t, int) { return 0; }

}  // namespace sulcus::gpu::tracts
