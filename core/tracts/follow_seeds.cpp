#include "core/base/parallel/parallel_for.h"
#include "core/tracts/growth.h"
#include "core/tracts/line_batch.h"
#include "core/tracts/tract_plan.h"

#include <algorithm>

namespace sulcus::tracts {
namespace {

constexpr std::int64_t kSeedsOfBatch = 1 << 15;
constexpr std::int64_t kSeedsOfBlock = 64;
constexpr std::int64_t kSeedsOfStep = 8;  // of a block, for a preview from few seeds

template <class Method>
void followBlock(const WalkView& walk, const Seeds& seeds, std::int64_t begin, std::int64_t end,
                 LineBatch& block) {
  std::vector<Vec3<float>> points(std::size_t(walk.most) + 1);
  LineWalk<Method> line;
  for (std::int64_t i = begin; i < end; ++i) {
    if (line.begin(walk, std::uint64_t(i), seeds.place(i), points.data()))
      while (line.advance(walk, points.data())) {
      }
    addLine(points.data(), line.record, block);
  }
}

/// Blocks of seeds in their order.
std::vector<LineBatch> followBlocks(const TractPlan& plan, const Seeds& seeds, std::int64_t first,
                                    std::int64_t count, std::int64_t ofBlock, const Progress& progress) {
  const WalkView walk = plan.view();
  std::vector<LineBatch> blocks((count + ofBlock - 1) / ofBlock);
  parallelForBlocks(count, ofBlock, {}, [&](std::int64_t begin, std::int64_t end) {
    progress.throwIfCancelled();
    withWay(plan, [&](auto way) {
      followBlock<decltype(way)>(walk, seeds, first + begin, first + end, blocks[begin / ofBlock]);
    });
  });
  return blocks;
}

}  // namespace

void followSeeds(const TractPlan& plan, const TakeBatch& take, const Progress& progress) {
  const std::int64_t most = seedsOfBatch(plan, kSeedsOfBatch);
  for (std::int64_t first = 0; first < plan.seeds.count; first += most) {
    const std::int64_t seeds = std::min(most, plan.seeds.count - first);
    for (const LineBatch& block : followBlocks(plan, plan.seeds, first, seeds, kSeedsOfBlock, progress))
      if (!take(block)) return;
    progress.update(double(first + seeds) / double(plan.seeds.count));
  }
}

HeldPlan holdPlan(const std::shared_ptr<const TractPlan>& plan) {
  return {[plan](const Seeds& seeds, std::int64_t first, std::int64_t count, const Progress& progress) {
            return followBlocks(*plan, seeds, first, count, kSeedsOfStep, progress);
          },
          2 * kSeedsOfStep, kSeedsOfBatch};
}

}  // namespace sulcus::tracts
