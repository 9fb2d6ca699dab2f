#include "core/registration/results/registration_maps.h"

#include "core/base/json_text.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/image/transform_table.h"
#include "core/registration/deformation/landmark_table.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace sulcus::registration {
namespace {

Layer fieldLayer(std::string name, std::shared_ptr<const Series<float>> displacement,
                 FieldConvention convention, bool visible) {
  Layer layer;
  layer.display.visible = visible;
  layer.name = std::move(name);
  layer.unit = "mm";
  layer.content = DisplacementLayer{std::move(displacement), convention};
  layer.display.colormap = "yellow-red";  // all its colors are bright, for lines on dark images
  layer.display.colorBar = true;
  return layer;
}

/// Opacity of maps of changes to an image, which remains visible below.
constexpr double kOverImages = 0.5;

Layer imageLayer(std::string name, const Volume<float>& image) {
  Layer layer = mapLayer(std::move(name), "", "gray", Series<float>(image));
  layer.display.colorBar = false;
  return layer;
}

/// A map with colors symmetric about `middle`, the value for no change, and a range of at least `least` to
/// either side.
Layer mapAbout(double middle, double least, std::string name, std::string unit, const Volume<float>& values) {
  Layer layer = mapLayer(std::move(name), std::move(unit), "cool-warm", Series<float>(values),
                         symmetricRange(values.values, least, middle));
  layer.display.opacity = kOverImages;
  return layer;
}

/// The number of iterations, without the entries before the first one of each level.
std::int64_t iterationCount(const RegistrationResult& result) {
  return std::count_if(result.iterations.begin(), result.iterations.end(),
                       [](const RegistrationIteration& i) { return i.iteration > 0; });
}

}  // namespace

std::vector<Layer> registrationLayers(const std::shared_ptr<const RegistrationResult>& shared,
                                      FieldConvention convention) {
  using Field = std::shared_ptr<const Series<float>>;
  const RegistrationResult& result = *shared;
  std::vector<std::function<Layer()>> makers;
  const auto add = [&](const std::function<Layer()>& make) { makers.push_back(make); };
  // Initially visible as a grid over the warped image.
  add([&] { return fieldLayer("displacement", Field(shared, &result.displacement), convention, true); });
  if (result.foldedCells > 0)  // visible above the images, as a warning
    add([&] {
      Layer layer = maskLayer("folds", result.folds);
      layer.display.visible = true;
      layer.display.colormap = "red";
      return layer;
    });
  // The rest lies above the warped image, which is initially visible and covers what is below, so that layers
  // become visible when switched on.
  add([&] { return mapAbout(0, 0.01, "logjac", "log volume ratio", result.logJacobian); });
  if (!result.localCorrelation.values.empty())
    add([&] {
      Layer layer =
          mapLayer("local_correlation", "", "magma", Series<float>(result.localCorrelation), Range{0, 1});
      layer.notes.emplace_back(
          "Local similarity of both images around each voxel: 1 where they match, 0 where they do not or "
          "where there is no structure.");
      return layer;
    });
  if (!result.biasField.values.empty())
    add([&] {
      Layer layer = mapAbout(1, 0.01, "bias_field", "factor", result.biasField);
      layer.notes.emplace_back(
          "The pre-aligned moving image was multiplied by this, to match the fixed image.");
      return layer;
    });
  add([&] { return fieldLayer("inverse", Field(shared, &result.inverse), convention, false); });
  add([&] {
    Layer layer = mapLayer("inverse_residual", "voxels", "magma", Series<float>(result.inverseResidual));
    layer.notes.emplace_back(
        "Inverse-consistency error: distance of a point from its image after the deformation and its "
        "inverse.");
    return layer;
  });
  if (!result.warpedReference.values.empty())
    add([&] {
      Layer layer = imageLayer("warped_reference", result.warpedReference);
      layer.notes.emplace_back("The fixed image on the moving image's grid, by the inverse.");
      return layer;
    });
  add([&] {
    Layer layer = imageLayer("aligned", result.aligned);
    layer.display.range = automaticRange(result.warped.values);  // to show only the deformation
    return layer;
  });
  add([&] {
    Layer layer = imageLayer("warped", result.warped);
    layer.display.visible = true;
    layer.display.range = automaticRange(result.warped.values);
    return layer;
  });
  std::vector<Layer> layers(makers.size());
  parallelFor(std::ssize(makers), 1, {}, [&](std::int64_t i) { layers[i] = makers[i](); });

  if (!result.landmarks.empty()) {
    Layer& landmarks = layers.emplace_back();
    landmarks.name = "landmarks";
    landmarks.content = landmarkTable(result.landmarks);
    landmarks.notes.emplace_back(
        "Drawn on the fixed image: where the inverse moves the moving image's points, next to the fixed "
        "image's. Distances are measured in the moving image.");
  }

  layers.push_back(tableLayer("energy", registrationEnergyTable(result.iterations)));
  return layers;
}

