#include "core/group/exchanges.h"

#include "tests/support/expect_error.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace sulcus::group {
namespace {

using test::expectError;

GroupContrast only(const std::string& text, const std::vector<std::string>& names) {
  const auto contrast = activation::parseContrasts(text, activation::Regressors(names)).front();
  return {contrast.name, {contrast.weights}};
}

GroupDesign twoGroups(int first, int second) {
  GroupDesign design;
  design.names = {"a", "b"};
  for (int n = 0; n < first + second; ++n)
    design.rows.push_back(n < first ? std::vector<double>{1, 0} : std::vector<double>{0, 1});
  design.contrasts = {only("a - b", design.names)};
  return design;
}

GroupDesign oneGroup(int people) {
  GroupDesign design;
  design.names = {"mean"};
  design.rows.assign(std::size_t(people), {1});
  design.contrasts = {only("mean", design.names)};
  return design;
}

/// The weights of all exchanges.
std::set<std::vector<float>> allOf(const Exchanges& exchanges) {
  std::set<std::vector<float>> all;
  for (std::int64_t e = 0; e < exchanges.count(); ++e) all.insert(exchanges.weights(e, 1).values);
  return all;
}

TEST(Exchanges, AreEachGivenOnceWhereThereAreFew) {
  const GroupDesign mean = oneGroup(6);
  const ContrastModel meanModel = contrastModel(mean, mean.contrasts[0]);
  const Exchanges signs(mean, meanModel, Exchange::automatic, 1000, 1);
  EXPECT_EQ(signs.kind(), Exchange::signs);
  EXPECT_EQ(signs.count(), 64);
  EXPECT_EQ(allOf(signs).size(), 64u);

  const GroupDesign groups = twoGroups(3, 4);
  const ContrastModel model = contrastModel(groups, groups.contrasts[0]);
  const Exchanges orders(groups, model, Exchange::automatic, 1000, 1);
  EXPECT_EQ(orders.kind(), Exchange::order);
  EXPECT_EQ(orders.count(), 35) << "7 over 3";
  EXPECT_EQ(allOf(orders).size(), 35u);
  const auto given = orders.weights(0, 1).values;
  for (int n = 0; n < 7; ++n) EXPECT_FLOAT_EQ(given[std::size_t(n)], float(model.effect(n, 0)));
}

TEST(Exchanges, AreTheSameByNumberWhoeverAsks) {
  const GroupDesign groups = twoGroups(20, 20);
  const ContrastModel model = contrastModel(groups, groups.contrasts[0]);
  const Exchanges orders(groups, model, Exchange::automatic, 1000, 7);
  EXPECT_EQ(orders.count(), 1000);
  const auto together = orders.weights(10, 4);
  const auto alone = orders.weights(12, 1);
  const std::size_t length = alone.values.size();
  EXPECT_EQ(std::vector<float>(together.values.begin() + std::ptrdiff_t(2 * length),
                               together.values.begin() + std::ptrdiff_t(3 * length)),
            alone.values);
  EXPECT_GT(allOf(orders).size(), 990u) << "random";
}

TEST(Exchanges, StayWithinPeopleWhoWereMeasuredRepeatedly) {
  GroupDesign pairs = twoGroups(4, 4);
  pairs.block = {0, 1, 2, 3, 0, 1, 2, 3};
  for (int p = 1; p < 4; ++p) {
    pairs.names.push_back("p" + std::to_string(p));
    for (std::size_t n = 0; n < 8; ++n) pairs.rows[n].push_back(pairs.block[n] == p);
  }
  const GroupContrast contrast = only("a - b", pairs.names);
  const ContrastModel model = contrastModel(pairs, contrast);
  EXPECT_EQ(model.freedom, 3) << "of four differences";
  const Exchanges orders(pairs, model, Exchange::automatic, 1000, 1);
  EXPECT_EQ(orders.count(), 16) << "each pair is turned or not";
  for (const auto& weights : allOf(orders))
    for (std::size_t n = 0; n < 4; ++n) EXPECT_FLOAT_EQ(weights[n], -weights[n + 4]);
}

TEST(Exchanges, RefuseWhatCannotBeExchanged) {
  const GroupDesign mean = oneGroup(6);
  const ContrastModel model = contrastModel(mean, mean.contrasts[0]);
  expectError([&] { Exchanges(mean, model, Exchange::order, 100, 1); }, {"cannot be exchanged for a mean"},
              ErrorKind::usage);
  GroupDesign same = twoGroups(3, 3);
  for (auto& row : same.rows) row.push_back(row[0]);
  same.names.push_back("c");
  const GroupContrast contrast = only("c", same.names);
  expectError([&] { contrastModel(same, contrast); }, {"'c' cannot be estimated"});
  GroupDesign full = oneGroup(2);
  full.names.push_back("x");
  full.rows[0].push_back(1), full.rows[1].push_back(-1);
  expectError([&] { contrastModel(full, only("x", full.names)); }, {"as many columns as there are people"});
}

}  // namespace
}  // namespace sulcus::group
