#include "core/preparation/motion_agreement.h"

#include "core/analysis/agreement.h"

#include <numbers>

namespace sulcus::preparation {

std::vector<AgreementRow> compareMotionWithTruth(const std::vector<Motion>& found,
                                                 const std::vector<Motion>& truth,
                                                 const Vec3<double>& center) {
  constexpr double kShift = 0.06, kTurn = 0.06, kShare = 0.95;  // mm and degrees, as tests of the engine
  if (found.empty() || found.size() != truth.size()) return {};
  std::vector<Affine> off;
  std::vector<Motion> motion;
  for (std::size_t v = 0; v < truth.size(); ++v) {
    off.push_back(volumeFromRest(truth[v], center).inverse() * volumeFromRest(found[v], center));
    motion.push_back(motionOf(off.back(), center));
  }
  const Affine back = volumeFromRest(meanMotion(motion), center).inverse();
  std::vector<double> shifts, turns;
  for (const Affine& one : off) {
    const Motion left = motionOf(one * back, center);
    shifts.push_back(norm(left.shift));
    turns.push_back(norm(left.turn) * 180 / std::numbers::pi);
  }
  return {summarized("shift of the head", "mm", std::move(shifts), 0, kShift, kShare),
          summarized("rotation of the head", "°", std::move(turns), 0, kTurn, kShare)};
}

}  // namespace sulcus::preparation
