#include "core/tracts/tracts.h"

#include "core/base/numbers.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/stage_clock.h"
#include "core/tracts/line_batch.h"
#include "core/tracts/line_weights.h"
#include "core/tracts/tract_plan.h"

#include <algorithm>

namespace sulcus::tracts {
namespace {

constexpr std::size_t kPointsOfPart = 4'000'000;  // at least, that are handed over together

/// Collects lines in the order of their seeds, until as many as wanted are kept.
class LineCollector {
 public:
  LineCollector(std::int64_t wanted, const LineOverflow& overflow) : wanted_(wanted), overflow_(overflow) {}

  bool take(const LineBatchView& all) {
    const LineBatchView batch = upTo(wanted_, counts_.kept(), all);
    for (const LineRecord& record : batch.records) {
      ++counts_.verdicts[std::size_t(record.verdict)];
      if (record.verdict != Verdict::kept) continue;
      for (const Ending ending : record.ends) ++counts_.endings[std::size_t(ending)];
    }
    counts_.seeds += std::int64_t(batch.records.size());
    if (parts_.empty() || parts_.back().points.size() >= kPointsOfPart) parts_.emplace_back();
    addLines(batch, parts_.back());
    points_ += batch.points.size();
    if (overflow_.take && points_ > (flows_ ? kPointsOfPart : overflow_.points)) handOver();
    return wanted_ == 0 || counts_.kept() < wanted_;
  }

  /// All lines; null if they were handed over.
  std::shared_ptr<Tracts> finish() {
    if (flows_) {
      handOver();
      return nullptr;
    }
    auto tracts = std::make_shared<Tracts>();
    tracts->points.reserve(points_);
    tracts->first.reserve(std::size_t(counts_.kept()) + 1);
    for (Tracts& part : parts_) {
      const std::uint64_t before = tracts->points.size();
      tracts->points.insert(tracts->points.end(), part.points.begin(), part.points.end());
      for (std::size_t i = 1; i < part.first.size(); ++i) tracts->first.push_back(before + part.first[i]);
      part = {};  // so that there is never a second copy of all lines
    }
    return tracts;
  }
  const TractCounts& counts() const { return counts_; }

 private:
  void handOver() {
    flows_ = true;
    for (const Tracts& part : parts_)
      if (part.lines() > 0) overflow_.take(part);
    parts_.resize(1);  // whose memory the next part takes
    parts_.front().points.clear();
    parts_.front().first.assign(1, 0);
    points_ = 0;
  }

  std::int64_t wanted_;
  const LineOverflow& overflow_;
  bool flows_ = false;
  std::vector<Tracts> parts_;
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
      [&](const LineBatchView& batch) {
        const bool on = collector.take(batch);
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