std::vector<Layer> registrationLayers(const RegistrationPreview& preview, FieldConvention convention) {
  std::vector<Layer> layers{
      fieldLayer("displacement", std::make_shared<const Series<float>>(preview.displacement), convention,
                 false),
      mapAbout(0, 0.01, "logjac", "log volume ratio", preview.logJacobian),
      imageLayer("warped", preview.warped)};
  layers.back().display.visible = true;
  if (preview.foldedCells > 0)
    layers.back().notes.push_back(
        Note::warning(text(counted(preview.foldedCells, "cell"),
                           " folded so far: what is still folded at the end is smoothed.")));
  if (preview.halfway)
    for (Layer& layer : layers)
      layer.notes.emplace_back("Half of the way: both images flow to the middle between them.");
  return layers;
}

TableLayer registrationEnergyTable(const std::vector<RegistrationIteration>& iterations) {
  TableLayer table;
  table.columns = {"level",      "iteration", "similarity", "bias", "energy",
                   "smallest_j", "step",      "retries",    "held"};
  for (const auto& i : iterations)
    table.rows.push_back({std::to_string(i.level + 1), std::to_string(i.iteration), nineDigits(i.similarity),
                          nineDigits(i.bias), nineDigits(i.energy), nineDigits(i.smallestJ),
                          nineDigits(i.step), std::to_string(i.retries), std::to_string(i.held)});
  if (std::any_of(iterations.begin(), iterations.end(), [](const auto& i) { return i.landmarks > 0; })) {
    table.columns.emplace_back("landmarks");
    for (std::size_t i = 0; i < iterations.size(); ++i)
      table.rows[i].push_back(nineDigits(iterations[i].landmarks));
  }
  return table;
}

TableLayer diceTable(const std::vector<LabelOverlap>& overlaps) {
  TableLayer table;
  table.columns = {"label", "template_voxels", "reference_voxels", "both_voxels", "dice"};
  for (const auto& o : overlaps)
    table.rows.push_back({std::to_string(o.label), std::to_string(o.inFirst), std::to_string(o.inSecond),
                          std::to_string(o.inBoth), nineDigits(o.dice())});
  return table;
}

std::string affineText(const Affine& templateFromReference) {
  std::string result = std::string(kTransformComment) + '\n';
  for (const auto& row : transformTable(templateFromReference).rows)
    result += row[0] + ' ' + row[1] + ' ' + row[2] + ' ' + row[3] + '\n';
  return result;
}

