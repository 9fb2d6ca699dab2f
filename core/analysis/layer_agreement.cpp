#include "core/analysis/layer_agreement.h"

#include "core/analysis/agreement.h"
#include "core/analysis/peak_agreement.h"
#include "core/analysis/value_agreement.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/image/diffusion/harmonics_image.h"
#include "core/image/grids/assumed_sides.h"
#include "core/image/grids/image_algebra.h"
#include "core/image/tracts/line_clusters.h"
#include "core/levelset/signed_distance.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

namespace sulcus {
namespace {

constexpr double kShareOfRange = 1e-3;     // smaller differences are invisible
constexpr double kSeenMillimeters = 0.01;  // for displacements and surfaces
constexpr double kShareSeen = 0.999;       // of the values; rounding changes a few by a tiny amount
constexpr std::size_t kMostLabels = 10;    // labels with their own row
constexpr std::size_t kManyWorst = 100'000;

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();

template <class Content>
bool holds(const Layer& layer) {
  return std::holds_alternative<Content>(layer.content);
}

bool holdsPeaks(const Layer& layer) { return holds<PeaksLayer>(layer) && !isFunctionAlone(layer); }

const Mesh& meshOf(const Layer& layer) { return *std::get<MeshLayer>(layer.content).mesh; }

/// The numbers of a layer on a grid, volume by volume.
std::shared_ptr<const Series<float>> numbersOf(const Layer& layer) {
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) return volume->series;
  if (const auto* field = std::get_if<DisplacementLayer>(&layer.content)) return field->displacement;
  if (const auto* peaks = std::get_if<PeaksLayer>(&layer.content))
    return isFunctionAlone(layer) ? peaks->tensor : peaks->peaks;
  const Volume<Label>& labels = *std::get<LabelsLayer>(layer.content).labels;
  auto numbers = std::make_shared<Series<float>>(labels.grid, 1);
  std::ranges::copy(labels.values, numbers->values.begin());
  return numbers;
}

std::string sizeOf(const Mesh& mesh) {
  return text(mesh.points.size(), " points and ", mesh.triangles.size(), " triangles");
}

std::string differingGrids(const Grid& a, const Grid& b) {
  return a.size == b.size ? "The voxels lie at different places in scanner space."
                          : "Sizes differ: " + describeGrid(a) + " and " + describeGrid(b) + ".";
}

/// Adds a map of differences and the voxels where they are largest.
void show(Comparison& comparison, Layer difference) {
  const Series<float>& apart = *std::get<VolumeLayer>(difference.content).series;
  for (std::int64_t i = 0; i < apart.grid.voxels(); ++i) {
    const double size = std::abs(double(apart.at(i, 0)));
    if (size > 0) comparison.worst.push_back({apart.grid.voxel(i), size});
    if (comparison.worst.size() >= kManyWorst) keepWorstVoxels(comparison.worst);
  }
  keepWorstVoxels(comparison.worst);
  difference.display.visible = true;
  comparison.difference = std::move(difference);
}

/// a − b for one volume; for several the length of the difference, or the largest one.
Series<float> apartOf(const Series<float>& a, const Series<float>& b, bool length) {
  Series<float> apart(b.grid, 1);
  for (std::int64_t i = 0; i < b.grid.voxels(); ++i) {
    double sum = 0, most = -1;
    for (int v = 0; v < b.count; ++v) {
      const double d = std::abs(double(a.at(i, v)) - double(b.at(i, v)));
      sum += d * d;
      if (std::isfinite(d)) most = std::max(most, d);
    }
    double size = length ? std::sqrt(sum) : most;
    if (b.count == 1)
      size = double(a.at(i, 0)) - double(b.at(i, 0));
    else if (!length && most < 0)
      size = kNoValue;
    apart.at(i, 0) = std::isfinite(size) ? float(size) : kNoValue;
  }
  return apart;
}

/// Adds rows for values of which `together` form a vector each, and a reason if some have no counterpart.
void addValueRows(const Quantity& quantity, std::span<const float> a, std::span<const float> b, int together,
                  const AgreementLimits& limits, Comparison& comparison) {
  ValueAgreement agreement =
      valueAgreement(quantity, a, b, limits.tolerance.value_or(0), limits.relative, together);
  for (AgreementRow* row : {&agreement.difference, &agreement.relative}) {
    row->shareNeeded = limits.shareNeeded;
    comparison.rows.push_back(*row);
  }
  const auto compared = std::max(1.0, agreement.difference.compared);
  const std::string which = quantity.name == "value" ? "" : " of '" + quantity.name + "'";
  if (double(agreement.oneSided) / compared > 1 - limits.shareNeeded)
    comparison.reasons.push_back(
        text(agreement.oneSided, " values", which, " are finite in one of the two only."));
}

void compareNumbers(const Layer& a, const Layer& b, const AgreementLimits& limits, Comparison& comparison,
                    const Progress& progress) {
  std::shared_ptr<const Series<float>> first = numbersOf(a);
  const std::shared_ptr<const Series<float>> second = numbersOf(b);
  if (!sameGrid(first->grid, second->grid)) {
    comparison.reasons.push_back(differingGrids(first->grid, second->grid));
    if (!holds<VolumeLayer>(a) || first->count != 1 || second->count != 1) return;
    first =
        std::make_shared<Series<float>>(onGrid(*first, 0, second->grid, progress.part(0, 0.5, "resample")));
  }
  if (first->count != second->count) {
    comparison.reasons.emplace_back("The numbers of volumes differ.");
    return;
  }
  const bool vectors = holds<DisplacementLayer>(a) && holds<DisplacementLayer>(b);
  const bool isSigned = second->count == 1;
  const std::string sharedUnit = a.unit == b.unit ? a.unit : "";
  const std::string unit = vectors ? "mm" : sharedUnit;
  const Quantity quantity{vectors ? "displacement" : "value", unit};
  addValueRows(quantity, first->values, second->values, vectors ? second->count : 1, limits, comparison);
  progress.update(0.7);
  Series<float> apart = apartOf(*first, *second, vectors);
  const char* const unsignedName = vectors ? "length of the difference" : "largest difference of the volumes";
  show(comparison, isSigned ? mapLayer("difference", unit, "cool-warm", std::move(apart))
                            : mapLayer(unsignedName, unit, "inferno", std::move(apart)));
}

AgreementRow labelRow(std::string quantity, double same, double compared, const AgreementLimits& limits) {
  AgreementRow row = shareRow(std::move(quantity), same, compared, limits.shareNeeded);
  row.mean = row.percentile95 = row.median = row.maximum = NAN;  // labels have no differences
  return row;
}

/// Voxels where both labels are 0 are ignored: most of an image is background.
void compareLabels(const LabelsLayer& a, const LabelsLayer& b, const AgreementLimits& limits,
                   Comparison& comparison) {
  const Grid& grid = b.labels->grid;
  if (!sameGrid(a.labels->grid, grid)) {
    comparison.reasons.push_back(differingGrids(a.labels->grid, grid));
    return;
  }
  struct Count {
    double a = 0, b = 0, both = 0;
    double dice() const { return 2 * both / (a + b); }
  };
  std::map<Label, Count> counts;
  Series<float> apart(grid, 1);
  double same = 0, labeled = 0;
  for (std::size_t i = 0; i < apart.values.size(); ++i) {
    const Label x = a.labels->values[i], y = b.labels->values[i];
    apart.values[i] = x == y ? 0 : 1;
    if (x == 0 && y == 0) continue;
    ++labeled;
    same += x == y;
    ++counts[x].a;
    ++counts[y].b;
    if (x == y) ++counts[x].both;
  }
  counts.erase(0);
  comparison.rows.push_back(labelRow("voxels with the same label", same, labeled, limits));
  std::vector<std::pair<Label, Count>> worst(counts.begin(), counts.end());
  std::ranges::stable_sort(worst, {}, [](const auto& one) { return one.second.dice(); });
  if (worst.size() > kMostLabels) worst.resize(kMostLabels);
  for (const auto& [label, count] : worst) {
    const auto entry = a.names ? a.names->find(label) : LabelTable::const_iterator();
    const bool named = a.names && entry != a.names->end() && !entry->second.name.empty();
    comparison.rows.push_back(
        labelRow("overlap (Dice) of " + (named ? entry->second.name : text("label ", label)), 2 * count.both,
                 count.a + count.b, limits));
  }
  Layer difference = mapLayer("voxels with other labels", "", "inferno", std::move(apart));
  difference.display.range = Range{0, 1};
  difference.display.hideBelow = 0.5;
  difference.display.interpolate = false;
  show(comparison, std::move(difference));
}

/// Colors the points of `mesh` by their distances, mm, and adds the farthest of them.
void showDistances(Comparison& comparison, const Layer& of, const std::vector<double>& distances) {
  auto mesh = std::make_shared<Mesh>(meshOf(of));
  mesh->labelTables.clear();
  mesh->pointScalars = {{"distance", {distances.begin(), distances.end()}}};
  for (std::size_t i = 0; i < distances.size(); ++i) {
    const Vec3<float> p = mesh->points[i];
    if (distances[i] > 0) comparison.worst.push_back({{}, distances[i], Vec3<double>{p.x, p.y, p.z}});
    if (comparison.worst.size() >= kManyWorst) keepWorstVoxels(comparison.worst);
  }
  keepWorstVoxels(comparison.worst);
  Layer difference;
  difference.name = "distance";
  difference.unit = "mm";
  difference.display.colormap = "inferno";
  difference.display.colorBar = true;
  const double most = distances.empty() ? 0 : *std::ranges::max_element(distances);
  difference.display.range = Range{0, most > 0 ? most : 1};
  difference.content = MeshLayer{std::move(mesh)};
  comparison.difference = std::move(difference);
}

/// Compares point by point if the triangles are the same, including the scalars that both have; otherwise the
/// points of each with the other surface.
void compareMeshes(const Layer& a, const Layer& b, const AgreementLimits& limits, Comparison& comparison,
                   const Progress& progress) {
  const Mesh &first = meshOf(a), &second = meshOf(b);
  const double tolerance = limits.tolerance.value_or(0);
  const auto addRow = [&](const char* quantity, const std::vector<double>& distances) {
    comparison.rows.push_back(summarized(quantity, "mm", distances, 0, tolerance, limits.shareNeeded));
  };
  std::vector<double> distances;
  if (first.points.size() == second.points.size() && first.triangles == second.triangles) {
    for (std::size_t i = 0; i < first.points.size(); ++i)
      distances.push_back(norm(first.points[i] - second.points[i]));
    addRow("point", distances);
    for (const auto& [name, values] : first.pointScalars)
      if (const auto other = second.pointScalars.find(name); other != second.pointScalars.end())
        addValueRows({name, ""}, values, other->second, 1, limits, comparison);
  } else {
    if (!limits.tolerance)  // with a tolerance, the distances decide
      comparison.reasons.push_back(
          first.points.size() == second.points.size() && first.triangles.size() == second.triangles.size()
              ? "The triangles connect different points."
              : text("Sizes differ: ", sizeOf(first), ", and ", sizeOf(second), "."));
    if (first.triangles.empty() || second.triangles.empty()) return;
    distances = levelset::distancesTo(second, first.points, progress.part(0, 0.5, "Distances"));
    addRow("distance to the second surface", distances);
    addRow("distance to the first surface",
           levelset::distancesTo(first, second.points, progress.part(0.5, 1, "Distances")));
  }
  showDistances(comparison, a, distances);
}

/// Compares the lines that both have, and the distances of the other lines to the nearest of the other side.
void compareOtherTracts(const Tracts& a, const Tracts& b, const AgreementLimits& limits,
                        const Progress& progress, Comparison& comparison) {
  comparison.reasons.push_back(a.lines() != b.lines()
                                   ? text("The numbers of lines differ: ", a.lines(), " and ", b.lines(), ".")
                                   : text("Lines have different numbers of points: ", a.points.size(),
                                          " in all, and ", b.points.size(), "."));
  const std::vector<std::uint32_t> onlyA = linesNotIn(a, b), onlyB = linesNotIn(b, a);
  AgreementRow common;
  common.quantity = "lines in common";
  common.compared = double(std::max(a.lines(), b.lines()));
  common.shareWithin =
      common.compared > 0 ? 1 - double(std::max(onlyA.size(), onlyB.size())) / common.compared : 1;
  common.mean = 1 - common.shareWithin;
  common.maximum = common.mean > 0 ? 1 : 0;
  comparison.rows.push_back(common);
  const auto addRow = [&](const char* name, const Tracts& tracts, std::vector<std::uint32_t> lines,
                          const Tracts& others, const Progress& part) {
    constexpr std::size_t kMostLines = 20'000;  // of more, lines at equal intervals of the file
    const std::size_t every = 1 + lines.size() / kMostLines;
    for (std::size_t n = 0; n * every < lines.size(); ++n) lines[n] = lines[n * every];
    lines.resize((lines.size() + every - 1) / every);
    if (lines.empty() || others.lines() == 0) return;
    comparison.rows.push_back(summarized(name, "mm", distancesToNearest(tracts, lines, others, part), 0,
                                         limits.tolerance.value_or(0), limits.shareNeeded));
  };
  addRow("other lines of the first, to the nearest", a, onlyA, b, progress.part(0, 0.5, "Lines"));
  addRow("other lines of the second, to the nearest", b, onlyB, a, progress.part(0.5, 1, "Lines"));
}

/// Compares tracts point by point, if their lines have equal numbers of points.
void compareTracts(const Tracts& a, const Tracts& b, const AgreementLimits& limits, const Progress& progress,
                   Comparison& comparison) {
  if (a.first != b.first) return compareOtherTracts(a, b, limits, progress, comparison);
  std::vector<double> distances(a.points.size());
  for (std::size_t i = 0; i < distances.size(); ++i) distances[i] = norm(a.points[i] - b.points[i]);
  comparison.rows.push_back(
      summarized("point", "mm", distances, 0, limits.tolerance.value_or(0), limits.shareNeeded));
  const auto compareData = [&](const std::vector<Tracts::Data>& first,
                               const std::vector<Tracts::Data>& second) {
    for (const auto& data : first)
      for (const auto& other : second)
        if (data.name == other.name && data.components == other.components)
          addValueRows({data.name, ""}, data.values, other.values, 1, limits, comparison);
  };
  compareData(a.perLine, b.perLine);
  compareData(a.perPoint, b.perPoint);
  for (const auto& group : a.groups)
    for (const auto& other : b.groups)
      if (group.name == other.name && group.lines != other.lines)
        comparison.reasons.push_back("The group '" + group.name + "' has different lines.");
}

/// Volumes, labels, displacements and functions are numbers on a grid; surfaces and directions are not.
enum class Kind { numbers, peaks, mesh, tracts, other };
Kind kindIn(const Layer& layer) {
  if (holds<MeshLayer>(layer)) return Kind::mesh;
  if (holds<TractsLayer>(layer)) return Kind::tracts;
  if (!gridOf(layer)) return Kind::other;
  return holdsPeaks(layer) ? Kind::peaks : Kind::numbers;
}

}  // namespace

