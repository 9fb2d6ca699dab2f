#include "gpu/runtime/no_cuda.h"

#include "core/group/people_model.h"
#include "gpu/group/group.h"

namespace sulcus::gpu::group {

void exchangeStatistics(const PreparedMaps&, std::int64_t, float, const WeightsOf&, const TakeStatistic&,
                        const Progress&) {
  refuse();
}
GroupResult findEffects(const GroupInput&, const GroupOptions&, const Progress&) { refuse(); }
std::unique_ptr<PeopleSampler> makePeopleSampler(const PeopleProblem&, int) { refuse(); }
double groupDeviceBytes(std::int64_t, int, const GroupOptions&) { return 0; }

}  // namespace sulcus::gpu::group
