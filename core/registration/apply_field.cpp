#include "core/registration/apply_field.h"

#include "core/base/error.h"
#include "core/base/parallel_for.h"
#include "core/base/sentence.h"
#include "core/image/interpolate.h"
#include "core/image/value_check.h"
#include "core/registration/vector_field.h"

#include <algorithm>
#include <cmath>

namespace sulcus::registration {
namespace {

std::string percent(std::int64_t part, std::int64_t whole) {
  return text(double(std::lround(1000.0 * double(part) / double(whole))) / 10, " %");
}

/// Whether the displacement leads from any voxel of its grid into the image.
bool reaches(const Grid& image, const Series<float>& displacement) {
  const Affine voxelFromWorld = image.worldFromVoxel.inverse();
  const Grid& grid = displacement.grid;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const Vec3<double> d{displacement.at(i, 0), displacement.at(i, 1), displacement.at(i, 2)};
    const Vec3<double> p =
        voxelFromWorld.point(grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)}) + d);
    if (isInImage(image.size, p)) return true;
  }
  return false;
}

/// Sets the voxels of each volume that are not covered to 0.
template <class T>
void clearUncovered(std::vector<T>& values, const Mask& covered) {
  const std::size_t voxels = covered.values.size();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!covered.values[i % voxels]) values[i] = T{};
}

}  // namespace

Volume<std::int32_t> displacedLabels(const Volume<std::int32_t>& labels, const Series<float>& displacement,
                                     const Progress& progress) {
  // The labels are replaced by their indices in the sorted list of labels, which fit into a float whatever
  // the labels are.
  std::vector<std::int32_t> known{0};
  for (const std::int32_t label : labels.values)
    if (label != known.back()) known.push_back(label);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  Series<float> indices(labels.grid, 1);
  const auto indexOf = [&](std::int32_t label) {
    return float(std::lower_bound(known.begin(), known.end(), label) - known.begin());
  };
  std::transform(labels.values.begin(), labels.values.end(), indices.values.begin(), indexOf);
  const Series<float> moved = displaced(indices, displacement, Interpolation::label, indexOf(0), progress);
  Volume<std::int32_t> result(displacement.grid);
  std::transform(moved.values.begin(), moved.values.end(), result.values.begin(),
                 [&](float index) { return known[std::size_t(index)]; });
  return result;
}

Series<float> displacementOn(const Series<float>& displacement, const Grid& grid, Mask& covered,
                             const Progress& progress) {
  Series<float> result(grid, 3);
  for (int c = 0; c < 3; ++c) {
    const Volume<float> component =
        resampled(displacement.grid, displacement.volume(c), grid, {}, Interpolation::linear, {},
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

AppliedField applyField(const Layer& image, const Series<float>& displacement, const Grid& grid,
                        std::optional<Interpolation> interpolation, const Progress& progress) {
  requireField(displacement);
  const auto* labels = std::get_if<LabelsLayer>(&image.content);
  const auto* volume = std::get_if<VolumeLayer>(&image.content);
  if (!labels && !volume)
    throw Error("'" + image.name + "' cannot be deformed", "it holds " + kindOf(image),
                "give a volume, a series or labels");

  AppliedField result;
  if (volume)
    if (const auto unsound = unsoundText(checkValues(volume->series->values)); !unsound.empty())
      result.notes.push_back(
          "Values of the image that cannot be worked on spread to what is interpolated from them: " +
          unsound + ".");
  Mask covered;
  const bool same = sameGrid(displacement.grid, grid);
  const Series<float> other =
      same ? Series<float>() : displacementOn(displacement, grid, covered, progress.part(0, 0.4, ""));
  const Series<float>& field = same ? displacement : other;
  if (!same) {
    result.notes.emplace_back("The field was interpolated on the grid of the result.");
    if (const auto missing = std::count(covered.values.begin(), covered.values.end(), 0); missing > 0)
      result.notes.push_back(percent(missing, grid.voxels()) +
                             " of the result lies outside the field and is 0.");
  }
  if (!reaches(*gridOf(image), field))
    throw Error("The field leads nowhere into '" + image.name + "'",
                "the image lies elsewhere in scanner space than the template it was made for",
                "give the template of the registration, or an image in its space");

  result.image = image;
  result.image.notes.clear();
  const Progress part = progress.part(0.4, 1, "Deform");
  if (labels && interpolation.value_or(Interpolation::label) == Interpolation::label) {
    auto moved = displacedLabels(*labels->labels, field, part);
    if (!same) clearUncovered(moved.values, covered);
    result.image.content = LabelsLayer{std::make_shared<const Volume<std::int32_t>>(std::move(moved))};
    return result;
  }
  Series<float> numbers;
  if (labels) {
    numbers = Series<float>(labels->labels->grid, 1);
    std::copy(labels->labels->values.begin(), labels->labels->values.end(), numbers.values.begin());
  }
  Series<float> moved = displaced(labels ? numbers : *volume->series, field,
                                  interpolation.value_or(Interpolation::linear), 0, part);
  if (!same) clearUncovered(moved.values, covered);
  VolumeLayer content;
  if (volume) content.secondsPerVolume = volume->secondsPerVolume, content.volumeNames = volume->volumeNames;
  content.series = std::make_shared<const Series<float>>(std::move(moved));
  result.image.content = std::move(content);
  if (volume && !volume->gradients.empty())
    result.notes.emplace_back("Its gradients were left out: the deformation turns them in each voxel.");
  return result;
}

}  // namespace sulcus::registration
