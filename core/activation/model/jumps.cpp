#include "core/activation/model/jumps.h"

#include "core/activation/model/least_squares.h"
#include "core/activation/model/noise.h"
#include "core/activation/results/contrast_estimates.h"
#include "core/base/sentence.h"
#include "core/math/linear_algebra.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace sulcus::activation {
namespace {

constexpr std::int64_t kMostSeries = 4096;  // sampled voxels
constexpr int kFewestVoxels = 20;           // fewest voxels for a meaningful median
constexpr int kFewestFreedom = 10;          // scans beyond the design; with fewer, nothing stands out
constexpr int kMostRounds = 100;
constexpr double kFar = 5;              // s.d. of the median over the voxels
constexpr double kStillFar = 3;         // s.d. for each scan of a jump
constexpr int kLongestRun = 10;         // scans between two steps that are found together
constexpr double kLeast = 0.5;          // s.d. of a voxel: smaller jumps are harmless
constexpr double kWider = 1.5;          // times the spread around
constexpr double kWild = 10;            // s.d.: values are clamped to this in the spread
constexpr int kAround = 15;             // scans before and after
constexpr double kFreedomOfMad = 0.37;  // relative to the degrees of freedom of the variance
constexpr double kMostOut = 0.2;        // of the scans
constexpr double kLeastLeft = 0.1;      // of the square of a regressor

double median(std::vector<double> values) { return upperMedian(std::span(values)); }

double robustDeviation(const Eigen::VectorXd& x) {
  std::vector<double> away;
  for (const double value : x) away.push_back(std::abs(value));
  return kDeviationPerMedian * median(std::move(away));
}

/// For each scan the median and the logarithm of the spread of the residuals over the voxels, in units of
/// each voxel's s.d.
struct OverVoxels {
  Eigen::VectorXd median, spread;
};
OverVoxels overVoxels(SeriesRows y, const Eigen::MatrixXd& q) {
  const Eigen::Index n = y.rows();
  y -= q * (q.transpose() * y).eval();
  const double bias = std::sqrt(double(n) / double(n - q.cols()));
  Eigen::Index count = 0;
  for (Eigen::Index i = 0; i < y.cols(); ++i)
    if (const double sd = bias * robustDeviation(y.col(i)); sd > 0) y.col(count++) = y.col(i) / sd;
  OverVoxels of{Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n)};
  for (Eigen::Index t = 0; count > 0 && t < n; ++t) {
    const auto row = y.row(t).head(count);
    of.median(t) = median({row.begin(), row.end()});
    const double square = (row.array() - of.median(t)).cwiseAbs().cwiseMin(kWild).square().mean();
    of.spread(t) = std::log(std::max(square, 1e-12)) / 2;
  }
  return of;
}

/// Adds columns that each mark one of the scans to others.
Eigen::MatrixXd withPulses(const Eigen::MatrixXd& columns, const std::vector<int>& scans) {
  Eigen::MatrixXd with = Eigen::MatrixXd::Zero(columns.rows(), columns.cols() + std::ssize(scans));
  with.leftCols(columns.cols()) = columns;
  for (Eigen::Index i = 0; i < std::ssize(scans); ++i) with(scans[i], columns.cols() + i) = 1;
  return with;
}

/// A series and columns, whitened by the memory of the residuals of the series on the columns.
class Whitened {
 public:
  Whitened(const Eigen::VectorXd& series, const Eigen::MatrixXd& columns, const std::vector<Run>& runs,
           Noise noise)
      : runs_(runs), freedom_(double(series.size() - columns.cols())), filter_(Partials()) {
    const Eigen::MatrixXd q = thinQr(columns).q;
    Eigen::VectorXd rest = series - q * (q.transpose() * series);
    const double most = 4 * robustDeviation(rest);
    for (double& value : rest)
      if (std::abs(value) > most) value = 0;  // memory is estimated from the other scans
    filter_ = NoiseFilter(memoryOfSeries(rest, q, runs, noise).front());
    Eigen::MatrixXd whitened(columns.rows(), columns.cols());
    for (Eigen::Index j = 0; j < columns.cols(); ++j)
      whitened.col(j) = filter_.whitened(columns.col(j), runs);
    qr_ = thinQr(whitened);
    along_ = qr_.q.transpose() * filter_.whitened(series, runs);
    left_ = filter_.whitened(series, runs) - qr_.q * along_;
    sd_ = robustDeviation(left_) * std::sqrt(double(series.size()) / freedom_);
  }

