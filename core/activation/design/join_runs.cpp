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

bool has(const Design& run, const std::string& name) {
  return std::ranges::find(run.names, name) != run.names.end();
}

/// Appends the names and given names of a run's regressors to those of all runs, with those that it left out
/// at their original positions; the latter also to `missing`.
void addNames(const Design& run, Design& all, std::vector<Design::LeftOut>& missing) {
  const auto add = [&](const std::string& name, const std::string& given) {
    if (indexOf(all.names, name) < all.given.size()) return false;
    all.given.push_back(given);
    return true;
  };
  auto left = run.leftOut.begin();
  for (std::size_t r = 0; r <= run.names.size(); ++r) {
    for (; left != run.leftOut.end() && left->before <= int(r); ++left)
      if (add(left->name, left->given)) missing.push_back(*left);
    if (r < run.names.size()) add(run.names[r], r < run.given.size() ? run.given[r] : run.names[r]);
  }
}

/// Names the regressors of all runs, in the order of the runs; those that no run has are left out.
void nameEffects(const std::vector<Design>& runs, Design& all) {
  all.given = {"intercept"};
  std::vector<Design::LeftOut> missing;
  for (const Design& run : runs) {
    all.ofEvents = all.ofEvents || run.ofEvents;
    addNames(run, all, missing);
  }
  for (auto& one : missing) {
    if (std::ranges::any_of(runs, [&](const Design& run) { return has(run, one.name); })) continue;
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
    std::vector<std::string> missing;
    for (const auto& name : all.names)
      if (!has(runs[r], name)) missing.push_back(name);
    if (!missing.empty())
      all.notes.push_back(text("Run ", r + 1, " carries no information about ", listed(missing), "."));
  }
}

/// Adds a column that is 0 outside of a run.
void addConfoundOfRun(const Run& run, const Eigen::VectorXd& column, const std::string& name, Design& all) {
  all.confoundNames.push_back(uniqueName(name, all.allNames()));
  all.confounds.conservativeResize(Eigen::NoChange, all.confounds.cols() + 1);
  all.confounds.rightCols(1).setZero();
  all.confounds.rightCols(1).middleRows(run.begin, run.scans()) = column;
}

/// Adds the columns and notes of run r, of which the scans and names are known.
void addRun(const Design& design, std::size_t r, Design& all) {
  const Run run = all.joined[r];
  const std::string ending = text("_run", r + 1);
  std::vector<int> to;  // the column of the joint design for each one
  for (int c = 0; c < design.regressors(); ++c) {
    to.push_back(int(indexOf(all.names, design.names[c])));
    all.matrix.col(to.back()).segment(run.begin, run.scans()) = design.matrix.col(c);
  }
  for (int c = 0; c < int(design.confounds.cols()); ++c)
    addConfoundOfRun(run, design.confounds.col(c), design.confoundNames[c] + ending, all);
  // The intercept is that of the first run; those of the others are differences from it.
  if (r > 0) {
    all.intercepts.push_back(int(all.matrix.cols() + all.confounds.cols()));
    addConfoundOfRun(run, Eigen::VectorXd::Ones(run.scans()), "intercept" + ending, all);
  }
  for (const auto& response : design.responses) {
    std::vector<int> columns;
    for (const int c : response) columns.push_back(to[c]);
    if (std::ranges::find(all.responses, columns) == all.responses.end())
      all.responses.push_back(std::move(columns));
  }
  for (const auto& note : design.notes) all.notes.push_back(text("Run ", r + 1, ": ", note));
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
  all.matrix = Eigen::MatrixXd::Zero(scans, std::ssize(all.names));
  all.confounds.resize(scans, 0);
  for (std::size_t r = 0; r < runs.size(); ++r) addRun(runs[r], r, all);
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
  const Eigen::MatrixXd j = columnsOf(others, intercepts);
  for (const int column : intercepts) others.col(column).setZero();
  const Eigen::MatrixXd a =
      solvePositiveDefinite(Eigen::MatrixXd(j.transpose() * j), Eigen::MatrixXd(j.transpose() * others));
  Eigen::MatrixXd t = Eigen::MatrixXd::Identity(k, k);
  for (std::size_t i = 0; i < intercepts.size(); ++i) t.row(intercepts[i]) += a.row(Eigen::Index(i));
  return t;
}

}  // namespace sulcus::activation
