#include "core/fibers/models/shells.h"

#include "core/base/error.h"
#include "core/base/number_list.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/base/word_list.h"
#include "core/fibers/fibers.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sulcus::fibers {
namespace {

constexpr double kWidestGap = 100, kGapShare = 0.02;       // within a shell
constexpr double kWidestShell = 200, kShareOfWidth = 0.1;  // between its smallest and largest b
// For b-values that are not shells; neighbors with few volumes are joined up to this width.
constexpr double kGapOfSeries = 20, kWidthOfSeries = 100;
constexpr std::size_t kFewOfSeries = 3;
constexpr double kAskedTolerance = 100, kAskedShare = 0.1;  // for --shells
constexpr double kGridTolerance = 0.06;                     // for multiples of the smallest b

using Volumes = std::vector<int>;

/// Splits volumes, in ascending order of b, where `isNew(b before, b)`.
template <class IsNew>
std::vector<Volumes> parted(const GradientTable& table, const Volumes& volumes, IsNew isNew) {
  const auto b = [&](int v) { return table.rows[v].b; };
  std::vector<Volumes> parts;
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    if (i == 0 || isNew(b(volumes[i - 1]), b(volumes[i]))) parts.emplace_back();
    parts.back().push_back(volumes[i]);
  }
  return parts;
}

/// "1000 (64 directions) and 2500 s/mm² (12 directions)".
std::string shellsText(std::span<const Shell> shells) {
  if (shells.empty()) return "none besides b = 0";
  std::vector<std::string> words;
  for (const Shell& shell : shells)
    words.push_back(text(std::lround(shell.b), &shell == &shells.back() ? " s/mm² (" : " (",
                         shell.volumes.size(), " directions)"));
  return wordList(words);
}

/// The shells nearest to the requested b-values.
std::vector<Shell> chosenShells(const std::vector<Shell>& all, const std::string& list) {
  std::set<std::size_t> chosen;
  for (const double b : numbersIn(list, "shells", "1000,2000")) {
    if (b == 0) continue;  // always used
    const auto nearest = std::ranges::min_element(all, {}, [&](const Shell& s) { return std::abs(s.b - b); });
    if (nearest == all.end() || std::abs(nearest->b - b) > std::max(kAskedTolerance, kAskedShare * b))
      throw Error(text("The scan has no shell of b = ", numberText(b), " s/mm²"), "it has " + shellsText(all),
                  "take b-values of these for {shells}"_message, ErrorKind::usage);
    chosen.insert(std::size_t(nearest - all.begin()));
  }
  std::vector<Shell> shells;
  shells.reserve(chosen.size());
  for (const std::size_t i : chosen) shells.push_back(all[i]);
  return shells.empty() ? all : shells;
}

}  // namespace

std::vector<Shell> shells(const GradientTable& table, std::span<const int> volumes) {
  const auto b = [&](int v) { return table.rows[v].b; };
  Volumes sorted(volumes.begin(), volumes.end());
  std::ranges::stable_sort(sorted, {}, b);
  std::vector<Volumes> found;
  for (auto& shell : parted(table, sorted, [](double before, double b) {
         return b - before > std::max(kWidestGap, kGapShare * b);
       })) {
    const double width = b(shell.back()) - b(shell.front());
    if (width <= std::max(kWidestShell, kShareOfWidth * b(shell.back()))) {
      found.push_back(std::move(shell));
      continue;
    }
    const auto first = found.size();  // start of the series
    for (auto& part :
         parted(table, shell, [](double before, double b) { return b - before > kGapOfSeries; })) {
      const bool isFew = found.size() > first && std::min(found.back().size(), part.size()) < kFewOfSeries;
      if (isFew && b(part.back()) - b(found.back().front()) <=
                       std::max(kWidthOfSeries, kShareOfWidth * b(part.back())))
        found.back().insert(found.back().end(), part.begin(), part.end());
      else
        found.push_back(std::move(part));
    }
  }
  std::vector<Shell> shells;
  for (auto& shell : found) {
    double sum = 0;
    for (const int v : shell) sum += b(v);
    std::ranges::sort(shell);
    shells.push_back({sum / double(shell.size()), std::move(shell)});
  }
  return shells;
}

std::vector<Shell> shells(const GradientTable& table) { return shells(table, weightedVolumes(table)); }

ScanVolumes scanVolumes(const GradientTable& table, const FiberOptions& options) {
  const auto dropped = droppedVolumes(options.dropVolumes, int(table.rows.size()));
  const double threshold = options.b0Threshold > 0 ? options.b0Threshold : b0Threshold(table);
  ScanVolumes scan;
  double sum = 0;
  for (int v = 0; v < int(table.rows.size()); ++v) {
    if (dropped.contains(v)) continue;
    const double b = table.rows[v].b;
    const bool isWeighted = b >= threshold;
    (isWeighted ? scan.weighted : scan.unweighted).push_back(v);
    if (!isWeighted) sum += b;
  }
  if (threshold > kB0Threshold && !scan.unweighted.empty())
    scan.baseline = sum / double(scan.unweighted.size());
  const auto all = shells(table, scan.weighted);
  scan.shells = chosenShells(all, options.shells);
  if (scan.shells.size() < all.size()) {
    scan.weighted.clear();
    for (const auto& shell : scan.shells)
      scan.weighted.insert(scan.weighted.end(), shell.volumes.begin(), shell.volumes.end());
    std::ranges::sort(scan.weighted);
    scan.note = "Of the shells, " + shellsText(all) + ", those of b = " + shellsText(scan.shells) +
                " were asked for. ";
  }
  if (scan.baseline > 0)
    scan.note += text("Volumes below b = ", numberText(threshold),
                      " s/mm² count as unweighted; their mean b is ", numberText(scan.baseline), ". ");
  if (!dropped.empty()) scan.note += droppedNote(dropped, int(table.rows.size())) + " ";
  if (!scan.note.empty()) scan.note.pop_back();
  return scan;
}

bool areOnGrid(std::span<const Shell> shells) {
  if (shells.empty()) return false;
  // The smallest b may correspond to one, two or three steps.
  for (int steps = 1; steps <= 3; ++steps) {
    const double unit = shells.front().b / steps;
    if (std::ranges::all_of(shells, [&](const Shell& s) {
          return std::abs(s.b / unit - std::round(s.b / unit)) < kGridTolerance * std::sqrt(s.b / unit);
        }))
      return true;
  }
  return false;
}

}  // namespace sulcus::fibers
