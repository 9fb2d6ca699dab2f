#include "core/activation/design.h"
#include "core/activation/names.h"
#include "core/activation/noise.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/math/linear_algebra.h"

#include <algorithm>

namespace sulcus::activation {
namespace {

/// Index of a name, appended where it is new.
std::size_t indexOf(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return std::size_t(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

/// Says which effects a run lacks.
void noteMissing(const std::vector<Design>& runs, Design& all) {
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto begin = runs[r].names.begin() + 1, end = begin + runs[r].effects;
    std::vector<std::string> missing;
    for (int c = 1; c <= all.effects; ++c)
      if (const auto& name = all.names[std::size_t(c)]; std::find(begin, end, name) == end)
        missing.push_back(name);
    if (!missing.empty())
      all.notes.push_back(text("Run ", r + 1, " tells nothing of ", listed(missing), "."));
  }
}

}  // namespace

Design joinRuns(const std::vector<Design>& runs) {
  if (runs.size() == 1) return runs.front();
  Design all;
  all.names = {"intercept"};
  for (const Design& run : runs) {
    const int begin = all.joined.empty() ? 0 : all.joined.back().end;
    all.joined.push_back({begin, begin + run.scans()});
    if (run.scans() <= kNoiseLags)
      throw Error(text("Run ", all.joined.size(), " has ", run.scans(), " scans"),
                  text("at least ", kNoiseLags + 1, " are needed"), "leave that run out");
    for (int c = 1; c <= run.effects; ++c) indexOf(all.names, run.names[std::size_t(c)]);
  }
  all.effects = int(all.names.size()) - 1;
  const int scans = all.joined.back().end;
  all.matrix = Eigen::MatrixXd::Zero(scans, 1 + all.effects);
  all.matrix.col(0).setOnes();
  const auto addOfRun = [&](const Run& run, const Eigen::VectorXd& column, const std::string& name) {
    all.names.push_back(uniqueName(name, all.names));
    all.matrix.conservativeResize(Eigen::NoChange, all.matrix.cols() + 1);
    all.matrix.rightCols(1).setZero();
    all.matrix.rightCols(1).middleRows(run.begin, run.scans()) = column;
  };
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const Design& design = runs[r];
    const Run run = all.joined[r];
    const std::string ending = text("_run", r + 1);
    std::vector<int> to{0};  // the column that each one has become
    for (int c = 1; c < design.regressors(); ++c) {
      if (c <= design.effects) {
        to.push_back(int(indexOf(all.names, design.names[std::size_t(c)])));
        all.matrix.col(to.back()).segment(run.begin, run.scans()) = design.matrix.col(c);
      } else {
        to.push_back(all.regressors());
        addOfRun(run, design.matrix.col(c), design.names[std::size_t(c)] + ending);
      }
    }
    // The intercept is the first run's; of the others there is the difference from it.
    if (r > 0) all.intercepts.push_back(all.regressors());
    if (r > 0) addOfRun(run, Eigen::VectorXd::Ones(run.scans()), "intercept" + ending);
    for (const auto& response : design.responses) {
      std::vector<int> columns;
      for (const int c : response) columns.push_back(to[std::size_t(c)]);
      if (std::find(all.responses.begin(), all.responses.end(), columns) == all.responses.end())
        all.responses.push_back(std::move(columns));
    }
    for (const auto& note : design.notes) all.notes.push_back(text("Run ", r + 1, ": ", note));
  }
  noteMissing(runs, all);
  all.notes.push_back(
      text(runs.size(),
           " runs in one model: effects are the same in all of them; intercept, confounds and drift "
           "are each run's own, variance and memory of a voxel's noise are the same."));
  return all;
}

Eigen::MatrixXd centringOf(const Design& design) {
  const int k = design.regressors();
  const auto isIntercept = [&](int column) {
    return std::find(design.intercepts.begin(), design.intercepts.end(), column) != design.intercepts.end();
  };
  // X = X_c + J A with J the intercepts: their coefficients are those of J plus A times the others'.
  Eigen::MatrixXd j(design.scans(), Eigen::Index(design.intercepts.size())), others = design.matrix;
  for (std::size_t i = 0; i < design.intercepts.size(); ++i)
    j.col(Eigen::Index(i)) = design.matrix.col(design.intercepts[i]);
  for (int c = 0; c < k; ++c)
    if (isIntercept(c)) others.col(c).setZero();
  const Eigen::MatrixXd a =
      solvePositiveDefinite(Eigen::MatrixXd(j.transpose() * j), Eigen::MatrixXd(j.transpose() * others));
  Eigen::MatrixXd t = Eigen::MatrixXd::Identity(k, k);
  for (std::size_t i = 0; i < design.intercepts.size(); ++i)
    t.row(design.intercepts[i]) += a.row(Eigen::Index(i));
  return t;
}

}  // namespace sulcus::activation
