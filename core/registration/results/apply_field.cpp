#include "core/registration/results/apply_field.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/image/grids/interpolate.h"
#include "core/image/grids/value_check.h"
#include "core/image/table_places.h"
#include "core/math/statistics.h"
#include "core/registration/deformation/vector_field.h"
#include "core/registration/results/turned_peaks.h"

#include <algorithm>
#include <cmath>

namespace sulcus::registration {
namespace {

std::string percent(std::int64_t part, std::int64_t whole) {
  return text(double(std::lround(1000.0 * double(part) / double(whole))) / 10, " %");
}

/// Whether the displacement maps any voxel of its grid into the image.
bool reaches(const Grid& image, const Series<float>& displacement) {
  const Affine voxelFromWorld = image.worldFromVoxel.inverse();
  const Grid& grid = displacement.grid;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<double> d{displacement.at(i, 0), displacement.at(i, 1), displacement.at(i, 2)};
    if (isInImage(image.size, voxelFromWorld.point(grid.positionOf(i) + d))) return true;
  }
  return false;
}

/// Sets the uncovered voxels of each volume to `fill`.
///
/// @param covered  empty if all are covered
template <class T>
void fillUncovered(std::vector<T>& values, const Mask& covered, T fill) {
  const std::size_t voxels = covered.values.size();
  for (std::size_t i = 0; voxels > 0 && i < values.size(); ++i)
    if (!covered.values[i % voxels]) values[i] = fill;
}

/// The value outside of an image: 0, or if its corners are below 0, such as the air of a CT (−1000), their
/// median.
double outsideOf(const Series<float>& image) {
  constexpr int kEdge = 3;         // edge of a corner along each axis, voxels
  constexpr double kMostly = 0.9;  // share of the voxels of all corners
  const auto ends = [](int size) {
    std::vector<int> near;
    for (int at = 0; at < size; ++at)
      if (at < kEdge || at >= size - kEdge) near.push_back(at);
    return near;
  };
  const Vec3<int> n = image.grid.size;
  std::vector<float> corners;
  for (const int z : ends(n.z))
    for (const int y : ends(n.y))
      for (const int x : ends(n.x))
        if (const float value = image.volume(0)(x, y, z); isSound(value)) corners.push_back(value);
  const auto below = std::ranges::count_if(corners, [](float value) { return value < 0; });
  if (corners.empty() || double(below) < kMostly * double(corners.size())) return 0;
  return upperMedian(corners);
}

/// A displacement on another grid, interpolated trilinearly.
///
/// @param covered  receives 1 at the voxels of `grid` inside the grid of the displacement
/// @throws Error   if there are none
Series<float> displacementOn(const Series<float>& displacement, const Grid& grid, Mask& covered,
                             const Progress& progress) {
  Series<float> result(grid, 3);
  for (int c = 0; c < 3; ++c) {
    const Volume<float> component =
        resampled({displacement.grid, displacement.volume(c)}, grid, {}, {Interpolation::linear},
                  c == 0 ? &covered : nullptr, progress.part(c / 3.0, (c + 1) / 3.0, "Field"));
    std::copy(component.values.begin(), component.values.end(), result.volume(c).data);
  }
  if (std::all_of(covered.values.begin(), covered.values.end(), [](auto c) { return c == 0; }))
    throw Error("The displacement field (" + describeGrid(displacement.grid) +
                    ") does not reach the image it should be applied on (" + describeGrid(grid) + ")",
                "they lie at different places in scanner space",
                "give the reference of the registration, or an image in its space");
  return result;
}

/// The displacement of the chain at the voxels of the grid.
///
/// @param covered  remains empty if the only field lies on the grid
Series<float> fieldOn(const std::vector<Transform>& transforms, const Grid& grid, Mask& covered, Layer& layer,
                      const Progress& progress) {
  if (transforms.size() == 1 && transforms.front().field && !transforms.front().inverse) {
    const Series<float>& field = *transforms.front().field;
    requireField(field);
    if (sameGrid(field.grid, grid)) return field;
    layer.notes.emplace_back("The field was interpolated on the grid of the result.");
    return displacementOn(field, grid, covered, progress);
  }
  if (transforms.size() > 1)
    layer.notes.push_back(text(transforms.size(),
                               " transforms were composed, the first one given first: the image was "
                               "interpolated once."));
  return TransformChain(transforms).on(grid, covered, progress);
}

/// How the values of an image are moved.
struct ValueMove {
  const Series<float>& field;
  const Mask& covered;
  Interpolation interpolation;
  double fill;  ///< where nothing is known
};

Series<float> movedValues(const Series<float>& values, const ValueMove& move, const Progress& progress) {
  Series<float> moved = displaced(values, move.field, move.interpolation, float(move.fill), progress);
  fillUncovered(moved.values, move.covered, float(move.fill));
  return moved;
}

/// Moves labels; an image of numbers if the interpolation mixes them.
LayerContent movedLabels(const LabelsLayer& layer, const ValueMove& move, const Progress& progress) {
  if (move.interpolation == Interpolation::linear || move.interpolation == Interpolation::cubic) {
    Series<float> numbers(layer.labels->grid, 1);
    std::ranges::copy(layer.labels->values, numbers.values.begin());
    return VolumeLayer{std::make_shared<const Series<float>>(movedValues(numbers, move, progress))};
  }
  if (move.fill != std::floor(move.fill) || std::abs(move.fill) >= 9e15)
    throw Error("Labels cannot be filled with " + numberText(move.fill), "they are whole numbers",
                "give a whole number to {fill}"_message, ErrorKind::usage);
  auto moved = displacedLabels(*layer.labels, move.field, move.interpolation, Label(move.fill), progress);
  fillUncovered(moved.values, move.covered, Label(move.fill));
  return LabelsLayer{std::make_shared<const Volume<Label>>(std::move(moved)), layer.names};
}

/// Deforms the content of the layer: a volume, labels or directions.
void deformImage(Layer& layer, const std::vector<Transform>& transforms, const Grid& grid,
                 const ApplyOptions& options, const Progress& progress) {
  const auto* labels = std::get_if<LabelsLayer>(&layer.content);
  const auto* volume = std::get_if<VolumeLayer>(&layer.content);
  const std::string unsound = volume ? unsoundText(checkValues(volume->series->values)) : "";
  if (!unsound.empty())
    layer.notes.push_back(
        "Unusable values of the image spread to the values interpolated from them: " + unsound + ".");
  const double usual = volume ? outsideOf(*volume->series) : 0, fill = options.fill.value_or(usual);
  Mask covered;
  const Series<float> field = fieldOn(transforms, grid, covered, layer, progress.part(0, 0.4, ""));
  if (const auto missing = std::count(covered.values.begin(), covered.values.end(), 0); missing > 0)
    layer.notes.push_back(percent(missing, grid.voxels()) + " of the result lies outside the field and is " +
                          numberText(fill) + ".");
  if (!reaches(*gridOf(layer), field))
    throw Error("The field maps no voxel into '" + layer.name + "'",
                "the image lies elsewhere in scanner space than the template it was made for",
                "give the template of the registration, or an image in its space");
  if (fill != 0 && !options.fill)
    layer.notes.push_back({"Outside of the image it is " + numberText(fill) +
                               ", as at the corners of the image; another value can be given.",
                           "fill"});

  const Progress part = progress.part(0.4, 1, "Deform");
  if (const auto* directions = std::get_if<PeaksLayer>(&layer.content)) {
    layer.notes.emplace_back("Directions are those of the nearest voxel, turned with the deformation.");
    layer.content = PeaksLayer{
        std::make_shared<const Series<float>>(turnedPeaks(*directions->peaks, field, part)), nullptr};
    return;
  }
  // A spline would spread unsound values over the whole image.
  const auto ofImages = unsound.empty() ? Interpolation::cubic : Interpolation::linear;
  const ValueMove move{field, covered,
                       options.interpolation.value_or(labels ? Interpolation::label : ofImages), fill};
  if (labels) {
    layer.content = movedLabels(*labels, move, part);
    return;
  }
  VolumeLayer content = *volume;
  if (!content.gradients.empty())
    layer.notes.emplace_back("Its gradients were ignored: the deformation turns them in each voxel.");
  content.gradients = {};
  content.series = std::make_shared<const Series<float>>(movedValues(*volume->series, move, part));
  layer.content = std::move(content);
}

/// Moves points through a chain and counts them.
struct PointMover {
  const TransformChain& chain;
  std::int64_t points = 0, outside = 0;

