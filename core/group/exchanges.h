#pragma once

#include "core/group/group.h"

#include <Eigen/Core>

namespace sulcus::group {

/// The design as one contrast sees it (Winkler et al., NeuroImage 92 (2014) 381): orthonormal columns for the
/// contrast, and orthonormal columns for the rest of the design (nuisance), orthogonal to them.
struct ContrastModel {
  Eigen::MatrixXd effect;     ///< people × rows of the contrast: one, or those that are tested together
  Eigen::MatrixXd nuisance;   ///< people × (rank of X − columns of `effect`)
  Eigen::MatrixXd estimates;  ///< people × rows: c'β = estimate · y of each
  double freedom = 0;
};

/// @throws Error  if X does not determine the contrast, or no degree of freedom is left
ContrastModel contrastModel(const GroupDesign& design, const GroupContrast& contrast);

/// Sign flips or orders of people by number. Number 0 changes nothing; the same number gives the same
/// exchange on every thread and device. If there are no more than requested, each occurs once.
class Exchanges {
 public:
  /// @throws Error  if sign flips or orders do not fit the contrast, or if there is only one
  Exchanges(const GroupDesign& design, const ContrastModel& model, Exchange kind, std::int64_t wanted,
            std::uint64_t seed);

  Exchange kind() const { return kind_; }
  std::int64_t count() const { return count_; }
  double possible() const { return possible_; }
  /// The weights of exchanges first, first + 1, ….
  ExchangeWeights weights(std::int64_t first, int count) const;

 private:
  std::vector<int> orderOf(std::int64_t exchange) const;
  void shuffle(const std::vector<int>& block, std::int64_t exchange, std::vector<int>& order) const;
  bool isFlipped(std::int64_t exchange, int unit) const;

  const ContrastModel& model_;
  Exchange kind_ = Exchange::signs;
  std::uint64_t seed_ = 1;
  std::vector<std::vector<int>> blocks_;  ///< people of each
  std::vector<int> unit_;                 ///< of each person; the signs of a unit are flipped together
  std::vector<int> rowKind_;              ///< people with equal rows of X have the same number
  /// Every order of each block, as kinds, if each is used once.
  std::vector<std::vector<std::vector<int>>> orders_;
  double possible_ = 0;
  std::int64_t count_ = 0;
  bool all_ = false;  ///< every possible exchange is used once
};

}  // namespace sulcus::group
