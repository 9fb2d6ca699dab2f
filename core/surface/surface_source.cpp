#include "core/surface/surface_source.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/display/layer_values.h"
#include "core/image/grids/value_check.h"
#include "core/levelset/mesh_distance.h"

#include <algorithm>
#include <cmath>

namespace sulcus::surface {
namespace {

using Kind = SurfaceSource::Kind;

constexpr double kMarginVoxels = 2;  // beyond band and patch

void requireOneVolume(const Layer& layer, const Message& use) {
  if (std::holds_alternative<LabelsLayer>(layer.content)) return;
  if (const int count = volumeOf(layer, use).series->count; count != 1)
    throw Error(text("'", layer.name, "' holds ", count, " volumes"), "a surface is of one",
                "give one volume of it");
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

/// A volume of fractions is a gray image or tissue shares; if scaled, it may have a single value besides 0.
void requireFewValues(const Layer& layer) {
  if (std::holds_alternative<LabelsLayer>(layer.content)) return;
  const Volume<float> volume = firstVolume(layer, "mask");
  float first = 0;
  bool several = false, fractions = false;
  for (const float value : volume.values) {
    if (value == 0 || !std::isfinite(value)) continue;
    if (first == 0) first = value;
    several |= value != first;
    fractions |= value != std::floor(value);
  }
  if (several && fractions)
    throw Error("'" + layer.name + "' is not a mask", "it holds several values that are not whole numbers",
                "give it as an image, with a threshold");
}

}  // namespace

void requireMask(const Layer& layer, Label label) {
  requireOneVolume(layer, "mask");
  if (label == 0)
    requireFewValues(layer);
  else {
    requireExact(layer, "labels");
    const auto labels = labelsOf(layer);
    if (!std::binary_search(labels.begin(), labels.end(), label))
      throw Error(text("'", layer.name, "' has no label ", label),
                  labels.empty() ? "it holds no labels" : "its labels are " + listed(labels),
                  "choose another label, or all");
  }
  const Mask inside = maskOfLabel(layer, label);
  const auto count = std::count_if(inside.values.begin(), inside.values.end(), [](auto v) { return v != 0; });
  if (count == 0)
    throw Error("The mask '" + layer.name + "' is empty", "nothing lies inside a surface",
                "give a mask in which some voxels are not 0");
  if (count == inside.grid.voxels())
    throw Error("The mask '" + layer.name + "' is full", "nothing lies outside a surface",
                "give a mask in which some voxels are 0, or choose a label");
}

void requireSurface(const SurfaceSource& source, const SurfaceOptions& options) {
  switch (source.kind) {
    case Kind::mask:
      return requireMask(*source.layer, options.label);
    case Kind::image:
      return requireImage(*source.layer, options.threshold);
    case Kind::mesh:
      meshOf(*source.layer, "mesh");
      return;
    case Kind::phi:
      requireOneVolume(*source.layer, "phi");
      soundLevelSet(*source.layer, "phi");
      return;
  }
}

Volume<float> soundLevelSet(const Layer& layer, const Message& use) {
  Volume<float> level = firstVolume(layer, use);
  requireSound(level.values, "The level set '" + layer.name + "'", "no surface can be placed by them",
               "replace them by a large distance, or make it from a mask");
  return level;
}

Grid gridFor(const SurfaceSource& source, const SurfaceOptions& options) {
  if (source.kind != Kind::mesh) return *gridOf(*source.layer);
  const int reach = options.patch / 2;
  const double margin = options.spacing * (options.delta + reach + kMarginVoxels);
  return levelset::gridAround(meshOf(*source.layer, "mesh"), options.spacing, margin);
}

Volume<float> plainLevelSet(const SurfaceSource& source, const SurfaceOptions& options) {
  requireSurface(source, options);
  const Layer& layer = *source.layer;
  if (source.kind == Kind::mask) {
    const Mask inside = maskOfLabel(layer, options.label);
    Volume<float> level(inside.grid);
    std::transform(inside.values.begin(), inside.values.end(), level.values.begin(),
                   [](std::uint8_t in) { return in ? -0.5F : 0.5F; });
    return level;
  }
  Volume<float> level = firstVolume(layer, "image");
  const auto sign = source.kind == Kind::image ? -1.F : 1.F;
  const float zero = source.kind == Kind::image ? float(options.threshold) : 0.F;
  const Range range = soundRange(layer);
  // In an image as signedDistanceOfImage() makes it.
  const float outside =
      source.kind == Kind::image ? zero - float(range.low) : float(std::max(1e-3, range.high - range.low));
  for (float& value : level.values) value = isSound(value) ? sign * (value - zero) : outside;
  return level;
}

std::string withoutValue(const SurfaceSource& source) {
  const auto* image = std::get_if<VolumeLayer>(&source.layer->content);
  if (source.kind != Kind::image || !image) return {};
  const ValueCheck check = checkValues(image->series->values);
  if (check.unsound() == 0) return {};
  return text(check.unsound(),
              " voxels of the image are not finite and count as outside: ", unsoundText(check), ".");
}

}  // namespace sulcus::surface