  Vec3<double> moved(const Vec3<double>& p) {
    bool reached = true;
    const Vec3<double> to = chain(p, reached);
    ++points;
    outside += !reached;
    return to;
  }
  Mesh moved(Mesh mesh) {
    for (Vec3<float>& point : mesh.points) {
      const Vec3<double> p = moved(Vec3<double>{point.x, point.y, point.z});
      point = {float(p.x), float(p.y), float(p.z)};
    }
    return mesh;
  }
  void move(TableLayer& table, const std::vector<PlaceColumns>& places) {
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      for (const PlaceColumns& columns : places) {
        const auto place = placeIn(table, row, columns);
        if (!place) continue;
        const Vec3<double> p = moved(*place);
        for (std::size_t i = 0; i < 3; ++i) table.rows[row][columns.first + i] = numberText(p[int(i)]);
      }
  }
};

/// Moves the points of a surface or the positions of a table.
void movePoints(Layer& layer, const TransformChain& chain) {
  PointMover mover{chain};
  const auto refuse = [&](const std::string& why) {
    throw Error("'" + layer.name + "' cannot be deformed", why,
                "give a volume, a series, labels, directions, a surface, or a table with columns x_mm, y_mm "
                "and z_mm");
  };
  if (const auto* surface = std::get_if<MeshLayer>(&layer.content)) {
    layer.content = MeshLayer{std::make_shared<const Mesh>(mover.moved(*surface->mesh))};
  } else if (auto* table = std::get_if<TableLayer>(&layer.content)) {
    const auto places = placeColumns(*table);
    if (places.empty()) refuse("no columns of it hold places");
    mover.move(*table, places);
  } else {
    refuse("it holds " + kindWithArticle(layer));
  }
  if (mover.points == 0) refuse("it holds no place");
  if (mover.outside == mover.points)
    throw Error("The field does not reach '" + layer.name + "'", "all of its points lie outside of the field",
                "give a field that lies where they do: displacement for points of the reference, inverse for "
                "those of the template");
  layer.notes.emplace_back(
      "Its points went where the field leads: displacement leads from the reference to the template, inverse "
      "from the template to the reference.");
  if (mover.outside > 0)
    layer.notes.push_back(
        percent(mover.outside, mover.points) +
        " of the points lie outside of the field and moved as the nearest place within it.");
}

}  // namespace

