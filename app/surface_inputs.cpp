#include "app/surface_inputs.h"

#include "app/input_layers.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/image/value_check.h"
#include "core/io/level_sets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace sulcus::app {
namespace {

using Kind = SurfaceChoice::Kind;

constexpr std::size_t kMostLabels = 128;  // of a volume that is offered as a mask
constexpr std::size_t kListed = 12;
constexpr double kMarginVoxels = 2;  // beyond band and patch

bool isMesh(const Layer& layer) { return std::holds_alternative<MeshLayer>(layer.content); }

bool isImage(const Layer& layer) { return isVolume(layer) && isMask(layer); }

/// Calls use(value) for each voxel until it says false; the first volume of a series.
template <class Use>
void forEachVoxel(const Layer& layer, const Use& use) {
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content)) {
    for (const std::int32_t value : labels->labels->values)
      if (!use(value)) return;
  } else if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) {
    const float* const values = volume->series->values.data();
    for (std::int64_t i = 0; i < volume->series->grid.voxels(); ++i)
      if (!use(values[i])) return;
  }
}

/// Whether a layer looks like a mask or labels: an image has more values than these have labels.
bool isLabelled(const Layer& layer) {
  if (std::holds_alternative<LabelsLayer>(layer.content)) return true;
  if (!isImage(layer)) return false;
  std::set<double> found;
  double last = 0;
  bool labelled = true;
  forEachVoxel(layer, [&](auto value) {
    if (double(value) == last) return true;
    last = double(value);
    labelled = last == std::floor(last) && (found.insert(last), found.size() <= kMostLabels);
    return labelled;
  });
  return labelled;
}

/// The first volume of a layer.
Volume<float> volumeIn(const Layer& layer, const std::string& slot) {
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content)) {
    Volume<float> volume(labels->labels->grid);
    std::copy(labels->labels->values.begin(), labels->labels->values.end(), volume.values.begin());
    return volume;
  }
  const Series<float>& series = *volumeOf(layer, slot).series;
  Volume<float> volume(series.grid);
  std::copy_n(series.values.begin(), volume.values.size(), volume.values.begin());
  return volume;
}

void requireOneVolume(const Layer& layer, const std::string& slot) {
  if (std::holds_alternative<LabelsLayer>(layer.content)) return;
  if (const int count = volumeOf(layer, slot).series->count; count != 1)
    throw Error(text("'", layer.name, "' holds ", count, " volumes"), "a surface is of one",
                "give one volume of it");
}

/// What is inside: the label, or all that is not 0.
Mask insideOf(const Layer& layer, int label) {
  if (label == 0) return maskOf(layer);
  Mask mask(*gridOf(layer));
  auto out = mask.values.begin();
  forEachVoxel(layer, [&](auto value) {
    *out++ = double(value) == label;
    return true;
  });
  return mask;
}

void requireMask(const Layer& layer, int label) {
  requireOneVolume(layer, "mask");
  if (label != 0) {
    const auto labels = labelsOf(layer);
    if (!std::binary_search(labels.begin(), labels.end(), label))
      throw Error(text("'", layer.name, "' has no label ", label),
                  labels.empty() ? "it holds no labels" : "its labels are " + listed(labels),
                  "choose another label, or all");
  }
  const Mask inside = insideOf(layer, label);
  const auto count = std::count_if(inside.values.begin(), inside.values.end(), [](auto v) { return v != 0; });
  if (count == 0)
    throw Error("The mask '" + layer.name + "' is empty", "nothing lies inside a surface",
                "give a mask in which some voxels are not 0");
  if (count == inside.grid.voxels())
    throw Error("The mask '" + layer.name + "' is full", "nothing lies outside a surface",
                "give a mask in which some voxels are 0, or choose a label");
}

