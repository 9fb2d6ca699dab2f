#include "core/bids/report/mean_maps.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/bids/report/slices.h"
#include "core/image/grids/value_check.h"
#include "core/io/files.h"

#include <algorithm>
#include <cmath>

namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;

/// Whether a space belongs to one participant, so that voxels of different participants do not correspond.
bool isOwnSpace(const std::string& space) {
  return space.empty() || space == "T1w" || space == "T2w" || space == "ACPC" || space == "orig" ||
         space == "individual" || space == "anat" || space.starts_with("ses");
}

std::optional<Name> nameIn(const std::string& file) {
  std::string fault;
  return parsedName(fs::path(file).filename().string(), fault);
}

/// Sums over a set of maps, voxel by voxel, of the sound values.
struct Sums {
  std::vector<double> sum, squares;
  std::vector<std::int32_t> count;

  bool empty() const { return sum.empty(); }
  void add(std::span<const float> values) {
    sum.resize(values.size());
    squares.resize(values.size());
    count.resize(values.size());
    for (std::size_t i = 0; i < sum.size(); ++i)
      if (isSound(values[i])) {
        sum[i] += values[i];
        squares[i] += double(values[i]) * values[i];
        ++count[i];
      }
  }
  std::vector<float> means() const {
    std::vector<float> means(sum.size(), NAN);
    for (std::size_t i = 0; i < sum.size(); ++i)
      if (count[i] > 0) means[i] = float(sum[i] / count[i]);
    return means;
  }
  /// The sample standard deviation (n − 1) of the values in each voxel.
  std::vector<float> deviations() const {
    std::vector<float> deviations(sum.size(), NAN);
    for (std::size_t i = 0; i < sum.size(); ++i)
      if (count[i] > 1)
        deviations[i] =
            float(std::sqrt(std::max(0.0, (squares[i] - sum[i] * sum[i] / count[i]) / (count[i] - 1))));
    return deviations;
  }
};

/// A map with one volume; null for anything else.
std::shared_ptr<const Series<float>> scalarMap(const fs::path& file, std::string& unit,
                                               const Progress& progress) {
  const Layer layer = io::openVolume(file, progress, io::UnlabeledData::asImage);
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  unit = layer.unit;
  return volume && volume->series->count == 1 ? volume->series : nullptr;
}

/// The map in a file, as scalarMap() returns it; nothing for a file that cannot be read, which is noted.
std::optional<std::shared_ptr<const Series<float>>> readableMap(const fs::path& file, std::string& unit,
                                                                Notes& notes, const Progress& progress) try {
  return scalarMap(file, unit, progress);
} catch (const Error& fault) {
  if (fault.kind() != ErrorKind::badInput) throw;
  notes.push_back(Note::warning("a map was excluded from the means: " + fault.message() + "."));
  return std::nullopt;
}

Layer mapOn(const Grid& grid, const std::string& name, const std::string& unit, std::vector<float> values) {
  Series<float> series;
  series.grid = grid;
  series.count = 1;
  series.values = std::move(values);
  return mapLayer(name, unit, "cool-warm", std::move(series));
}

}  // namespace

std::vector<MapGroup> mapGroups(const std::vector<Record>& records, Notes& notes) {
  std::map<std::string, MapGroup> groups;
  std::map<std::string, bool> ownSpace;
  for (const auto& record : records) {
    if (!record.done) continue;
    for (const auto& file : record.files) {
      const auto name = nameIn(file);
      if (!name || (name->extension != ".nii.gz" && name->extension != ".nii")) continue;
      static const std::vector<std::string> kMaps{"dwimap", "statmap", "xfmmap", "T1w"};
      if (std::find(kMaps.begin(), kMaps.end(), name->suffix) == kMaps.end()) continue;
      if (isOwnSpace(name->label("space"))) {
        ownSpace[record.analysis] = true;
        continue;
      }
      Name common = name->with("sub", "").with("ses", "").with("run", "");
      common.extension = ".nii.gz";
      auto& group = groups[common.text()];
      group.name = common;
      group.files.push_back(file);
    }
  }
  for (const auto& [analysis, any] : ownSpace)
    notes.push_back(
        "The maps of " + analysis +
        " lie in each participant's own space: there is no mean of them. Scans in a common space, "
        "as fMRIPrep makes them, would have one.");
  std::vector<MapGroup> list;
  for (auto& [text, group] : groups) list.push_back(std::move(group));
  return list;
}

MeanMap meanMap(const MapGroup& group, const fs::path& out, Notes& notes, const Progress& progress) {
  std::map<std::string, std::vector<std::string>> bySubject;
  for (const auto& file : group.files) bySubject[nameIn(file)->label("sub")].push_back(file);
  std::optional<Grid> grid;
  Sums all;
  MeanMap map;
  std::string unit;
  double begun = 0;
  const double part = 1.0 / double(group.files.size());
  for (const auto& [subject, files] : bySubject) {
    Sums own;
    for (const auto& file : files) {
      const Progress reading = progress.part(begun, begun + part, "mean maps");
      begun += part;
      const auto read = readableMap(out / file, unit, notes, reading);
      if (!read) continue;
      if (!*read) return {};
      const Series<float>& series = **read;
      if (!grid) grid = series.grid;
      if (!sameGrid(series.grid, *grid)) {
        notes.push_back("'" + file +
                        "' has a different grid than the first map of its kind and was skipped.");
        continue;
      }
      own.add(series.values);
    }
    if (own.empty()) continue;
    all.add(own.means());
    ++map.participants;
  }
  if (all.empty()) return {};
  map.mean = mapOn(*grid, "mean", unit, all.means());
  map.sd = mapOn(*grid, "sd", unit, all.deviations());
  map.count = mapOn(*grid, "count", "participants", {all.count.begin(), all.count.end()});
  return map;
}

bool isPictured(const MapGroup& group) {
  const Name& name = group.name;
  const std::string contrast = name.label("contrast");
  if (name.suffix == "statmap")
    return name.label("stat") == "effect" && contrast != "intercept" && !contrast.starts_with("cosine") &&
           !contrast.starts_with("drift");
  const std::string desc = name.label("desc"), parameter = name.label("param");
  return desc == "warped" || desc == "logjac" || parameter == "anisotropy" || parameter == "count";
}

ReportPicture meanPicture(const MapGroup& group, const MeanMap& map) {
  const auto& series = *std::get<VolumeLayer>(map.mean.content).series;
  double largest = 0;
  std::vector<float> sizes;
  for (const float value : series.values)
    if (isSound(value)) sizes.push_back(std::abs(value));
  if (!sizes.empty()) largest = automaticRange(sizes).high;
  const bool isSigned =
      std::any_of(series.values.begin(), series.values.end(), [](float v) { return isSound(v) && v < 0; });
  const auto gray = grays(series.values);
  const auto seen = [&](std::int64_t i) {
    const float value = series.values[std::size_t(i)];
    return isSound(value) && value != 0;
  };
  const auto color = [&](std::int64_t i) {
    const float value = series.values[std::size_t(i)];
    if (!isSound(value)) return Color{};
    return isSigned ? divergingColor(value / std::max(largest, 1e-30)) : gray(i);
  };
  Name shown = group.name;
  shown.extension.clear();
  return {
      "Mean of " + shown.text() + " over " + std::to_string(map.participants) + " participants" +
          (isSigned ? " (blue: −" + numberText(largest) + ", red: " + numberText(largest) + "). " : ". ") +
          sidesSentence(false),  // a template defines which side is left
      slices(series.grid, color, seen)};
}

}  // namespace sulcus::bids
