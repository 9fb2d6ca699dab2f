#include "core/phantom/registration_phantom.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/image/grids/value_check.h"
#include "core/phantom/centered_grid.h"
#include "core/phantom/cubic_interpolation.h"
#include "core/phantom/known_warp.h"
#include "core/phantom/registration_draws.h"
#include "core/phantom/registration_shapes.h"
#include "core/registration/results/apply_field.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

namespace sulcus::phantom {
namespace {

constexpr double kVoxel = 2;  // mm, in the computed images
constexpr std::int64_t kBlock = 4096;
constexpr double kSmallestAxis = 4, kLargestAxis = 1024;  // voxels of the template at another resolution

/// The scene that is imaged twice. Positions and displacements are in voxels of `grid`, from its center.
struct Scene {
  Grid grid;  ///< of the reference
  std::function<double(const Vec3<double>&)> templateAt;
  std::function<double(const Vec3<double>&)> referenceAt;      ///< at the position where the template is read
  std::function<bool(const Vec3<double>&, double)> hasObject;  ///< for that position and the value there
  std::function<Vec3<double>(const Vec3<double>&)> displacementAt;
  IntensityRange range{0, kBright};
  bool hasTruth = true;
};

Vec3<double> centerInVoxels(const Grid& grid) {
  return 0.5 * Vec3<double>{grid.size.x - 1.0, grid.size.y - 1.0, grid.size.z - 1.0};
}

/// Calls body(index, position from the center in voxels) for all voxels.
template <class Body>
void forEachVoxel(const Grid& grid, const Body& body) {
  const Vec3<double> middle = centerInVoxels(grid);
  parallelFor(grid.voxels(), kBlock, {}, [&](std::int64_t i) {
    const Vec3<int> v = grid.voxel(i);
    body(i, Vec3<double>{double(v.x), double(v.y), double(v.z)} - middle);
  });
}

Scene computedScene(const RegistrationPhantomOptions& options) {
  const int n = options.size;
  const bool brain = options.kind == RegistrationPhantomKind::brain;
  Scene scene;
  scene.grid = centeredGrid({n, n, brain ? n : n / 2}, {kVoxel, kVoxel, kVoxel});
  if (brain) {
    scene.displacementAt = KnownWarp(options.seed, n, options.displacement * n / 64.0);
    scene.templateAt = scene.referenceAt = [n](const Vec3<double>& p) { return headAt(p, n); };
    scene.hasObject = [n](const Vec3<double>& p, double) { return isInBrain(p, n); };
  } else {
    scene.displacementAt = [](const Vec3<double>&) { return Vec3<double>{}; };
    scene.templateAt = [n](const Vec3<double>& p) { return diskAt(p, n, true); };
    scene.referenceAt = [n](const Vec3<double>& p) { return diskAt(p, n, false); };
    scene.hasObject = [](const Vec3<double>&, double value) { return value > 0.5 * kBright; };
    scene.hasTruth = false;
  }
  return scene;
}

/// The known warp of a unit cube over the box of an image: equally long along all axes, but zero along an
/// axis of one voxel.
std::function<Vec3<double>(const Vec3<double>&)> warpOver(const Grid& grid,
                                                          const RegistrationPhantomOptions& options) {
  const Vec3<double> spacing = grid.spacing();
  // The shortest extent, mm: a longer displacement might fold.
  double extent = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i)
    if (grid.size[i] > 1) extent = std::min(extent, grid.size[i] * spacing[i]);
  return [warp = KnownWarp(options.seed, 1, options.displacement / 64), size = grid.size, spacing,
          extent](const Vec3<double>& p) {
    Vec3<double> d = warp({p.x / size.x, p.y / size.y, p.z / size.z});
    for (int i = 0; i < 3; ++i) d[i] *= size[i] > 1 ? extent / spacing[i] : 0;
    return d;
  };
}

void checkImage(const RegistrationPhantomImage& given) {
  const Series<float>& image = *given.image;
  if (image.count != 1)
    throw Error(text("The image has ", image.count, " volumes"), "a phantom is made of one",
                "give a single volume of it");
  requireSound(image.values, "The image", "interpolation would spread them",
               "replace them, for example by 0");
  if (checkValues(image.values).constant())
    throw Error("The image is constant", "its warp could not be seen", "give an image of something");
  if (!(std::abs(image.grid.worldFromVoxel.determinant()) > 0))
    throw Error("The image has voxels without volume", "its place in space is unknown", "correct its header");
  if (given.labels && !sameGrid(given.labels->grid, image.grid))
    throw Error(
        text("The labels have ", describeGrid(given.labels->grid), ", the image ", describeGrid(image.grid)),
        "they are warped together", "give labels on the grid of the image");
}

Scene sceneOf(const RegistrationPhantomImage& given, const RegistrationPhantomOptions& options) {
  checkImage(given);
  const auto image = given.image;
  Scene scene;
  scene.grid = image->grid;
  scene.range = intensityRange(*image);
  scene.displacementAt = warpOver(scene.grid, options);
  const ValueCheck values = checkValues(image->values);
  scene.templateAt = [image, middle = centerInVoxels(image->grid), low = double(values.low),
                      high = double(values.high)](const Vec3<double>& p) {
    return std::clamp(cubicAt(image->volume(0), p + middle), low, high);
  };
  scene.referenceAt = scene.templateAt;
  double mean = 0;
  for (const float value : image->values) mean += value / double(image->values.size());
  scene.hasObject = [mean](const Vec3<double>&, double value) { return value > mean; };
  return scene;
}

/// The grid over the same box with voxels of `spacing` mm along each axis with more than one voxel, or the
/// grid itself if `spacing` is 0.
Grid resampledGrid(const Grid& grid, double spacing) {
  if (spacing == 0) return grid;
  Grid result = grid;
  const Vec3<double> old = grid.spacing();
  Vec3<double> first = centerInVoxels(grid);  // in voxels of the old grid
  for (int i = 0; i < 3; ++i) {
    if (grid.size[i] == 1) continue;
    const double ratio = spacing / old[i], n = std::max(1.0, std::round(grid.size[i] / ratio));
    if (n < kSmallestAxis || n > kLargestAxis)
      throw Error(text("With voxels of ", spacing, " mm the template would have ", std::int64_t(n),
                       " of them along one axis"),
                  text("it takes from ", kSmallestAxis, " to ", kLargestAxis),
                  "choose another {spacing}"_message, ErrorKind::usage);
    result.size[i] = int(n);
    for (int row = 0; row < 3; ++row) result.worldFromVoxel.m[row][i] *= ratio;
    first[i] -= 0.5 * (n - 1) * ratio;
  }
  result.worldFromVoxel.t = grid.worldFromVoxel.point(first);
  return result;
}

/// The template without noise, receive field and signal loss.
class TemplateImage {
 public:
  TemplateImage(const Scene& scene, const Grid& grid) : scene_(scene) {
    for (int i = 0; i < 3; ++i) {
      ratio_[i] = grid.spacing()[i] / scene.grid.spacing()[i];
      points_[i] = std::max(1, int(std::ceil(ratio_[i] - 1e-6)));
    }
  }
  /// Converts a position in the template to one in the scene, both in their voxels from the center.
  Vec3<double> inScene(const Vec3<double>& p) const {
    return {ratio_.x * p.x, ratio_.y * p.y, ratio_.z * p.z};
  }
  /// The mean over a voxel, from points no further apart than the voxels of the scene.
  double operator()(const Vec3<double>& voxel, PhantomContrast contrast) const {
    double sum = 0;
    Vec3<int> k;
    for (k.z = 0; k.z < points_.z; ++k.z)
      for (k.y = 0; k.y < points_.y; ++k.y)
        for (k.x = 0; k.x < points_.x; ++k.x) {
          Vec3<double> p;
          for (int i = 0; i < 3; ++i) p[i] = voxel[i] + ((k[i] + 0.5) / points_[i] - 0.5);
          sum += inContrast(scene_.templateAt(inScene(p)), scene_.range, contrast);
        }
    return sum / (points_.x * points_.y * points_.z);
  }

