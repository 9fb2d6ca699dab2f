#include "core/registration/population/linear_average.h"

#include "core/base/error.h"
#include "core/base/platform/memory/host_memory.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/image/grids/value_check.h"
#include "core/math/affine_mean.h"
#include "core/registration/deformation/pyramid.h"
#include "core/registration/population/running_average.h"
#include "core/registration/population/shape_average.h"
#include "core/registration/preparation/intensity.h"
#include "core/registration/preparation/resample.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::registration {
namespace {

constexpr double kRoom = 0.1;            // margin around the object, relative to its width
constexpr double kFewestRoomVoxels = 4;  // least margin, voxels
// Largest edge of the coarse voxels, in radii of the object: 2.6 mm for a head.
constexpr double kCoarsest = 1 / 17.;

/// A box along the axes of the scanner, mm.
struct Box {
  Vec3<double> low, high;
};

/// The grid in a box, of isotropic voxels. Its numbers are rounded as in a file, so that it is read back
/// unchanged.
Grid gridIn(const Box& box, double spacing) {
  Grid grid;
  spacing = double(float(spacing));
  for (int axis = 0; axis < 3; ++axis) {
    const double width = box.high[axis] - box.low[axis];
    grid.size[axis] = std::max(kSmallestAxis, int(std::ceil(width / spacing)) + 1);
    grid.worldFromVoxel.m[axis][axis] = spacing;
    const double rest = (grid.size[axis] - 1) * spacing - width;
    grid.worldFromVoxel.t[axis] = std::round(64 * (box.low[axis] - rest / 2)) / 64;
  }
  return grid;
}

/// The bounding box of an object with some margin, limited to another box.
Box boxOf(const Mask& object, const Box& within) {
  const Grid& grid = object.grid;
  constexpr double kFar = std::numeric_limits<double>::max();
  Box box{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    if (object.values[i] == 0) continue;
    const Vec3<double> at = grid.positionOf(i);
    for (int axis = 0; axis < 3; ++axis) {
      box.low[axis] = std::min(box.low[axis], at[axis]);
      box.high[axis] = std::max(box.high[axis], at[axis]);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double room =
        std::max(kRoom * (box.high[axis] - box.low[axis]), kFewestRoomVoxels * grid.spacing()[axis]);
    box.low[axis] = std::max(box.low[axis] - room, within.low[axis]);
    box.high[axis] = std::min(box.high[axis] + room, within.high[axis]);
  }
  return box;
}

/// A person whose image is open.
struct OpenPerson {
  std::size_t person;
  const Series<float>& image;
};

Affine alignedTo(const Series<float>& reference, const OpenPerson& open, const PopulationInput& input,
                 const PopulationOptions& options, const std::optional<Affine>& initial,
                 const Progress& progress) {
  try {
    return input.alignLinearly(open.image, reference, {nullptr},
                               {LinearAlignment::affine, options.registration.affineSimilarity}, initial,
                               progress);
  } catch (const Error& fault) {
    throw Error(inQuotes(input.names[open.person]) + " was not aligned to " +
                    (initial ? "the average of all" : inQuotes(input.names[0])),
                fault.message(), "leave out, or repair, the one that is damaged", fault.kind());
  }
}

/// Makes the mean of the linear maps the identity.
void recenter(std::vector<Affine>& personFromTemplate) {
  // Maps from people to the template have the mean M; followed by M⁻¹ their mean is the identity.
  std::vector<Affine> templateFromPerson;
  for (const Affine& map : personFromTemplate) templateFromPerson.push_back(map.inverse());
  const auto middle = middleOf(templateFromPerson);
  if (!middle)
    throw Error("The heads of two people differ by a half turn", "there is no middle between them",
                "turn one of the images: its header says another orientation than it has");
  for (Affine& map : personFromTemplate) map = map * *middle;
}

/// The fields of view of the images, mapped to the template: the mean of their ends.
Box meanBox(const std::vector<Grid>& grids, const std::vector<Affine>& personFromTemplate) {
  Box mean{};
  for (std::size_t p = 0; p < grids.size(); ++p) {
    const Affine templateFromVoxel = personFromTemplate[p].inverse() * grids[p].worldFromVoxel;
    const Vec3<int>& n = grids[p].size;
    const Vec3<double> middle = templateFromVoxel.point({(n.x - 1) / 2., (n.y - 1) / 2., (n.z - 1) / 2.});
    for (int axis = 0; axis < 3; ++axis) {
      double half = 0;  // half the bounding box of the rotated grid
      for (int k = 0; k < 3; ++k)
        half = std::max(half, std::abs(templateFromVoxel.column(k)[axis]) * (n[k] - 1) / 2);
      mean.low[axis] += (middle[axis] - half) / double(grids.size());
      mean.high[axis] += (middle[axis] + half) / double(grids.size());
    }
  }
  return mean;
}

bool showsNothing(const std::vector<float>& values) {
  const auto first = std::ranges::find_if(values, isSound);
  return std::none_of(first, values.end(), [&](float value) { return isSound(value) && value != *first; });
}

/// Throws Error if a registration on a grid takes more memory than available.
void requireMemoryFor(const Grid& grid) {
  constexpr double kBytes = 200;  // per voxel
  const double bytes = kBytes * grid.size.x * grid.size.y * grid.size.z, free = freeHostMemory();
  if (free > 0 && bytes > free)
    throw Error(text("A template of ", describeGrid(grid), " takes about ", bytes / 1e9, " GB"),
                text(free / 1e9, " GB are free"), "take larger voxels: {spacing}"_message,
                ErrorKind::unavailable);
}

}  // namespace

double templateSpacing(const std::vector<Grid>& grids, const PopulationOptions& options) {
  if (options.spacing > 0) return options.spacing;
  std::vector<double> sizes;
  for (const Grid& grid : grids) {
    const Vec3<double> s = grid.spacing();
    sizes.push_back(std::cbrt(s.x * s.y * s.z));
  }
  std::ranges::sort(sizes);
  return std::round(1000 * sizes[sizes.size() / 2]) / 1000;
}

std::shared_ptr<const Series<float>> openedImage(const PopulationInput& input, std::size_t person) {
  auto image = input.open(person);
  if (!image || image->count != 1)
    throw Error(inQuotes(input.names[person]) + " is not an image of one volume",
                "a template is made of one image of each person", "leave it out, or give one volume of it");
  const Vec3<int>& n = image->grid.size;
  if (std::min({n.x, n.y, n.z}) < kSmallestAxis)
    throw Error(inQuotes(input.names[person]) + " has " + describeGrid(image->grid),
                "a template is made of volumes", "leave it out");
  if (showsNothing(image->values))
    throw Error(inQuotes(input.names[person]) + " shows nothing",
                "its values are all equal, or none is usable", "leave it out, or repair it");
  if (const auto odd = std::ranges::count_if(image->values, [](float value) { return !isSound(value); });
      odd > 0)
    throw Error(inQuotes(input.names[person]) + " holds " + counted(odd, "value") +
                    (odd == 1 ? " that is not finite" : " that are not finite"),
                "its values are interpolated", "replace them, e.g. by 0");
  return image;
}

PopulationState linearAverage(const PopulationInput& input, const PopulationOptions& options,
                              const Progress& progress) {
  const std::size_t people = input.names.size();
  PopulationState state;
  auto& maps = state.personFromTemplate;
  std::vector<Grid> grids;
  const auto partOf = [&](double from, double to, std::size_t person) {
    const double at = from + (to - from) * double(person) / double(people);
    return progress.part(at, at + (to - from) / double(people),
                         text("linear average, ", person + 1, " of ", people));
  };
  {
    const auto first = openedImage(input, 0);
    grids.push_back(first->grid);
    maps.emplace_back();
    for (std::size_t p = 1; p < people; ++p) {
      const auto image = openedImage(input, p);
      grids.push_back(image->grid);
      maps.push_back(alignedTo(*first, {p, *image}, input, options, {}, partOf(0, 0.45, p)));
    }
  }
  const double spacing = templateSpacing(grids, options);
  const auto averageOn = [&](const Grid& grid, double from, double to) {
    RunningAverage average(grid, {}, nullptr, nullptr);
    for (std::size_t p = 0; p < people; ++p) {
      const auto image = openedImage(input, p);
      average.add(resampled(*image, grid, maps[p],
                            {Interpolation::linear, std::numeric_limits<float>::quiet_NaN()}, nullptr,
                            partOf(from, to, p)));
    }
    return average;
  };
  recenter(maps);
  const Grid whole = gridIn(meanBox(grids, maps), spacing);
  const Grid wide = coarser(whole);
  requireMemoryFor(wide);
  {
    const Series<float> average{averageOn(wide, 0.45, 0.55).mean()};
    for (std::size_t p = 0; p < people; ++p) {
      const auto image = openedImage(input, p);
      maps[p] = alignedTo(average, {p, *image}, input, options, maps[p], partOf(0.55, 0.8, p));
    }
  }
  recenter(maps);
  const Mask object = objectOf(averageOn(wide, 0.8, 0.9).mean());
  state.grid = gridIn(boxOf(object, meanBox(grids, maps)), spacing);
  requireMemoryFor(state.grid);
  state.coarse = coarser(state.grid);
  if (finestSpacing(state.coarse) > kCoarsest * objectRadius(object.values, wide)) state.coarse = state.grid;
  const RunningAverage average = averageOn(state.coarse, 0.9, 1);
  state.average = average.mean();
  state.sd = average.sd();
  state.dark = average.dark();
  state.brightness = average.brightness();
  return state;
}

}  // namespace sulcus::registration
