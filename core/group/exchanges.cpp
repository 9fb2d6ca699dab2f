#include "core/group/exchanges.h"

#include "core/base/error.h"
#include "core/math/linear_algebra.h"
#include "core/math/philox.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace sulcus::group {
namespace {

constexpr std::uint32_t kSignDraw = 1, kOrderDraw = 2;
constexpr double kNothing = 1e-9;  ///< what is left of a column of length 1 that depends on others

Eigen::MatrixXd matrixOf(const GroupDesign& design) {
  Eigen::MatrixXd x(design.people(), design.columns());
  for (int n = 0; n < design.people(); ++n)
    for (int c = 0; c < design.columns(); ++c) x(n, c) = design.rows[n][c];
  return x;
}

/// An orthonormal basis of the columns of `a`.
Eigen::MatrixXd spanOf(const Eigen::MatrixXd& a) {
  std::vector<Eigen::VectorXd> found;
  for (Eigen::Index c = 0; c < a.cols(); ++c) {
    Eigen::VectorXd rest = a.col(c);
    const double length = rest.norm();
    if (length == 0) continue;
    rest /= length;
    for (int pass = 0; pass < 2; ++pass)  // twice, for numerical accuracy
      for (const auto& one : found) rest -= one.dot(rest) * one;
    if (rest.norm() > kNothing) found.push_back(rest / rest.norm());
  }
  Eigen::MatrixXd q(a.rows(), std::ssize(found));
  for (std::size_t c = 0; c < found.size(); ++c) q.col(Eigen::Index(c)) = found[c];
  return q;
}

/// The number of distinct orders of a sequence with repeated elements.
double orderCount(const std::vector<int>& kinds) {
  std::map<int, int> counts;
  for (const int kind : kinds) ++counts[kind];
  double logOrders = std::lgamma(double(kinds.size()) + 1);
  for (const auto& [kind, count] : counts) logOrders -= std::lgamma(double(count) + 1);
  return std::round(std::exp(logOrders));
}

/// All distinct orders of a sequence, the given one first.
std::vector<std::vector<int>> allOrders(const std::vector<int>& kinds) {
  std::vector<int> next = kinds;
  std::sort(next.begin(), next.end());
  std::vector<std::vector<int>> orders;
  do orders.push_back(next);
  while (std::next_permutation(next.begin(), next.end()));
  std::iter_swap(orders.begin(), std::find(orders.begin(), orders.end(), kinds));
  return orders;
}

/// The kind of exchanges that fits an effect, if it is left open.
Exchange exchangeFor(Exchange kind, const Eigen::MatrixXd& effect) {
  const bool isConstant = effect.cols() == 1 && (effect.array() - effect(0, 0)).abs().maxCoeff() < kNothing;
  if (kind == Exchange::automatic) return isConstant ? Exchange::signs : Exchange::order;
  if (kind == Exchange::order && isConstant)
    throw Error("The order of people cannot be permuted for a mean", "it is the same in every order",
                "use {exchange} signs"_message, ErrorKind::usage);
  return kind;
}

/// The people of each block of a design, in the order of the numbers of the blocks.
std::vector<std::vector<int>> blocksOf(const GroupDesign& design) {
  std::map<int, std::vector<int>> blocks;
  for (int n = 0; n < design.people(); ++n) blocks[design.block.empty() ? 0 : design.block[n]].push_back(n);
  std::vector<std::vector<int>> people;
  for (auto& [number, ofBlock] : blocks) people.push_back(std::move(ofBlock));
  return people;
}

/// The unit of each person: the block if there are several, otherwise the person.
std::vector<int> unitsOf(const std::vector<std::vector<int>>& blocks, int people) {
  std::vector<int> units(people);
  std::iota(units.begin(), units.end(), 0);
  if (blocks.size() == 1) return units;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const int n : blocks[b]) units[n] = int(b);
  return units;
}

}  // namespace

ContrastModel contrastModel(const GroupDesign& design, const GroupContrast& contrast) {
  const Eigen::MatrixXd x = matrixOf(design);
  const Eigen::MatrixXd q = spanOf(x);
  ContrastModel model;
  model.freedom = double(x.rows() - q.cols());
  model.estimates.resize(x.rows(), std::ssize(contrast.rows));
  for (std::size_t r = 0; r < contrast.rows.size(); ++r) {
    const Eigen::VectorXd c = Eigen::Map<const Eigen::VectorXd>(contrast.rows[r].data(), x.cols());
    // The estimate is a·y with a in the span of X and X'a = c; without such an a, X does not determine c'β.
    const Eigen::VectorXd estimate = shortestLeastSquares(x.transpose(), c);
    if ((x.transpose() * estimate - c).norm() > 1e-6 * c.norm())
      throw Error("The contrast '" + contrast.name + "' cannot be estimated",
                  "it depends on linearly dependent columns of the design", "remove a covariate or a group");
    model.estimates.col(Eigen::Index(r)) = estimate;
  }
  if (model.freedom < 1)
    throw Error("The design has as many columns as there are people (" + std::to_string(x.rows()) + ")",
                "no degree of freedom is left for the variance between people",
                "remove covariates, or add people");
  model.effect = spanOf(model.estimates);
  Eigen::MatrixXd others(q.rows(), q.cols() + model.effect.cols());
  others << model.effect, q;
  model.nuisance = spanOf(others).rightCols(q.cols() - model.effect.cols());
  return model;
}