 private:
  const Scene& scene_;
  Vec3<double> ratio_;
  Vec3<int> points_;
};

/// The factor of the signal loss, or nullopt if there is none.
std::optional<SignalLoss> signalLoss(const TemplateImage& image, const Grid& grid, double strength) {
  if (strength == 0) return {};
  Series<float> whole(grid, 1);
  forEachVoxel(grid, [&](std::int64_t i, const Vec3<double>& p) {
    whole.at(i, 0) = float(image(p, PhantomContrast::none));
  });
  return SignalLoss(brightPart(whole), strength);
}

std::shared_ptr<const Series<float>> makeTemplate(const Scene& scene,
                                                  const RegistrationPhantomOptions& options, double sigma) {
  const Grid grid = resampledGrid(scene.grid, options.spacing);
  const TemplateImage image(scene, grid);
  const ReceiveField field(options.seed, options.bias);
  const std::optional<SignalLoss> loss = signalLoss(image, grid, options.dropout);
  const Vec3<double> middle = centerInVoxels(grid);
  auto result = std::make_shared<Series<float>>(grid, 1);
  forEachVoxel(grid, [&](std::int64_t i, const Vec3<double>& p) {
    double value = image(p, options.contrast);
    if (options.bias != 0) {
      const Vec3<double> at = image.inScene(p);
      value *= field({at.x / scene.grid.size.x, at.y / scene.grid.size.y, at.z / scene.grid.size.z});
    }
    if (loss) value *= (*loss)(grid.worldFromVoxel.point(p + middle));
    result->at(i, 0) = float(value + sigma * normal(options.seed, Draw::templateNoise, std::uint64_t(i)));
  });
  return result;
}

RegistrationPhantom phantomOf(const Scene& scene, const RegistrationPhantomOptions& options) {
  const double sigma = options.noise / 100 * (scene.range.bright - scene.range.dark);
  auto reference = std::make_shared<Series<float>>(scene.grid, 1);
  auto truth = std::make_shared<Series<float>>(scene.grid, 3);
  auto object = std::make_shared<Mask>(scene.grid);
  forEachVoxel(scene.grid, [&](std::int64_t i, const Vec3<double>& p) {
    const Vec3<double> d = scene.displacementAt(p), mm = scene.grid.worldFromVoxel.vector(d);
    for (int c = 0; c < 3; ++c) truth->at(i, c) = float(mm[c]);
    const double value = scene.referenceAt(p + d);
    reference->at(i, 0) = float(value + sigma * normal(options.seed, Draw::referenceNoise, std::uint64_t(i)));
    object->values[i] = scene.hasObject(p + d, value);
  });
  RegistrationPhantom phantom;
  phantom.templateImage = makeTemplate(scene, options, sigma);
  phantom.reference = std::move(reference);
  phantom.object = std::move(object);
  if (scene.hasTruth) phantom.truth = std::move(truth);
  return phantom;
}

}  // namespace

RegistrationPhantom makeRegistrationPhantom(const RegistrationPhantomOptions& options) {
  return phantomOf(computedScene(options), options);
}

RegistrationPhantom makeRegistrationPhantom(const RegistrationPhantomOptions& options,
                                            const RegistrationPhantomImage& given) {
  RegistrationPhantom phantom = phantomOf(sceneOf(given, options), options);
  if (!given.labels) return phantom;
  const auto warped = [&](const Series<float>& displacement) {
    return std::make_shared<const Volume<Label>>(
        registration::displacedLabels(*given.labels, displacement, Interpolation::label, 0, {}));
  };
  phantom.referenceLabels = warped(*phantom.truth);
  phantom.templateLabels =
      options.spacing == 0 ? given.labels : warped(Series<float>(phantom.templateImage->grid, 3));
  return phantom;
}

}  // namespace sulcus::phantom
