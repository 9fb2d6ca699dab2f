#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/preparation/preparation.h"

namespace sulcus::preparation {
namespace {

constexpr const char* kMissing = "n/a";

/// Appends columns to a table with a row for each volume.
class Columns {
 public:
  explicit Columns(std::size_t rows) { table_.rows.resize(rows); }

  /// @param missing  rows without a value
  void add(std::string name, const std::vector<double>& values, const std::vector<bool>& missing = {}) {
    table_.columns.push_back(std::move(name));
    for (std::size_t row = 0; row < table_.rows.size(); ++row)
      table_.rows[row].push_back(!missing.empty() && missing[row] ? kMissing : nineDigits(values[row]));
  }
  TableLayer take() { return std::move(table_); }

 private:
  TableLayer table_;
};

std::vector<double> squared(std::vector<double> values) {
  for (double& value : values) value *= value;
  return values;
}

/// A column for each of the given volumes: 1 there, 0 elsewhere.
template <class IsOutlier>
void addOutliers(Columns& columns, const std::string& name, std::size_t volumes, const IsOutlier& isOutlier) {
  int count = 0;
  for (std::size_t v = 0; v < volumes; ++v) {
    if (!isOutlier(v)) continue;
    std::vector<double> one(volumes, 0);
    one[v] = 1;
    columns.add(name + (count < 10 ? "0" : "") + std::to_string(count), one);
    ++count;
  }
}

}  // namespace

std::vector<std::string> parameterNames() {
  return {"trans_x", "trans_y", "trans_z", "rot_x", "rot_y", "rot_z"};
}

Eigen::MatrixXd parametersOf(const std::vector<Motion>& motion) {
  Eigen::MatrixXd values(std::ssize(motion), 6);
  for (Eigen::Index v = 0; v < values.rows(); ++v)
    for (int i = 0; i < 3; ++i) {
      values(v, i) = motion[v].shift[i];
      values(v, 3 + i) = motion[v].turn[i];
    }
  return values;
}

TableLayer confoundsTable(const PreparedSeries& prepared) {
  const std::size_t volumes = prepared.displacement.size();
  std::vector<bool> first(volumes, false);
  for (const activation::Run& run : prepared.runs) first[run.begin] = true;
  Columns columns(volumes);
  columns.add("std_dvars", prepared.standardDvars, first);
  columns.add("dvars", prepared.dvars, first);
  columns.add("framewise_displacement", prepared.displacement, first);
  const Eigen::MatrixXd parameters = parametersOf(prepared.motion.motion);
  const auto names = parameterNames();
  for (int k = 0; k < 6; ++k) {
    std::vector<double> values(volumes), changes(volumes, 0);
    for (std::size_t v = 0; v < volumes; ++v) {
      values[v] = parameters(Eigen::Index(v), k);
      if (v > 0) changes[v] = values[v] - values[v - 1];
    }
    const std::string& name = names[k];
    columns.add(name, values);
    columns.add(name + "_derivative1", changes, first);
    columns.add(name + "_derivative1_power2", squared(changes), first);
    columns.add(name + "_power2", squared(values));
  }
  addOutliers(columns, "non_steady_state_outlier", volumes,
              [&](std::size_t v) { return prepared.steady[v] == 0; });
  addOutliers(columns, "motion_outlier", volumes,
              [&](std::size_t v) { return prepared.displacement[v] > kHighDisplacement; });
  return columns.take();
}

std::vector<Layer> preparedLayers(const PreparedSeries& prepared, double secondsPerVolume) {
  std::vector<Layer> layers;
  Layer series;
  series.name = "prepared_bold";
  series.content = VolumeLayer{prepared.motion.series, {}, secondsPerVolume, {}};
  series.display.visible = false;
  series.notes = prepared.motion.notes;
  layers.push_back(std::move(series));
  layers.push_back(tableLayer("prepared_confounds", confoundsTable(prepared)));
  if (prepared.field) layers.push_back(fieldLayer("prepared_fieldmap", *prepared.field));
  return layers;
}

}  // namespace sulcus::preparation
