#include "app/surface_outlook.h"

#include "app/input_layers.h"
#include "app/surface_inputs.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <mutex>

namespace sulcus::app {
namespace {

using Kind = SurfaceChoice::Kind;

/// What is known about the numbers of a layer.
struct Facts {
  Range range;
  std::vector<std::int32_t> labels;
};

/// Of the layers asked for last: a slider asks again and again.
Facts factsOf(const LayerPtr& layer) {
  struct Known {
    std::weak_ptr<const Layer> layer;
    Facts facts;
  };
  static std::mutex mutex;
  static std::list<Known> known;
  constexpr std::size_t kMost = 4;
  const std::lock_guard lock(mutex);
  for (const Known& one : known)
    if (one.layer.lock() == layer) return one.facts;
  known.push_front({layer, {soundRange(*layer), labelsOf(*layer)}});
  if (known.size() > kMost) known.pop_back();
  return known.front().facts;
}

/// "153 000", rounded to three digits.
std::string aboutText(double number) {
  if (number <= 0) return "0";
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(number)) - 2));
  std::string digits = std::to_string(std::llround(std::round(number / unit) * unit));
  for (int at = int(digits.size()) - 3; at > 0; at -= 3) digits.insert(std::size_t(at), 1, ' ');
  return digits;
}

/// Area of the faces between inside and outside, mm², of every `stride`-th plane and scaled up.
template <class Inside>
double faceArea(const Grid& grid, const Inside& inside) {
  constexpr std::int64_t kMostVoxels = 500'000;  // some milliseconds, at every step of a slider
  const Vec3<int> size = grid.size;
  const Vec3<double> s = grid.spacing();
  const int stride = int(1 + grid.voxels() / kMostVoxels);
  std::int64_t x = 0, y = 0, z = 0;
  int planes = 0;
  for (int k = 0; k < size.z; k += stride, ++planes)
    for (int j = 0; j < size.y; ++j)
      for (int i = 0; i < size.x; ++i) {
        const std::int64_t at = grid.index(i, j, k);
        const bool in = inside(at);
        x += i + 1 < size.x && in != inside(at + 1);
        y += j + 1 < size.y && in != inside(at + size.x);
        z += k + 1 < size.z && in != inside(at + std::int64_t(size.x) * size.y);
      }
  const double scale = double(size.z) / std::max(planes, 1);
  return scale * (double(x) * s.y * s.z + double(y) * s.x * s.z + double(z) * s.x * s.y);
}

template <class Values, class Inside>
double faceAreaOf(const Values& volume, const Inside& inside) {
  return faceArea(volume.grid,
                  [&](std::int64_t at) { return inside(double(volume.values[std::size_t(at)])); });
}

double areaOf(const Mesh& mesh) {
  double area = 0;
  for (const auto& t : mesh.triangles) {
    const Vec3<float> a = mesh.points[std::size_t(t[0])];
    area += 0.5 * double(norm(cross(mesh.points[std::size_t(t[1])] - a, mesh.points[std::size_t(t[2])] - a)));
  }
  return area;
}

/// About, mm².
double areaOf(const SurfaceChoice& choice, const SurfaceOptions& options) {
  constexpr double kFacesPerArea = 1.5;  // the mean of |n.x| + |n.y| + |n.z| over all directions
  const Layer& layer = *choice.layer;
  if (const auto* mesh = std::get_if<MeshLayer>(&layer.content)) return areaOf(*mesh->mesh);
  const auto inside = [&](double value) {
    switch (choice.kind) {
      case Kind::mask:
        return options.label == 0 ? value != 0 : value == options.label;
      case Kind::image:
        return value > options.threshold;
      default:
        return value < 0;
    }
  };
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content))
    return faceAreaOf(*labels->labels, inside) / kFacesPerArea;
  return faceAreaOf(*volumeOf(layer, "image").series, inside) / kFacesPerArea;
}

BandEstimate bandEstimate(const SurfaceChoice& choice, const SurfaceOptions& options) {
  const Grid grid = gridFor(choice, options);
  const double edge = voxelEdge(grid), all = double(grid.voxels());
  return {std::min(all, areaOf(choice, options) * 2 * options.delta / (edge * edge)), all};
}

std::string whatIsUsed(const SurfaceChoice& choice, const SurfaceOptions& options) {
  std::string name = "'" + choice.layer->name + "'";
  switch (choice.kind) {
    case Kind::mask: {
      const auto labels = factsOf(choice.layer).labels;
      const std::string has = labels.size() > 1 ? " (its labels: " + listed(labels) + ")" : "";
      return options.label == 0 ? "All of " + name + " that is not 0" + has
                                : text("Label ", options.label, " of ", name, has);
    }
    case Kind::image: {
      const Range range = factsOf(choice.layer).range;
      return name + " above " + numberText(options.threshold) + " (its values: " + numberText(range.low) +
             " to " + numberText(range.high) + ")";
    }
    case Kind::mesh:
      return name + " in " + describeGrid(gridFor(choice, options));
    case Kind::phi:
      return name + ", a signed distance in mm";
  }
  return name;
}

}  // namespace

std::string adviseSurface(const AnalysisInputs& inputs, const OptionValues& values) {
  try {
    const auto options = optionsFrom<SurfaceOptions>(values);
    const SurfaceChoice choice = surfaceChoice(inputs);
    const std::string used = whatIsUsed(choice, options);
    const double band = bandEstimate(choice, options).voxels;
    if (band == 0) return used + ": no surface there.";
    return used + ". About " + aboutText(band) + " voxels within " + numberText(options.delta) +
           " of the surface.";
  } catch (const Error& fault) {
    return fault.what();
  }
}

std::map<std::string, Range> surfaceSpans(const AnalysisInputs& inputs) {
  std::map<std::string, Range> spans;
  if (const auto image = inputs.find("image"); image != inputs.end() && image->second)
    if (const Range range = factsOf(image->second).range; range.low < range.high) spans["threshold"] = range;
  if (const auto mask = inputs.find("mask"); mask != inputs.end() && mask->second)
    if (const auto labels = factsOf(mask->second).labels; !labels.empty() && labels.back() > 0)
      spans["label"] = {0, double(labels.back())};
  return spans;
}

BandEstimate bandEstimate(const AnalysisInputs& inputs, const SurfaceOptions& options) {
  try {
    return bandEstimate(surfaceChoice(inputs), options);
  } catch (const Error&) {
    return {};  // a run would say why
  }
}

}  // namespace sulcus::app