Volume<Label> displacedLabels(const Volume<Label>& labels, const Series<float>& displacement,
                              Interpolation interpolation, Label outside, const Progress& progress) {
  // The labels are replaced by their indices in the sorted list of labels, which fit into a float whatever
  // the labels are.
  std::vector<Label> known{outside};
  for (const Label label : labels.values)
    if (label != known.back()) known.push_back(label);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  Series<float> indices(labels.grid, 1);
  const auto indexOf = [&](Label label) {
    return float(std::lower_bound(known.begin(), known.end(), label) - known.begin());
  };
  std::transform(labels.values.begin(), labels.values.end(), indices.values.begin(), indexOf);
  const Series<float> moved = displaced(indices, displacement, interpolation, indexOf(outside), progress);
  Volume<Label> result(displacement.grid);
  std::transform(moved.values.begin(), moved.values.end(), result.values.begin(),
                 [&](float index) { return known[std::size_t(index)]; });
  return result;
}

Vec3<double> displacedPoint(const Vec3<double>& p, const Series<float>& displacement,
                            const Affine& voxelFromWorld) {
  const Vec3<double> v = voxelFromWorld.point(p);
  const auto cell = cellAt(displacement.grid.size, v.x, v.y, v.z);
  Vec3<double> moved = p;
  for (int i = 0; i < 3; ++i) moved[i] += interpolated(displacement.volume(i).data, cell);
  return moved;
}

Layer applyField(const Layer& layer, const std::vector<Transform>& transforms, const Grid& grid,
                 const ApplyOptions& options, const Progress& progress) {
  Layer result = layer;
  result.notes.clear();
  result.reinterpretations.clear();
  result.source.clear();
  result.provenance.reset();
  if (std::holds_alternative<VolumeLayer>(layer.content) ||
      std::holds_alternative<LabelsLayer>(layer.content) || std::holds_alternative<PeaksLayer>(layer.content))
    deformImage(result, transforms, grid, options, progress);
  else
    movePoints(result, TransformChain(transforms));
  return result;
}

}  // namespace sulcus::registration
