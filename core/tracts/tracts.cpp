#include "core/tracts/tracts.h"

#include "core/base/numbers.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/stage_clock.h"
#include "core/tracts/tract_plan.h"

#include <algorithm>

namespace sulcus::tracts {
namespace {

/// Batches in the order of the seeds, until as many lines as are wanted are kept.
class LineCollector {
 public:
  explicit LineCollector(std::int64_t wanted) : wanted_(wanted) {}

  bool take(LineBatch&& batch) {
    std::size_t points = 0, tried = 0;
    for (const LineRecord& record : batch.records) {
      if (isFull()) break;
      ++tried;
      ++counts_.seeds;
      ++counts_.verdicts[std::size_t(record.verdict)];
      if (record.verdict != Verdict::kept) continue;
      for (const Ending ending : record.ends) ++counts_.endings[std::size_t(ending)];
      points += std::size_t(record.points);
    }
    batch.records.resize(tried);
    batch.points.resize(points);
    points_ += points;
    batches_.push_back(std::move(batch));
    return !isFull();
  }

  /// All lines, one behind the other; the batches are let go of as they are copied.
  Tracts lines() {
    Tracts tracts;
    tracts.points.reserve(points_);
    tracts.first.reserve(std::size_t(counts_.kept()) + 1);
    for (LineBatch& batch : batches_) {
      tracts.points.insert(tracts.points.end(), batch.points.begin(), batch.points.end());
      for (const LineRecord& record : batch.records)
        if (record.verdict == Verdict::kept)
          tracts.first.push_back(tracts.first.back() + std::uint64_t(record.points));
      batch = {};
    }
    return tracts;
  }
  const TractCounts& counts() const { return counts_; }

 private:
  bool isFull() const { return wanted_ > 0 && counts_.kept() >= wanted_; }

  std::int64_t wanted_;
  std::vector<LineBatch> batches_;
  std::size_t points_ = 0;
  TractCounts counts_;
};

}  // namespace

TractResult findTractsWith(FollowSeeds& follow, const TractInput& input, const TractOptions& options,
                           const Progress& progress) {
  StageClock clock;
  const TractPlan plan = planTracts(input, options, progress.part(0, 0.1, "Directions"));
  clock.finish("Directions");
  LineCollector collector(plan.linesWanted);
  const Progress lines = progress.part(0.1, 0.95, "Lines");
  follow(
      plan,
      [&](LineBatch&& batch) {
        const bool on = collector.take(std::move(batch));
        if (plan.linesWanted) lines.update(double(collector.counts().kept()) / double(plan.linesWanted));
        return on;
      },
      plan.linesWanted ? progress.part(0.1, 0.1, "Lines") : lines);
  clock.finish("Lines");
  TractResult result;
  result.tracts = std::make_shared<const Tracts>(collector.lines());
  result.counts = collector.counts();
  result.method = plan.method;
  result.grid = plan.grid;
  result.step = plan.step;
  result.angle = plan.angle;
  result.cutoff = plan.cutoff;
  clock.finish("Joining");
  result.stages = clock.stages();
  return result;
}

TractResult findTracts(const TractInput& input, const TractOptions& options, const Progress& progress) {
  return findTractsWith(followSeeds, input, options, progress);
}

}  // namespace sulcus::tracts