  /// The deviation in s.d. of a step up and down again around `length` scans, starting at `scan`, if it is
  /// larger than kLeast, else 0.
  double further(const Run& run, int scan, int length) const {
    const int rows = std::min(length + kNoiseLags, run.end - scan);
    Eigen::VectorXd pulse = Eigen::VectorXd::Zero(rows);
    for (int t = 0; t < rows; ++t) {
      const auto m = std::size_t(std::min(scan + t - run.begin, kNoiseLags));
      for (int j = std::max(0, t - length + 1); j <= std::min(t, int(m)); ++j) pulse(t) += filter_.at[m][j];
    }
    const double square = pulse.squaredNorm(),
                 free = square - (qr_.q.middleRows(scan, rows).transpose() * pulse).squaredNorm();
    return free > 1e-3 * square ? deviate(pulse.dot(left_.segment(scan, rows)) / free, 1 / std::sqrt(free))
                                : 0;
  }
  /// Deviates of the last `count` columns, each of which marks a single scan.
  std::vector<double> last(Eigen::Index count) const {
    const Eigen::MatrixXd back = inverse(qr_.r);
    const Eigen::VectorXd sizes = back * along_;
    std::vector<double> deviates;
    for (Eigen::Index j = sizes.size() - count; j < sizes.size(); ++j)
      deviates.push_back(deviate(sizes(j), back.row(j).norm()));
    return deviates;
  }

 private:
  double deviate(double size, double error) const {
    if (!(std::abs(size) > kLeast) || !(sd_ > 0)) return 0;
    return std::abs(normalFromT(size / (error * sd_), kFreedomOfMad * freedom_));
  }

  const std::vector<Run>& runs_;
  double freedom_, sd_ = 0;
  NoiseFilter filter_;
  ThinQr qr_;
  Eigen::VectorXd along_, left_;
};

/// Adds what stands out beyond the jumps found so far; returns whether anything did.
bool addFarthest(const Eigen::VectorXd& series, const Eigen::MatrixXd& q, const std::vector<Run>& runs,
                 Noise noise, std::vector<int>& jumps) {
  const Eigen::MatrixXd columns = withPulses(q, jumps);
  if (columns.rows() - columns.cols() < kFewestFreedom) return false;
  const Whitened whitened(series, columns, runs, noise);
  struct Step {
    double far;
    int scan, length;
  };
  std::vector<Step> steps;
  for (const Run& run : runs)
    for (int t = run.begin; t < run.end; ++t)
      for (int length = 1; length <= std::min(kLongestRun, run.end - t); ++length)
        if (const double far = whitened.further(run, t, length); far >= kFar)
          steps.push_back({far, t, length});
  std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.far > b.far; });
  std::vector<std::uint8_t> near(series.size(), 0);  // next to a jump, others seem to jump, too
  for (const Step& step : steps) {
    const auto first = near.begin() + std::max(0, step.scan - kNoiseLags),
               last = near.begin() + std::min(int(near.size()), step.scan + step.length + kNoiseLags);
    if (step.far < steps.front().far / 2 || std::find(first, last, 1) != last) continue;
    std::fill(first, last, std::uint8_t(1));
    for (int i = 0; i < step.length; ++i)
      if (std::find(jumps.begin(), jumps.end(), step.scan + i) == jumps.end()) jumps.push_back(step.scan + i);
  }
  return !steps.empty();
}

/// The scans with a larger spread over voxels than the scans around them in the run.
std::vector<int> widerScans(const Eigen::VectorXd& spread, const std::vector<Run>& runs) {
  Eigen::VectorXd above(spread.size());
  for (const Run& run : runs)
    for (int t = run.begin; t < run.end; ++t) {
      const int first = std::max(run.begin, t - kAround), last = std::min(run.end, t + kAround + 1);
      above(t) = spread(t) - median({spread.begin() + first, spread.begin() + last});
    }
  const double sd = robustDeviation(above);
  std::vector<int> wider;
  for (int t = 0; t < int(above.size()); ++t)
    if (above(t) > kFar * sd && above(t) > std::log(kWider)) wider.push_back(t);
  return wider;
}

