#include "core/tracts/tracts.h"

#include "core/base/numbers.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/stage_clock.h"
#include "core/tracts/line_batch.h"
#include "core/tracts/line_weights.h"
#include "core/tracts/tract_plan.h"

#include <algorithm>
#include <span>

namespace sulcus::tracts {
namespace {

constexpr std::size_t kPointsOfPart = 4'000'000;  // that are handed over together

/// Collects batches in the order of the seeds, until as many lines as wanted are kept.
class LineCollector {
 public:
  LineCollector(std::int64_t wanted, const LineOverflow& overflow) : wanted_(wanted), overflow_(overflow) {}

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
    if (overflow_.take && points_ > (flows_ ? kPointsOfPart : overflow_.points)) handOver();
    return !isFull();
  }

  /// All lines; null if they were handed over.
  std::shared_ptr<Tracts> finish() {
    if (!flows_) return std::make_shared<Tracts>(joined(0, batches_.size()));
    handOver();
    return nullptr;
  }
  const TractCounts& counts() const { return counts_; }

 private:
  bool isFull() const { return wanted_ > 0 && counts_.kept() >= wanted_; }

  /// One part after another, so that no second copy of all lines is needed.
  void handOver() {
    flows_ = true;
    for (std::size_t from = 0, to = 0; from < batches_.size(); from = to) {
      for (std::size_t points = 0; to < batches_.size() && points < kPointsOfPart; ++to)
        points += batches_[to].points.size();
      overflow_.take(joined(from, to));
    }
    batches_.clear();
    points_ = 0;
  }

  /// The lines of some batches, concatenated; each batch is freed as it is copied.
  Tracts joined(std::size_t from, std::size_t to) {
    Tracts tracts;
    const std::span batches(batches_.data() + from, to - from);
    std::size_t points = 0, lines = 0;
    for (const LineBatch& batch : batches) points += batch.points.size(), lines += batch.records.size();
    tracts.points.reserve(points);
    tracts.first.reserve(lines + 1);
    for (LineBatch& batch : batches) {
      addLines(batch, tracts);
      batch = {};
    }
    return tracts;
  }

  std::int64_t wanted_;
  const LineOverflow& overflow_;
  bool flows_ = false;
  std::vector<LineBatch> batches_;
  std::size_t points_ = 0;
  TractCounts counts_;
};

void addWeights(FitWeights& fit, const TractPlan& plan, Tracts& tracts, TractResult& result,
                const Progress& progress) {
  const WeightProblem problem =
      weightProblemOf(tracts, plan, fixelsOf(plan, progress), progress.part(0, 0.2, ""));
  result.misfitBefore = misfitOf(problem, {});
  std::vector<float> weights = fit(problem, kWeightRounds, progress.part(0.2, 1, ""));
  result.misfitAfter = misfitOf(problem, weights);
  tracts.perLine.push_back({kWeightName, 1, std::move(weights)});
}

}  // namespace

TractResult findTractsWith(FollowSeeds& follow, FitWeights& fit, const TractInput& input,
                           const TractOptions& options, const Progress& progress) {
  StageClock clock;
  const TractPlan plan = planTracts(input, options, progress.part(0, 0.1, "Directions"));
  clock.finish("Directions");
  LineCollector collector(plan.linesWanted, input.overflow);
  const double linesEnd = options.weights ? 0.5 : 0.95;
  const Progress lines = progress.part(0.1, linesEnd, "Lines");
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
  const auto tracts = collector.finish();
  if (options.weights && tracts) {
    clock.finish("Joining");
    addWeights(fit, plan, *tracts, result, progress.part(linesEnd, 0.95, "Weights"));
    clock.finish("Weights");
  }
  result.tracts = tracts;
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
  return findTractsWith(followSeeds, fitWeights, input, options, progress);
}

}  // namespace sulcus::tracts
