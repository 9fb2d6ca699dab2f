#include "app/analyses/tracts/line_sums.h"

#include "core/analysis/chart_parts.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/image/display/layer_kinds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

namespace sulcus::app::analyses {

bool isWanted(const ResultPlaces& places, const std::string& file) {
  return !places.pathOf || !places.pathOf(file).empty();
}

Grid mapGrid(const Grid& field, double voxel) {
  if (voxel == 0) return field;
  Grid grid = field;
  const Vec3<double> spacing = field.spacing();
  Vec3<double> corner{-0.5, -0.5, -0.5};
  for (int axis = 0; axis < 3; ++axis) {
    const double ratio = voxel / spacing[axis];
    grid.size[axis] = std::max(1, int(std::ceil(field.size[axis] / ratio - 1e-6)));
    for (std::size_t i = 0; i < 3; ++i) grid.worldFromVoxel.m[i][std::size_t(axis)] *= ratio;
    corner[axis] += 0.5 * ratio;
  }
  grid.worldFromVoxel.t = field.worldFromVoxel.point(corner);
  constexpr double kMostVoxels = 2e9;
  if (double(grid.size.x) * grid.size.y * grid.size.z > kMostVoxels)
    throw Error("Maps of " + std::to_string(grid.size.x) + " × " + std::to_string(grid.size.y) + " × " +
                    std::to_string(grid.size.z) + " voxels are too large",
                "the limit is two billion", "choose a larger {map-voxel}"_message, ErrorKind::usage);
  return grid;
}

LineSums::LineSums(const Grid& grid, const Volume<Label>* labels, std::vector<ImageAlong> images,
                   const tracts::TractOptions& options, const ResultPlaces& places)
    : options_(options), showsDensity_(isWanted(places, "density.nii")) {
  if (isWanted(places, "length.nii")) lengths_.emplace(grid);
  if (showsDensity_ || lengths_) density_.emplace(grid);
  if (options.weights && isWanted(places, "weighted_density.nii")) weighted_.emplace(grid);
  if (isWanted(places, "ends.nii")) ends_.emplace(grid);
  if (labels) connectome_.emplace(*labels, options.endRadius);
  for (ImageAlong& image : images) {
    Along& along = along_.emplace_back();
    if (isWanted(places, image.name + "_along.nii")) along.map.emplace(grid);
    along.image = std::move(image);
  }
}

void LineSums::add(const Tracts& lines, const Progress& progress) {
  const auto weights = lines.perLine.empty() ? std::span<const float>() : lines.perLine.front().values;
  const auto lengths = lengths_ ? tracts::lengthsOf(lines) : std::vector<float>();
  std::vector<DensityCounter::Addition> densities;
  if (density_) densities.push_back({&*density_, {}});
  if (weighted_) densities.push_back({&*weighted_, weights});
  if (lengths_) densities.push_back({&*lengths_, lengths});
  DensityCounter::addAll(lines, densities, progress);
  if (ends_) ends_->add(lines, progress);
  if (connectome_) connectome_->add(lines, weights, progress);
  for (Along& along : along_) {
    const auto means = tracts::meansAlong(lines, along.image.values, progress);
    if (along.map) along.map->add(lines, means, progress);
    along.means.insert(along.means.end(), means.begin(), means.end());
  }
}

void LineSums::addMaps(RunResult& result) const {
  const auto add = [&](const std::string& name, const char* unit, Volume<float> map) {
    result.layers.push_back(mapLayer(name, unit, "magma", Series<float>(std::move(map))));
  };
  if (showsDensity_) add("density", "lines", density_->map());
  if (weighted_) add("weighted_density", "lines", weighted_->map());
  if (ends_) add("ends", "ends", ends_->map());
  if (lengths_) add("length", "mm", tracts::meanOf(*lengths_, *density_));
  for (const Along& along : along_)
    if (along.map) add(along.image.name + "_along", "", along.map->map());
}

void LineSums::describe(Tracts& lines) const {
  for (const Along& along : along_) {
    std::erase_if(lines.perLine, [&](const Tracts::Data& data) { return data.name == along.image.name; });
    lines.perLine.push_back({along.image.name, 1, along.means});
  }
  if (!connectome_) return;
  const tracts::Connectome found = connectome_->found();
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::uint32_t>> linesOf;
  for (std::size_t i = 0; i < found.pairOf.size(); ++i)
    if (found.pairOf[i].first >= 0) linesOf[found.pairOf[i]].push_back(std::uint32_t(i));
  const auto label = [&](std::int32_t n) { return std::to_string(found.labels[std::size_t(n)]); };
  for (auto& [pair, chosen] : linesOf)
    lines.groups.push_back({label(pair.first) + "-" + label(pair.second), std::move(chosen)});
}

namespace {

/// The means of the lines of each pair of regions, in the order of the matrix; 0 where there are none.
std::vector<double> meansOfPairs(const tracts::Connectome& found, const std::vector<float>& ofLines) {
  const std::size_t n = found.labels.size();
  std::vector<double> sums(n * n), counts(n * n);
  for (std::size_t i = 0; i < found.pairOf.size(); ++i) {
    const auto [a, b] = found.pairOf[i];
    if (a < 0 || !std::isfinite(ofLines[i])) continue;
    const std::size_t cell = found.index(std::size_t(a), std::size_t(b));
    sums[cell] += double(ofLines[i]);
    counts[cell] += 1;
  }
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a; b < n; ++b) {
      const std::size_t cell = found.index(a, b);
      sums[cell] = counts[cell] > 0 ? sums[cell] / counts[cell] : 0;
      sums[found.index(b, a)] = sums[cell];
    }
  return sums;
}

/// A matrix as CSV.
///
/// @param textAt  the text of a cell
template <class TextAt>
std::string matrixText(const tracts::Connectome& found, const TextAt& textAt) {
  const std::size_t n = found.labels.size();
  std::string text;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b) text += textAt(found.index(a, b)) + (b + 1 < n ? "," : "\n");
  return text;
}