/// The smallest fraction of a regressor's square beyond the confounds that remains after adding pulses.
double leastLeft(const Design& design, const std::vector<int>& scans) {
  const auto squares = [](const Design& one) -> Eigen::VectorXd {
    return one.withoutConfounds(one.matrix).colwise().squaredNorm();
  };
  Design with = design;
  with.confounds = withPulses(design.confounds, scans);
  return squares(with).cwiseQuotient(squares(design)).minCoeff();
}

std::string listed(const std::vector<int>& scans) {
  std::string list;
  for (std::size_t i = 0; i < scans.size(); ++i) {
    std::size_t last = i;
    while (last + 1 < scans.size() && scans[last + 1] == scans[last] + 1) ++last;
    list += text(list.empty() ? "" : ", ", scans[i]);
    if (last > i) list += text(last > i + 1 ? "–" : ", ", scans[last]);
    i = last;
  }
  return list;
}

}  // namespace

std::vector<int> jumpsIn(const SeriesRows& responses, const Eigen::MatrixXd& q, const std::vector<Run>& runs,
                         Noise noise) {
  if (responses.rows() - q.cols() < kFewestFreedom || responses.cols() < kFewestVoxels) return {};
  const OverVoxels of = overVoxels(responses, q);
  const std::vector<int> wider = widerScans(of.spread, runs);
  std::vector<int> jumps = wider, found;
  const auto most = std::size_t(kMostOut * double(responses.rows()));
  for (int round = 0; round < kMostRounds && jumps.size() <= most; ++round)
    if (!addFarthest(of.median, q, runs, noise, jumps)) break;
  // Some only seemed to jump next to one that had not been found yet.
  const auto last = Whitened(of.median, withPulses(q, jumps), runs, noise).last(std::ssize(jumps));
  for (std::size_t i = 0; i < jumps.size(); ++i)
    if (i < wider.size() || last[i] >= kStillFar) found.push_back(jumps[i]);
  std::sort(found.begin(), found.end());
  return found;
}

void takeOutJumps(const Series<float>& bold, const ActivationOptions& options,
                  const std::vector<std::int64_t>& voxels, Design& design, Notes& notes,
                  const Progress& progress) {
  if (!options.jumps) return;
  const auto step = (std::int64_t(voxels.size()) + kMostSeries - 1) / kMostSeries;
  std::vector<std::int64_t> some;
  for (std::size_t i = 0; i < voxels.size(); i += std::size_t(step)) some.push_back(voxels[i]);
  const std::vector<Run> runs = design.runs();
  const SeriesRows responses = responsesOf(bold, runs, options.response, some, progress);
  const auto jumps = jumpsIn(responses, decompositionOf(design).q, runs, options.noise);
  if (jumps.empty()) return;
  const std::string what =
      text("The brightness of ", jumps.size() == 1 ? "volume " : "volumes ", listed(jumps),
           " (counted from 0), or its spread, jumps by more than noise explains");
  if (double(jumps.size()) > kMostOut * design.scans()) {
    notes.push_back(Note::warning(
        text("the brightness of more than a fifth of the volumes jumps by more than noise explains. None was "
             "excluded, and their common signal may be mistaken for effects: inspect the series, or exclude "
             "bad volumes with a table of confounds.")));
    return;
  }
  if (leastLeft(design, jumps) < kLeastLeft) {
    notes.push_back(Note::warning(what + ". They are kept, since almost nothing of one regressor would "
                                         "remain without them: its effect depends on them."));
    return;
  }
  notes.push_back(what + (jumps.size() == 1 ? ": it is excluded." : ": they are excluded.") +
                  " To keep them, turn jumps off.");
  design.confounds = withPulses(design.confounds, jumps);
  for (const int scan : jumps) design.confoundNames.push_back(text("jump_", scan));
}

}  // namespace sulcus::activation