std::string registrationJson(const RegistrationResult& result) {
  const auto fit = [&](const RegistrationFit& f) {
    return JsonObject(0).number("correlation", f.correlation).number("nmse", f.nmse).done();
  };
  JsonObject json;
  json.raw("prealigned", fit(result.before))
      .raw("deformed", fit(result.after))
      .number("smallest_j", result.smallestJ)
      .number("smallest_corner_j", result.smallestCornerJ)
      .number("folded_cells", double(result.foldedCells))
      .number("mean_log_j", result.meanLogJ)
      .number("sd_log_j", result.sdLogJ)
      .number("largest_displacement_mm", result.largestDisplacement)
      .number("largest_inverse_residual_voxels", result.largestInverseResidual)
      .number("iterations", double(iterationCount(result)))
      .number("halved_steps", double(result.retries))
      .number("intensity_scale", result.scale);
  if (!result.landmarks.empty()) {
    const auto spread = [&](double LandmarkDistance::*distance) {
      const LandmarkSpread s = spreadOf(result.landmarks, distance);
      return JsonObject(0).number("mean_mm", s.mean).number("largest_mm", s.largest).done();
    };
    json.raw("landmarks", JsonObject(0)
                              .count("count", std::ssize(result.landmarks))
                              .raw("before", spread(&LandmarkDistance::before))
                              .raw("prealigned", spread(&LandmarkDistance::linearlyAligned))
                              .raw("deformed", spread(&LandmarkDistance::deformed))
                              .done());
  }
  return json.done() + "\n";
}

/// Correlation of pre-aligned images of one contrast that hardly differ.
constexpr double kAlike = 0.95;
/// Allowed increase of NMSE where nothing moves: a spline interpolates the voxels up to rounding.
constexpr double kRounding = 1e-9;

Notes registrationSummary(const RegistrationResult& result) {
  const auto held = std::count_if(result.iterations.begin(), result.iterations.end(),
                                  [](const RegistrationIteration& i) { return i.held > 0; });
  const std::string steps = text(iterationCount(result), " iterations, ", result.retries,
                                 result.retries == 1 ? " step" : " steps", " halved");
  const auto change = [](double before, double after) {
    const auto shown = [](double value) { return std::isnan(value) ? "not defined" : text(value); };
    return std::isnan(before) && std::isnan(after) ? shown(after) : shown(before) + " → " + shown(after);
  };
  Notes sentences{text("Correlation ", change(result.before.correlation, result.after.correlation), ", NMSE ",
                       change(result.before.nmse, result.after.nmse),
                       " (pre-aligned → deformed; in the mask, or where the fixed image is above its mean)."),
                  text("Volume ratio J at least ", result.smallestJ, ", s.d. of log J ", result.sdLogJ,
                       ", mean ", result.meanLogJ, "; largest displacement ", result.largestDisplacement,
                       " mm; the inverse misses by at most ", result.largestInverseResidual, " voxels."),
                  held > 0
                      ? text(steps, "; in ", held, " of them voxels at the smallest volume were held back.")
                      : text(steps, ".")};
  if (result.before.correlation > kAlike && result.after.correlation < result.before.correlation &&
      result.after.nmse > result.before.nmse + kRounding)
    sentences.push_back(Note::warning(
        "the images were more similar before the deformation. Where they hardly differ, mutual information "
        "deforms flat regions.",
        "Try local correlation or squared differences, symmetric steps or a larger λ.", "similarity"));
  if (!result.landmarks.empty()) {
    const LandmarkDistance& landmark = result.landmarks.front();
    const auto distances = [&](double LandmarkDistance::*distance) {
      const LandmarkSpread s = spreadOf(result.landmarks, distance);
      return text(s.mean, " (", s.largest, ")");
    };
    sentences.push_back(
        result.landmarks.size() == 1
            ? text("The landmark is ", landmark.before, " → ", landmark.linearlyAligned, " → ",
                   landmark.deformed,
                   " mm from its point in the moving image (before → pre-aligned → deformed).")
            : text("The ", result.landmarks.size(), " landmarks are ", distances(&LandmarkDistance::before),
                   " → ", distances(&LandmarkDistance::linearlyAligned), " → ",
                   distances(&LandmarkDistance::deformed),
                   " mm from their points in the moving image, on average and at most (before → pre-aligned "
                   "→ deformed)."));
  }
  return sentences;
}

}  // namespace sulcus::registration