void requireImage(const Layer& layer, double threshold) {
  requireOneVolume(layer, "image");
  const Range range = soundRange(layer);
  if (!std::isfinite(range.low))
    throw Error("'" + layer.name + "' holds no finite value", "there is nothing to threshold",
                "give another image");
  if (!(threshold >= range.low && threshold < range.high))
    throw Error("The threshold " + numberText(threshold) + " lies outside the image '" + layer.name + "'",
                "its values are from " + numberText(range.low) + " to " + numberText(range.high),
                "choose a threshold between them");
}

const Mesh& meshOf(const Layer& layer) {
  if (const auto* mesh = std::get_if<MeshLayer>(&layer.content)) return *mesh->mesh;
  throw Error("'" + layer.name + "' cannot be used as mesh", "it holds " + kindOf(layer),
              "give a surface made of triangles");
}

/// The level set in `slot`, whose values must all be sound.
Volume<float> levelSetIn(const Layer& layer, const std::string& slot) {
  Volume<float> level = volumeIn(layer, slot);
  requireSound(level.values, "The level set '" + layer.name + "'", "no surface can be placed by them",
               "replace them by a large distance, or make it from a mask");
  return level;
}

/// Mask or level set of a truth as its surface.
Mesh surfaceOfTruth(const Layer& layer, const Grid* grid, const Progress& progress) {
  if (!isMask(layer))
    throw Error("'" + layer.name + "' cannot be used as truth", "it holds " + kindOf(layer),
                "give the true level set, mask or surface");
  if (grid) requireTruthOn(*grid, *gridOf(layer), "input");
  const bool levelSet = isImage(layer) && soundRange(layer).low < 0;
  if (levelSet) return io::contourOf(levelSetIn(layer, "truth"), progress);
  requireMask(layer, 0);
  return io::contourOf(io::signedDistanceOfMask(insideOf(layer, 0), progress.part(0, 0.5, "Truth")),
                       progress.part(0.5, 1, "Truth"));
}

}  // namespace

std::vector<InputSlot> surfaceSlots() {
  constexpr const char* kOneOf = "surface";
  return {
      {"mask", "Mask", "A mask or labels: the surface around one label, or around all that is not 0", false,
       isLabelled, false, kOneOf, true},
      {"image", "Image", "A gray image: the surface where it crosses the threshold", false, isImage, false,
       kOneOf, true},
      {"mesh", "Mesh", "A closed surface", false, isMesh, false, kOneOf, true},
      {"phi", "Level set", "Signed distance of a surface in mm, negative inside", false, isImage, false,
       kOneOf},
      {"truth", "Truth",
       "The true surface of a phantom, to measure the error against: a level set, mask or mesh", false,
       [](const Layer& layer) { return isMask(layer) || isMesh(layer); }, true},
  };
}

SurfaceChoice surfaceChoice(const AnalysisInputs& inputs) {
  static const std::pair<const char*, Kind> kSlots[] = {
      {"mask", Kind::mask}, {"image", Kind::image}, {"mesh", Kind::mesh}, {"phi", Kind::phi}};
  SurfaceChoice choice;
  std::string given;
  for (const auto& [slot, kind] : kSlots)
    if (const auto found = inputs.find(slot); found != inputs.end() && found->second) {
      given += (choice.layer ? " and " : "") + std::string(slot);
      choice = {kind, found->second};
    }
  if (!choice.layer)
    throw Error("No surface was given", "there is nothing to denoise", "give a mask, image, mesh or phi",
                ErrorKind::usage);
  if (given.find(' ') != given.npos)
    throw Error("More than one surface was given: " + given, "it is not clear which is to be denoised",
                "give one of them", ErrorKind::usage);
  return choice;
}

std::vector<std::int32_t> labelsOf(const Layer& layer) {
  std::set<std::int32_t> found;
  std::int32_t last = 0;
  bool whole = true;
  forEachVoxel(layer, [&](auto value) {
    if constexpr (std::is_floating_point_v<decltype(value)>) {
      whole = value == std::floor(value) && std::abs(value) < 2147483648.F;
      if (!whole) return false;
    }
    if (std::int32_t(value) != last) found.insert(last = std::int32_t(value));
    return true;
  });
  found.erase(0);
  return whole ? std::vector<std::int32_t>(found.begin(), found.end()) : std::vector<std::int32_t>();
}

