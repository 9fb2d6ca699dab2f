#include "core/preparation/motion_agreement.h"

#include <numbers>

#include <gtest/gtest.h>

namespace sulcus::preparation {
namespace {

const Vec3<double> kCenter{3, -5, 20};

TEST(MotionAgreement, CountsNoCommonOffset) {
  const std::vector<Motion> truth{{}, {{1, 0, 0}, {0.02, 0, 0}}, {{0, -2, 1}, {0, 0.01, -0.03}}};
  const Affine elsewhere = volumeFromRest({{4, -2, 1}, {0.05, 0, 0.02}}, kCenter);
  std::vector<Motion> found;
  for (const Motion& one : truth)
    found.push_back(motionOf(volumeFromRest(one, kCenter) * elsewhere, kCenter));
  const auto rows = compareMotionWithTruth(found, truth, kCenter);
  ASSERT_EQ(rows.size(), 2u);
  for (const AgreementRow& row : rows) {
    EXPECT_LT(row.maximum, 1e-3) << row.quantity;
    EXPECT_TRUE(row.agrees());
  }
}

TEST(MotionAgreement, SaysHowFarAVolumeIsOff) {
  std::vector<Motion> truth(10), found(10);
  found[3].shift.x = 1;
  found[3].turn.z = std::numbers::pi / 180;
  const auto rows = compareMotionWithTruth(found, truth, kCenter);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NEAR(rows[0].maximum, 0.9, 0.02);
  EXPECT_NEAR(rows[1].maximum, 0.9, 0.02);
  EXPECT_FALSE(rows[0].agrees());
}

TEST(MotionAgreement, IsNoneForAnotherNumberOfVolumes) {
  EXPECT_TRUE(compareMotionWithTruth(std::vector<Motion>(3), std::vector<Motion>(4), kCenter).empty());
  EXPECT_TRUE(compareMotionWithTruth({}, {}, kCenter).empty());
}

}  // namespace
}  // namespace sulcus::preparation
