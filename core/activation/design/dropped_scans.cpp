#include "core/activation/design/dropped_scans.h"

#include "core/activation/design/names.h"
#include "core/base/error.h"
#include "core/base/number_list.h"
#include "core/base/sentence.h"
#include "core/math/linear_algebra.h"

#include <algorithm>

namespace sulcus::activation {
namespace {

constexpr int kFewestLeft = 4;  // of a run

/// Which of the scans are already removed by the confounds.
std::vector<bool> takenOut(const Design& design, const std::set<int>& scans) {
  Eigen::MatrixXd columns(design.scans(), design.confounds.cols() + 1);
  columns << Eigen::VectorXd::Ones(design.scans()), design.confounds;
  const Eigen::MatrixXd q = thinQr(columns).q;
  std::vector<bool> taken;
  for (const int scan : scans) taken.push_back(takesOut(q, scan));
  return taken;
}

}  // namespace

Design withoutScans(Design design, const std::set<int>& scans) {
  if (scans.empty()) return design;
  for (const Run& run : design.runs()) {
    const auto dropped = std::distance(scans.lower_bound(run.begin), scans.lower_bound(run.end));
    const std::int64_t left = run.scans() - dropped;
    if (left < kFewestLeft)
      throw Error(
          text("Without the dropped volumes ", counted(left, "scan is", "scans are"), " left of a run"),
          text("at least ", kFewestLeft, " are needed"), "drop fewer, or raise the largest displacement",
          ErrorKind::usage);
  }
  const std::vector<bool> taken = takenOut(design, scans);
  std::size_t which = 0;
  for (const int scan : scans) {
    if (taken[which++]) continue;
    design.confoundNames.push_back(uniqueName(text("dropped_", scan), design.allNames()));
    design.confounds.conservativeResize(design.scans(), design.confounds.cols() + 1);
    design.confounds.rightCols(1).setZero();
    design.confounds(scan, design.confounds.cols() - 1) = 1;
  }
  design.notes.push_back(droppedNote(scans, design.scans()));
  return design;
}

std::shared_ptr<const Series<float>> withoutScans(std::shared_ptr<const Series<float>> bold,
                                                  const std::set<int>& scans, const std::vector<Run>& runs) {
  if (scans.empty()) return bold;
  auto filled = std::make_shared<Series<float>>(*bold);
  const auto voxels = std::ptrdiff_t(bold->grid.voxels());
  for (const int scan : scans) {
    const Run run = *std::ranges::find_if(runs, [&](const Run& r) { return scan < r.end; });
    int nearest = scan;
    for (int step = 1; scans.contains(nearest); ++step)
      for (const int other : {scan - step, scan + step})
        if (other >= run.begin && other < run.end && scans.contains(nearest) && !scans.contains(other))
          nearest = other;
    const auto from = bold->values.begin() + nearest * voxels;
    std::copy(from, from + voxels, filled->values.begin() + scan * voxels);
  }
  return filled;
}

}  // namespace sulcus::activation
