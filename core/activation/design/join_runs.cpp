#include "core/activation/design/design.h"
#include "core/activation/design/names.h"
#include "core/activation/model/noise.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/math/linear_algebra.h"

#include <algorithm>

namespace sulcus::activation {
namespace {

/// Index of a name, which is appended if new.
std::size_t indexOf(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return std::size_t(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

/// Names and given names of all runs' regressors, in the order of the runs, with those that no run has left
/// out at their original positions.
void nameEffects(const std::vector<Design>& runs, Design& all) {
  all.given = {"intercept"};
  std::vector<Design::LeftOut> missing;
  for (const Design& run : runs) {
    all.ofEvents = all.ofEvents || run.ofEvents;
    std::size_t left = 0;
    const auto addLeft = [&](std::size_t until) {
      for (; left < run.leftOut.size() && run.leftOut[left].before <= int(until); ++left) {
        const auto& one = run.leftOut[left];
        if (indexOf(all.names, one.name) < all.given.size()) continue;
        all.given.push_back(one.given);
        missing.push_back(one);
      }
    };
    for (std::size_t r = 0; r < run.names.size(); ++r) {
      addLeft(r);
      if (indexOf(all.names, run.names[r]) == all.given.size())
        all.given.push_back(r < run.given.size() ? run.given[r] : run.names[r]);
    }
    addLeft(run.names.size());
  }
  const auto has = [&](const Design& run, const std::string& name) {
    return std::find(run.names.begin(), run.names.end(), name) != run.names.end();
  };
  for (auto& one : missing) {
    if (std::any_of(runs.begin(), runs.end(), [&](const Design& run) { return has(run, one.name); }))
      continue;
    const auto at = std::ptrdiff_t(indexOf(all.names, one.name));
    all.names.erase(all.names.begin() + at);
    all.given.erase(all.given.begin() + at);
    one.before = int(at);
    all.leftOut.push_back(one);
  }
}

/// Adds notes on the effects that a run lacks.
void noteMissing(const std::vector<Design>& runs, Design& all) {
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto& told = runs[r].names;
    std::vector<std::string> missing;
    for (const auto& name : all.names)
      if (std::find(told.begin(), told.end(), name) == told.end()) missing.push_back(name);
    if (!missing.empty())
      all.notes.push_back(text("Run ", r + 1, " carries no information about ", listed(missing), "."));
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
  }
  nameEffects(runs, all);
  const int scans = all.joined.back().end;
  all.matrix = Eigen::MatrixXd::Zero(scans, Eigen::Index(all.names.size()));
  all.confounds.resize(scans, 0);
  const auto addOfRun = [&](const Run& run, const Eigen::VectorXd& column, const std::string& name) {
    all.confoundNames.push_back(uniqueName(name, all.allNames()));
    all.confounds.conservativeResize(Eigen::NoChange, all.confounds.cols() + 1);
    all.confounds.rightCols(1).setZero();
    all.confounds.rightCols(1).middleRows(run.begin, run.scans()) = column;
  };
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const Design& design = runs[r];
    const Run run = all.joined[r];
    const std::string ending = text("_run", r + 1);
    std::vector<int> to;  // the column of the joint design for each one
    for (int c = 0; c < design.regressors(); ++c) {
      to.push_back(int(indexOf(all.names, design.names[std::size_t(c)])));
      all.matrix.col(to.back()).segment(run.begin, run.scans()) = design.matrix.col(c);
    }
    for (int c = 0; c < int(design.confounds.cols()); ++c)
      addOfRun(run, design.confounds.col(c), design.confoundNames[std::size_t(c)] + ending);
    // The intercept is that of the first run; those of the others are differences from it.
    if (r > 0) all.intercepts.push_back(int(all.matrix.cols() + all.confounds.cols()));
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

Eigen::MatrixXd centeringOf(const Design& design) {
  const int k = design.regressors();
  std::vector<int> intercepts = design.intercepts;
  std::erase_if(intercepts, [&](int column) { return column >= k; });  // those among the confounds
  // X = X_c + J A with intercepts J: their coefficients are those of J plus A times the others'.
  Eigen::MatrixXd others = design.withoutConfounds(design.matrix);
  const Eigen::MatrixXd j = others(Eigen::all, intercepts);
  others(Eigen::all, intercepts).setZero();
  const Eigen::MatrixXd a =
      solvePositiveDefinite(Eigen::MatrixXd(j.transpose() * j), Eigen::MatrixXd(j.transpose() * others));
  Eigen::MatrixXd t = Eigen::MatrixXd::Identity(k, k);
  t(intercepts, Eigen::all) += a;
  return t;
}

}  // namespace sulcus::activation