std::string listed(const std::vector<std::int32_t>& labels) {
  std::string list;
  for (std::size_t i = 0; i < std::min(labels.size(), kListed); ++i)
    list += (i > 0 ? ", " : "") + std::to_string(labels[i]);
  return labels.size() > kListed ? text(list, " and ", labels.size() - kListed, " more") : list;
}

Range soundRange(const Layer& layer) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  Range range{kNone, kNone};
  forEachVoxel(layer, [&](auto value) {
    if (!isSound(float(value))) return true;
    if (!(range.low <= double(value))) range.low = double(value);
    if (!(range.high >= double(value))) range.high = double(value);
    return true;
  });
  return range;
}

void requireSurface(const SurfaceChoice& choice, const SurfaceOptions& options) {
  switch (choice.kind) {
    case Kind::mask:
      return requireMask(*choice.layer, options.label);
    case Kind::image:
      return requireImage(*choice.layer, options.threshold);
    case Kind::mesh:
      meshOf(*choice.layer);
      return;
    case Kind::phi:
      requireOneVolume(*choice.layer, "phi");
      levelSetIn(*choice.layer, "phi");
      return;
  }
}

Grid gridFor(const SurfaceChoice& choice, const SurfaceOptions& options) {
  if (choice.kind != Kind::mesh) return *gridOf(*choice.layer);
  const int reach = options.patch / 2;
  const double margin = options.spacing * (options.delta + reach + kMarginVoxels);
  return io::gridAround(meshOf(*choice.layer), options.spacing, margin);
}

Volume<float> distanceOf(const SurfaceChoice& choice, const SurfaceOptions& options,
                         const Progress& progress) {
  requireSurface(choice, options);
  const Layer& layer = *choice.layer;
  switch (choice.kind) {
    case Kind::mask:
      return io::signedDistanceOfMask(insideOf(layer, options.label), progress);
    case Kind::image:
      return io::signedDistanceOfImage(volumeIn(layer, "image"), float(options.threshold), progress);
    case Kind::mesh:
      return io::signedDistanceOfMesh(meshOf(layer), gridFor(choice, options), progress);
    case Kind::phi:
      break;
  }
  return volumeIn(layer, "phi");
}

std::shared_ptr<const Mesh> contourOfInput(const SurfaceChoice& choice, const SurfaceOptions& options,
                                           const Progress& progress) {
  requireSurface(choice, options);
  const Layer& layer = *choice.layer;
  if (choice.kind == Kind::mesh) return std::get<MeshLayer>(layer.content).mesh;
  Volume<float> level;
  if (choice.kind == Kind::mask) {
    const Mask inside = insideOf(layer, options.label);
    level = Volume<float>(inside.grid);
    std::transform(inside.values.begin(), inside.values.end(), level.values.begin(),
                   [](std::uint8_t in) { return in ? -0.5F : 0.5F; });
  } else {
    level = volumeIn(layer, "image");
    const auto sign = choice.kind == Kind::image ? -1.F : 1.F;
    const float zero = choice.kind == Kind::image ? float(options.threshold) : 0.F;
    const float outside = float(std::max(1e-3, soundRange(layer).high - soundRange(layer).low));
    for (float& value : level.values) value = isSound(value) ? sign * (value - zero) : outside;
  }
  return std::make_shared<const Mesh>(io::contourOf(level, progress));
}

std::shared_ptr<const Mesh> trueSurface(const AnalysisInputs& inputs, const Grid* grid,
                                        const Progress& progress) {
  const auto layers = layersOf(inputs, "truth");
  if (layers.empty()) return nullptr;
  for (const Layer* layer : layers)
    if (const auto* mesh = std::get_if<MeshLayer>(&layer->content)) return mesh->mesh;
  return std::make_shared<const Mesh>(surfaceOfTruth(*layers.front(), grid, progress));
}

}  // namespace sulcus::app
