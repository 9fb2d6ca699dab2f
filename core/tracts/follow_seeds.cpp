#include "core/base/parallel/parallel_for.h"
#include "core/tracts/line_batch.h"
#include "core/tracts/tract_plan.h"

#include <algorithm>

namespace sulcus::tracts {
namespace {

constexpr std::int64_t kSeedsOfBatch = 1 << 15;
constexpr std::int64_t kSeedsOfBlock = 64;

template <class Method>
void followBlock(const TractPlan& plan, const WalkView& walk, std::int64_t begin, std::int64_t end,
                 LineBatch& block) {
  std::vector<Vec3<float>> points(std::size_t(plan.most) + 1);
  LineWalk<Method> line;
  for (std::int64_t i = begin; i < end; ++i) {
    if (line.begin(walk, std::uint64_t(i), plan.seeds.place(i), points.data()))
      while (line.advance(walk, points.data())) {
      }
    addLine(points.data(), line.record, block);
  }
}

}  // namespace

void followSeeds(const TractPlan& plan, const TakeBatch& take, const Progress& progress) {
  const WalkView walk = plan.view();
  const std::int64_t most = seedsOfBatch(plan, kSeedsOfBatch);
  for (std::int64_t first = 0; first < plan.seeds.count; first += most) {
    const std::int64_t seeds = std::min(most, plan.seeds.count - first);
    std::vector<LineBatch> blocks(std::size_t((seeds + kSeedsOfBlock - 1) / kSeedsOfBlock));
    parallelForBlocks(seeds, kSeedsOfBlock, {}, [&](std::int64_t begin, std::int64_t end) {
      progress.throwIfCancelled();
      withWay(plan, [&](auto way) {
        followBlock<decltype(way)>(plan, walk, first + begin, first + end,
                                   blocks[std::size_t(begin / kSeedsOfBlock)]);
      });
    });
    for (LineBatch& block : blocks)
      if (!take(std::move(block))) return;
    progress.update(double(first + seeds) / double(plan.seeds.count));
  }
}

}  // namespace sulcus::tracts
