#include "core/registration/results/registration_agreement.h"

#include "core/base/error.h"

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

/// A result without displacement, on 8 × 8 × 8 voxels of 2 mm.
RegistrationResult still() {
  Grid grid;
  grid.size = {8, 8, 8};
  for (int i = 0; i < 3; ++i) grid.worldFromVoxel.m[i][i] = 2;
  RegistrationResult result;
  result.displacement = result.inverse = Series<float>(grid, 3);
  result.logJacobian = Volume<float>(grid);
  result.iterations = {
      {0, 0, 1, 0, 1, 1, 0, 0}, {0, 1, 0.5, 0, 0.5, 1, 0.5, 0}, {1, 0, 0.4, 0, 0.4, 1, 0, 0}};
  return result;
}

const AgreementRow& rowOf(const Comparison& comparison, const std::string& quantity) {
  for (const auto& row : comparison.rows)
    if (row.quantity.starts_with(quantity)) return row;
  throw std::runtime_error("no row " + quantity);
}

TEST(RegistrationAgreement, IsPerfectWithItself) {
  const auto comparison = compareRegistrations(still(), still());
  ASSERT_EQ(comparison.rows.size(), 5u);
  for (const auto& row : comparison.rows) {
    EXPECT_TRUE(row.agrees()) << row.quantity;
    EXPECT_EQ(row.maximum, 0) << row.quantity;
  }
  EXPECT_TRUE(comparison.worst.empty());
}

TEST(RegistrationAgreement, MeasuresDisplacementsInVoxels) {
  const auto a = still();
  auto b = still();
  b.displacement.at(b.displacement.grid.index(3, 4, 5), 1) = 0.018F;  // mm, which are 0.009 voxels
  EXPECT_TRUE(compareRegistrations(a, b).rows.front().agrees());
  b.displacement.at(b.displacement.grid.index(6, 2, 1), 2) = -0.06F;
  const auto comparison = compareRegistrations(a, b);
  EXPECT_FALSE(comparison.rows.front().agrees());
  EXPECT_NEAR(comparison.rows.front().maximum, 0.03, 1e-6);
  ASSERT_EQ(comparison.worst.size(), 2u);
  EXPECT_EQ(comparison.worst.front().voxel, (Vec3<int>{6, 2, 1}));
  ASSERT_TRUE(comparison.difference);
  const auto& map = *std::get<VolumeLayer>(comparison.difference->content).series;
  EXPECT_NEAR(map.at(map.grid.index(3, 4, 5), 0), 0.009, 1e-6);
}

TEST(RegistrationAgreement, HoldsEnergiesOfEachLevelsEndAgainstEachOther) {
  const auto a = still();
  auto b = still();
  b.iterations[1].energy = 0.5004;
  EXPECT_TRUE(rowOf(compareRegistrations(a, b), "energy").agrees());
  b.iterations[1].energy = 0.502;
  EXPECT_FALSE(rowOf(compareRegistrations(a, b), "energy").agrees());
  b.iterations[1].energy = 0.5;
  b.iterations[0].energy = 7;  // not the last iteration of its level
  EXPECT_TRUE(rowOf(compareRegistrations(a, b), "energy").agrees());
  b.iterations.pop_back();
  EXPECT_FALSE(rowOf(compareRegistrations(a, b), "energy").agrees()) << "a level is missing";
}

TEST(RegistrationAgreement, CountsVoxelsThatFoldInOneOnly) {
  const auto a = still();
  auto b = still();
  b.folds = Mask(b.displacement.grid);
  b.folds(1, 1, 1) = 1, b.foldedCells = 1;
  const auto comparison = compareRegistrations(a, b);
  EXPECT_DOUBLE_EQ(rowOf(comparison, "folded").shareWithin, 511.0 / 512);
  EXPECT_FALSE(rowOf(comparison, "folded").agrees());
  EXPECT_TRUE(rowOf(compareRegistrations(b, b), "folded").agrees());
}

TEST(RegistrationAgreement, RefusesOtherGrids) {
  auto moved = still();
  moved.displacement.grid.worldFromVoxel.t.x = 1;
  EXPECT_THROW(compareRegistrations(still(), moved), Error);
  EXPECT_THROW(compareRegistrationWithTruth(still(), moved.displacement, nullptr), Error);
}

TEST(RegistrationAgreement, MeasuresTheErrorInTheObjectOnly) {
  const auto result = still();
  Series<float> truth(result.displacement.grid, 3);
  Mask object(result.displacement.grid);
  for (int x = 0; x < 8; ++x) truth.at(object.grid.index(x, 0, 0), 0) = float(x);  // an error of x / 2 voxels
  for (int x = 0; x < 4; ++x) object(x, 0, 0) = 1;
  const auto rows = compareRegistrationWithTruth(result, truth, &object);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].compared, 4);
  EXPECT_DOUBLE_EQ(rows[0].mean, 0.75);
  EXPECT_DOUBLE_EQ(rows[0].maximum, 1.5);
  EXPECT_DOUBLE_EQ(rows[0].shareWithin, 0.75);
  EXPECT_FALSE(rows[0].agrees());
  EXPECT_EQ(compareRegistrationWithTruth(result, truth, nullptr)[0].compared, 512);
  object.values.assign(object.values.size(), 0);
  EXPECT_THROW(compareRegistrationWithTruth(result, truth, &object), Error);
}

}  // namespace
}  // namespace sulcus::registration