Exchanges::Exchanges(const GroupDesign& design, const ContrastModel& model, Exchange kind,
                     std::int64_t wanted, std::uint64_t seed)
    : model_(model),
      kind_(exchangeFor(kind, model.effect)),
      seed_(seed),
      blocks_(blocksOf(design)),
      unit_(unitsOf(blocks_, design.people())) {
  std::map<std::vector<double>, int> kinds;
  for (const auto& row : design.rows) rowKind_.push_back(kinds.emplace(row, int(kinds.size())).first->second);

  std::vector<std::vector<int>> kindsOfBlocks;
  for (const auto& block : blocks_) {
    auto& ofBlock = kindsOfBlocks.emplace_back();
    for (const int n : block) ofBlock.push_back(rowKind_[n]);
  }
  possible_ = 1;
  if (kind_ == Exchange::signs)
    possible_ = std::pow(2.0, blocks_.size() > 1 ? double(blocks_.size()) : double(design.people()));
  else
    for (const auto& ofBlock : kindsOfBlocks) possible_ *= orderCount(ofBlock);
  if (possible_ < 2)
    throw Error("There is nothing to permute", "all people of a block have the same row in the design",
                "omit {repeated}, or choose another contrast"_message);
  all_ = possible_ <= double(wanted);
  count_ = all_ ? std::int64_t(possible_) : wanted;
  if (all_ && kind_ == Exchange::order)
    for (const auto& ofBlock : kindsOfBlocks) orders_.push_back(allOrders(ofBlock));
}

bool Exchanges::isFlipped(std::int64_t exchange, int unit) const {
  if (exchange == 0) return false;
  if (all_) return exchange >> unit & 1;
  std::uint32_t words[4]{std::uint32_t(exchange), std::uint32_t(exchange >> 32), std::uint32_t(unit),
                         kSignDraw};
  philox(words, PhiloxKey(seed_));
  return words[0] & 1;
}

/// The order of an exchange: person n takes the row of order[n]. Exchange 0 is the identity.
std::vector<int> Exchanges::orderOf(std::int64_t exchange) const {
  std::vector<int> order(rowKind_.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t b = 0; b < blocks_.size() && exchange > 0; ++b) {
    const auto& block = blocks_[b];
    if (!all_) {
      shuffle(block, exchange, order);
      continue;
    }
    // The number of an exchange has a digit for each block.
    const auto base = std::ssize(orders_[b]);
    const auto& kinds = orders_[b][exchange % base];
    exchange /= base;
    std::map<int, std::vector<int>> people;  // people of each kind, the first one last
    for (auto n = block.rbegin(); n != block.rend(); ++n) people[rowKind_[*n]].push_back(*n);
    for (std::size_t i = 0; i < block.size(); ++i) {
      auto& alike = people[kinds[i]];
      order[block[i]] = alike.back();
      alike.pop_back();
    }
  }
  return order;
}

/// Shuffles the people of a block (Fisher and Yates).
void Exchanges::shuffle(const std::vector<int>& block, std::int64_t exchange, std::vector<int>& order) const {
  for (std::size_t i = block.size(); i > 1; --i) {
    std::uint32_t words[4]{std::uint32_t(exchange), std::uint32_t(exchange >> 32),
                           std::uint32_t(block[i - 1]), kOrderDraw};
    philox(words, PhiloxKey(seed_));
    const auto j = std::size_t((std::uint64_t(words[0]) * i) >> 32);
    std::swap(order[block[i - 1]], order[block[j]]);
  }
}

ExchangeWeights Exchanges::weights(std::int64_t first, int count) const {
  const auto people = std::size_t(model_.effect.rows());
  ExchangeWeights made;
  made.count = count;
  made.effects = int(model_.effect.cols());
  made.columns = made.effects + int(model_.nuisance.cols());
  made.values.reserve(std::size_t(count) * made.columns * people);
  for (std::int64_t e = first; e < first + count; ++e) {
    const std::vector<int> order = orderOf(kind_ == Exchange::order ? e : 0);
    std::vector<float> sign(people, 1);
    for (std::size_t n = 0; n < people && kind_ == Exchange::signs; ++n)
      if (isFlipped(e, unit_[n])) sign[n] = -1;
    for (const auto* columns : {&model_.effect, &model_.nuisance})
      for (const auto& column : columns->colwise())
        for (std::size_t n = 0; n < people; ++n) made.values.push_back(sign[n] * float(column[order[n]]));
  }
  return made;
}

}  // namespace sulcus::group