AgreementLimits seenLimits(const Layer& layer) {
  if (holdsPeaks(layer)) return {kPeakTolerance, 0, kPeakShareNeeded};
  if (holds<LabelsLayer>(layer)) return {0, 0, kShareSeen};
  if (!holds<VolumeLayer>(layer)) return {kSeenMillimeters, 0, kShareSeen};
  const Range range = automaticRange(std::get<VolumeLayer>(layer.content).series->values);
  return {kShareOfRange * (range.high - range.low), kShareOfRange, kShareSeen};
}

bool mayCompare(const Layer& a, const Layer& b) { return kindIn(a) == kindIn(b) && kindIn(a) != Kind::other; }

Comparison compareLayers(const Layer& a, const Layer& b, const AgreementLimits& limits,
                         const Progress& progress) {
  Comparison comparison;
  if (holds<LabelsLayer>(a) && holds<LabelsLayer>(b)) {
    compareLabels(std::get<LabelsLayer>(a.content), std::get<LabelsLayer>(b.content), limits, comparison);
  } else if (holds<MeshLayer>(a) != holds<MeshLayer>(b)) {
    comparison.reasons.emplace_back("One is a surface, the other is not.");
  } else if (holds<TractsLayer>(a) && holds<TractsLayer>(b)) {
    compareTracts(*std::get<TractsLayer>(a.content).tracts, *std::get<TractsLayer>(b.content).tracts, limits,
                  progress, comparison);
  } else if (kindIn(a) == Kind::other || kindIn(b) == Kind::other || holds<TractsLayer>(a) ||
             holds<TractsLayer>(b)) {
    throw Error("'" + a.name + "' and '" + b.name + "' cannot be compared",
                "one is " + kindWithArticle(a) + ", the other " + kindWithArticle(b),
                "choose two images, two surfaces or two files of tracts");
  } else if (kindIn(a) == Kind::mesh) {
    compareMeshes(a, b, limits, comparison, progress);
  } else if (holdsPeaks(a) && holdsPeaks(b)) {
    const Series<float>&first = *std::get<PeaksLayer>(a.content).peaks,
          &second = *std::get<PeaksLayer>(b.content).peaks;
    if (!sameGrid(first.grid, second.grid))
      comparison.reasons.push_back(differingGrids(first.grid, second.grid));
    else
      comparison = comparePeaks(first, second, limits.tolerance.value_or(kPeakTolerance), progress);
  } else {
    compareNumbers(a, b, limits, comparison, progress);
  }
  comparison.warnings = sideWarnings({&a, &b});
  progress.update(1);
  return comparison;
}

}  // namespace sulcus
