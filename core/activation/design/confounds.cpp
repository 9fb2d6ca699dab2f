#include "core/activation/design/design_builder.h"
#include "core/activation/design/events.h"
#include "core/image/table_columns.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace sulcus::activation {
namespace {

bool matches(const std::string& name, const std::string& pattern) {
  return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1)) : name == pattern;
}

const std::vector<std::string> kMotion{"trans_x", "trans_y", "trans_z", "rot_x", "rot_y", "rot_z"};
constexpr const char* kCosines = "cosine*";  // from fMRIPrep's high-pass filter

/// The name reduced to lower-case letters and digits, since versions of fMRIPrep spell it differently.
std::string plainly(const std::string& name) {
  std::string plain;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      plain += char(std::tolower(static_cast<unsigned char>(c)));
  return plain;
}
/// Columns that each mark one scan: the signal had not yet reached a steady state, or the head moved too
/// much.
bool marksUnsteady(const std::string& name) { return plainly(name).starts_with("nonsteadystate"); }
bool marksMotion(const std::string& name) { return plainly(name).starts_with("motionoutlier"); }

/// Columns of fMRIPrep that a strategy requires, and those that it uses if present.
struct ChosenColumns {
  std::vector<std::string> needed, optional;
};

ChosenColumns strategyColumns(ConfoundStrategy strategy) {
  ChosenColumns columns;
  if (strategy == ConfoundStrategy::automatic) return columns;
  columns.needed = kMotion;
  if (strategy == ConfoundStrategy::compcor) {
    for (int i = 0; i < 6; ++i) columns.needed.push_back("a_comp_cor_0" + std::to_string(i));
    columns.optional = {kCosines};
  } else if (strategy != ConfoundStrategy::motion6) {
    for (const auto& name : kMotion)
      for (const char* ending : {"_derivative1", "_power2", "_derivative1_power2"})
        columns.needed.push_back(name + ending);
  }
  if (strategy == ConfoundStrategy::tissues)
    columns.needed.insert(columns.needed.end(), {"csf", "white_matter"});
  return columns;
}

/// The columns of a table for which no strategy was chosen: the six of motion if it is fMRIPrep's, else all.
std::vector<std::string> automaticColumns(const Layer& layer, const TableLayer& table,
                                          DesignBuilder& builder) {
  const bool isFmriprep = std::ranges::all_of(
      kMotion, [&](const std::string& name) { return columnNamed(table, name).has_value(); });
  if (!isFmriprep || table.columns.size() == kMotion.size()) return {"*"};
  builder.note("Of the confounds in '" + layer.name + "' only the six of motion are used.");
  return kMotion;
}

/// Adds the columns that mark scans to those that were chosen: unsteady ones always, moved ones for scrub.
void chooseMarks(const TableLayer& table, ConfoundStrategy strategy, std::set<std::size_t>& chosen,
                 DesignBuilder& builder) {
  std::size_t unsteady = 0, moved = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (marksUnsteady(table.columns[c])) {
      chosen.insert(c);
      ++unsteady;
    }
    if (!marksMotion(table.columns[c])) continue;
    if (strategy == ConfoundStrategy::scrub) chosen.insert(c);
    moved += chosen.count(c) == 0;
  }
  if (unsteady > 0)
    builder.note("First scans that the confounds mark as non-steady-state, excluded: " +
                 std::to_string(unsteady) + ".");
  if (moved > 0)
    builder.note("Scans that the confounds mark as motion outliers (motion_outlier) are kept: " +
                 std::to_string(moved) + "; the strategy scrub would exclude them.");
}

/// Indices of the confound columns to use, in the table's order.
std::set<std::size_t> chosenConfounds(const Layer& layer, const TableLayer& table,
                                      const DesignOptions& options, DesignBuilder& builder) {
  auto [patterns, optional] = strategyColumns(options.confounds);
  for (auto& name : namesIn(options.confoundColumns)) patterns.push_back(std::move(name));
  if (patterns.empty()) patterns = automaticColumns(layer, table, builder);
  std::set<std::size_t> chosen;
  const auto choose = [&](const std::string& pattern) {
    bool any = false;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (!matches(table.columns[c], pattern)) continue;
      chosen.insert(c);
      any = true;
    }
    return any;
  };
  for (const auto& pattern : patterns)
    if (!choose(pattern))
      throw Error("'" + layer.name + "' has no column '" + pattern + "'",
                  "it was asked for as a confound; there are " + listed(table.columns),
                  "correct the names of the confounds");
  for (const auto& pattern : optional) choose(pattern);
  chooseMarks(table, options.confounds, chosen, builder);
  return chosen;
}

}  // namespace

bool addConfounds(DesignBuilder& builder, const Layer* layer, const DesignOptions& options) {
  if (!layer) {
    if (options.confounds == ConfoundStrategy::automatic) return false;
    throw Error("There is no table of confounds", "a strategy was chosen for its columns",
                "give the confounds of fMRIPrep, or leave the strategy at auto", ErrorKind::usage);
  }
  const TableLayer& table = tableIn(*layer, "table of confounds");
  if (std::ssize(table.rows) != builder.scans())
    throw Error("The confounds '" + layer->name + "' have " + std::to_string(table.rows.size()) + " rows",
                "the design has " + std::to_string(builder.scans()), "give one row per scan");
  bool drift = false;
  std::vector<std::string> filled, constant;
  for (const std::size_t c : chosenConfounds(*layer, table, options, builder)) {
    const std::string& name = table.columns[c];
    if (std::ranges::all_of(table.rows, [&](const auto& row) { return isMissing(row[c]); })) {
      constant.push_back(name);
      continue;
    }
    bool first = false;
    Eigen::VectorXd column = columnIn(*layer, table, c, &first);
    const double size = column.norm();
    column.array() -= column.mean();
    if (!(column.norm() > kConstantColumn * size)) {
      constant.push_back(name);
      continue;
    }
    if (first) filled.push_back(name);
    drift = drift || matches(name, kCosines);
    builder.addConfound(column, fileSafeName(name, "confound"));
  }
  if (!filled.empty())
    builder.note("Confounds without a value in the first scan have 0 there: " + listed(filled) + ".");
  if (!constant.empty())
    builder.note("Confounds that are the same in every scan, ignored: " + std::to_string(constant.size()) +
                 " (" + listed(constant) + ").");
  return drift;
}

}  // namespace sulcus::activation