Chart connectomeChart(const tracts::Connectome& found) {
  Chart chart = emptyChart("Lines between regions (shades: log)", "label", "label");
  chart.matrix.emplace();
  for (std::size_t a = 0; a < found.labels.size(); ++a) {
    chart.matrix->columns.push_back(std::to_string(found.labels[a]));
    auto& row = chart.matrix->rows.emplace_back();
    for (std::size_t b = 0; b < found.labels.size(); ++b) row.push_back(found.count[found.index(a, b)]);
  }
  return chart;
}

/// A row for each pair of regions between which there are lines.
TableLayer pairTable(const tracts::Connectome& found, bool hasWeights) {
  TableLayer pairs{{"label_a", "label_b", "lines", "mean_length_mm"}, {}};
  if (hasWeights) pairs.columns.push_back("weight");
  for (std::size_t a = 0; a < found.labels.size(); ++a)
    for (std::size_t b = a; b < found.labels.size(); ++b) {
      const std::size_t cell = found.index(a, b);
      if (found.count[cell] == 0) continue;
      pairs.rows.push_back({std::to_string(found.labels[a]), std::to_string(found.labels[b]),
                            std::to_string(std::int64_t(found.count[cell])),
                            numberText(found.meanLength[cell])});
      if (hasWeights) pairs.rows.back().push_back(numberText(found.weight[cell]));
    }
  return pairs;
}

}  // namespace

void LineSums::addConnectome(RunResult& result) const {
  if (!connectome_) return;
  const tracts::Connectome found = connectome_->found();
  const auto add = [&](const std::string& name, const std::vector<double>& values) {
    const auto textAt = [&](std::size_t cell) { return numberText(values[cell]); };
    result.files.push_back({"connectome_" + name + ".csv", matrixText(found, textAt)});
  };
  result.layers.push_back(tableLayer("connectome", pairTable(found, options_.weights)));
  const auto countAt = [&](std::size_t cell) { return std::to_string(std::int64_t(found.count[cell])); };
  result.files.push_back({"connectome_count.csv", matrixText(found, countAt)});
  add("length", found.meanLength);
  if (options_.weights) add("weight", found.weight);
  for (const Along& along : along_) add(along.image.name, meansOfPairs(found, along.means));
  result.plots.push_back(fixedPlot("Connectome", connectomeChart(found)));
  result.notes.push_back(std::to_string(found.unassigned) + " of " + std::to_string(found.pairOf.size()) +
                         " lines have an end that is not within " + numberText(options_.endRadius) +
                         " mm of a region");
}

}  // namespace sulcus::app::analyses
