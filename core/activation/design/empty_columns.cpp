#include "core/activation/design/design.h"
#include "core/activation/design/names.h"
#include "core/base/error.h"
#include "core/math/linear_algebra.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace sulcus::activation {
namespace {

/// Orthonormal columns, starting with the constant, to which each further column adds its new part.
class Span {
 public:
  explicit Span(Eigen::Index rows) : basis_(Eigen::MatrixXd::Ones(rows, 1) / std::sqrt(double(rows))) {}

  /// The new part of a column, scaled to length 1; nullopt if it is at most kCollinear of the variation.
  std::optional<Eigen::VectorXd> newIn(const Eigen::VectorXd& column) const {
    const double size = column.norm();
    Eigen::VectorXd left = column.array() - column.mean();
    const double spread = left.norm();
    if (!(spread > kConstantColumn * size)) return {};
    for (int twice = 0; twice < 2; ++twice) left -= basis_ * (basis_.transpose() * left);
    if (!(left.norm() > kCollinear * spread)) return {};
    return left.normalized();
  }
  void add(const Eigen::VectorXd& unit) {
    basis_.conservativeResize(Eigen::NoChange, basis_.cols() + 1);
    basis_.rightCols(1) = unit;
  }

 private:
  Eigen::MatrixXd basis_;
};

/// Why a regressor carries no information; empty if it does.
std::string emptiness(const Eigen::VectorXd& column) {
  return column.isZero(0) ? "it is constant, 0 in every scan" : "";
}

template <class Value>
void keepOnly(std::vector<Value>& values, const std::vector<int>& kept) {
  std::vector<Value> left;
  for (const int c : kept)
    if (c < int(values.size())) left.push_back(std::move(values[c]));
  values = std::move(left);
}

/// Removes confounds that add nothing to earlier ones.
void dropConfounds(Design& design) {
  Span span(design.scans());
  std::vector<int> kept;
  std::vector<std::string> dropped;
  for (int c = 0; c < int(design.confounds.cols()); ++c) {
    if (const auto unit = span.newIn(design.confounds.col(c))) {
      span.add(*unit);
      kept.push_back(c);
    } else {
      dropped.push_back(design.confoundNames[c]);
    }
  }
  if (dropped.empty()) return;
  design.notes.push_back("Confounds that others explain, ignored: " + std::to_string(dropped.size()) + " (" +
                         listed(dropped) + ").");
  design.confounds = columnsOf(design.confounds, kept);
  keepOnly(design.confoundNames, kept);
}

}  // namespace

Design withoutEmptyColumns(Design design) {
  if (design.scans() == 0 || !design.matrix.allFinite() || !design.confounds.allFinite()) return design;
  dropConfounds(design);
  std::vector<int> kept{0}, to(std::size_t(design.regressors()), -1);
  to[0] = 0;
  for (int c = 1; c < design.regressors(); ++c) {
    const auto& name = design.names[c];
    const std::string why = emptiness(design.matrix.col(c));
    if (why.empty()) {
      to[c] = int(kept.size());
      kept.push_back(c);
      continue;
    }
    const auto& given = c < int(design.given.size()) ? design.given[c] : name;
    design.leftOut.push_back({int(kept.size()), name, given, why});
    design.notes.push_back("The regressor '" + name + "' is left out: " + why + ".");
  }
  if (int(kept.size()) == design.regressors()) return design;
  if (kept.size() == 1) {
    const auto& first = design.leftOut.front();
    throw Error("No regressor is left: '" + first.name + "' says nothing", first.why,
                "check the onsets, or give a column that varies");
  }
  design.matrix = columnsOf(design.matrix, kept);
  keepOnly(design.names, kept);
  keepOnly(design.given, kept);
  for (auto& response : design.responses) {
    for (int& column : response) column = to[column];
    std::erase(response, -1);
  }
  std::erase_if(design.responses, [](const auto& response) { return response.size() < 2; });
  return design;
}

}  // namespace sulcus::activation
