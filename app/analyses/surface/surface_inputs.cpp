#include "app/analyses/surface/surface_inputs.h"

#include "app/analyses/input_layers.h"
#include "core/base/error.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/display/layer_values.h"
#include "core/levelset/mesh_distance.h"
#include "core/toolkits/contour.h"
#include "core/toolkits/level_sets.h"

namespace sulcus::app::analyses {
namespace {

using Kind = surface::SurfaceSource::Kind;

/// The surface of a truth given as a mask or a level set.
Mesh surfaceOfTruth(const Layer& layer, const Grid* grid, const Progress& progress) {
  if (!isMask(layer))
    throw Error("'" + layer.name + "' cannot be used as truth", "it holds " + kindWithArticle(layer),
                "give the true level set, mask or surface");
  if (grid) requireTruthOn(*grid, *gridOf(layer), "input");
  const bool levelSet = isImage(layer) && soundRange(layer).low < 0;
  if (levelSet) return toolkits::contourOf(surface::soundLevelSet(layer, "truth"), progress);
  surface::requireMask(layer, 0);
  return toolkits::contourOf(toolkits::signedDistanceOfMask(maskOf(layer), progress.part(0, 0.5, "Truth")),
                             progress.part(0.5, 1, "Truth"));
}

}  // namespace

std::vector<InputSlot> surfaceSlots() {
  constexpr const char* kOneOf = "surface";
  InputSlot mask =
      ofLabels({"mask", "Mask", "A mask or labels: the surface around one label, or around all that is not 0",
                false, isLabeled, false, kOneOf, true});
  // A scan with few integer values could be labels, but is seldom meant as such.
  mask.unasked = [](const Layer& layer) {
    return std::holds_alternative<LabelsLayer>(layer.content) || soundRange(layer).high <= 1;
  };
  return {
      mask,
      {"image", "Image", "A gray image: the surface where it crosses the threshold", false, isImage, false,
       kOneOf, true},
      {"mesh", "Mesh", "A closed surface", false, isMesh, false, kOneOf, true},
      advanced(InputSlot{"phi", "Level set", "Signed distance of a surface in mm, negative inside", false,
                         isImage, false, kOneOf}),
      advanced(
          InputSlot{"truth", "Truth",
                    "The true surface of a phantom, to measure the error against: a level set, mask or mesh",
                    false, [](const Layer& layer) { return isMask(layer) || isMesh(layer); }, true}),
  };
}

surface::SurfaceSource surfaceSource(const AnalysisInputs& inputs) {
  static const std::pair<const char*, Kind> kSlots[] = {
      {"mask", Kind::mask}, {"image", Kind::image}, {"mesh", Kind::mesh}, {"phi", Kind::phi}};
  surface::SurfaceSource source;
  std::string given;
  for (const auto& [slot, kind] : kSlots)
    if (const auto found = inputs.find(slot); found != inputs.end() && found->second) {
      given += (source.layer ? " and " : "") + std::string(slot);
      source = {kind, found->second};
    }
  if (!source.layer)
    throw Error("No surface was given", "there is nothing to denoise", "give a mask, image, mesh or phi",
                ErrorKind::usage);
  if (given.find(' ') != given.npos)
    throw Error("More than one surface was given: " + given, "it is not clear which is to be denoised",
                "give one of them", ErrorKind::usage);
  return source;
}

Volume<float> distanceOf(const surface::SurfaceSource& source, const surface::SurfaceOptions& options,
                         const Progress& progress) {
  surface::requireSurface(source, options);
  const Layer& layer = *source.layer;
  switch (source.kind) {
    case Kind::mask:
      return toolkits::signedDistanceOfMask(maskOfLabel(layer, options.label), progress);
    case Kind::image:
      return toolkits::signedDistanceOfImage(firstVolume(layer, "image"), float(options.threshold), progress);
    case Kind::mesh:
      return levelset::signedDistanceOfMesh(meshOf(layer, "mesh"), surface::gridFor(source, options),
                                            progress);
    case Kind::phi:
      break;
  }
  return firstVolume(layer, "phi");
}

std::shared_ptr<const Mesh> contourOfInput(const surface::SurfaceSource& source,
                                           const surface::SurfaceOptions& options, const Progress& progress) {
  if (source.kind != Kind::mesh)
    return std::make_shared<const Mesh>(
        toolkits::contourOf(surface::plainLevelSet(source, options), progress));
  surface::requireSurface(source, options);
  return std::get<MeshLayer>(source.layer->content).mesh;
}

std::shared_ptr<const Mesh> trueSurface(const AnalysisInputs& inputs, const Grid* grid,
                                        const Progress& progress) {
  const auto layers = layersOf(inputs, "truth");
  if (layers.empty()) return nullptr;
  for (const Layer* layer : layers)
    if (const auto* mesh = std::get_if<MeshLayer>(&layer->content)) return mesh->mesh;
  return std::make_shared<const Mesh>(surfaceOfTruth(*layers.front(), grid, progress));
}

}  // namespace sulcus::app::analyses
