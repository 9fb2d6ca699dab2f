#include "core/preparation/distortion/series_field.h"

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/image/grids/interpolate.h"
#include "core/image/grids/value_check.h"
#include "core/preparation/distortion/anatomy.h"
#include "core/preparation/mean_volume.h"
#include "core/registration/linear/linear_alignment.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace sulcus::preparation {
namespace {

/// The image encoded like the series (or opposite to it); null if there is none.
const EpiImage* imageEncoded(const FieldScans& scans, bool asSeries) {
  for (const EpiImage& epi : scans.epi)
    if (epi.encoding.axis == scans.series->axis && (epi.encoding.sign == scans.series->sign) == asSeries)
      return &epi;
  return nullptr;
}

Volume<float> fieldByImages(const FieldScans& scans, const Volume<float>& mean, SeriesField& result,
                            FindDistortion& find, const Progress& progress) {
  const EpiImage* const opposite = imageEncoded(scans, false);
  if (!opposite)
    throw Error("No image has a phase encoding opposite to that of the series",
                "the field is found from the difference of two directions",
                "give one of the opposite direction");
  const EpiImage* const alike = imageEncoded(scans, true);
  const EpiImage own{withoutUnsound(mean), *scans.series};
  const Progress finding = progress.part(0, alike ? 0.8 : 1, "distortion");
  DistortionField found = find(alike ? *alike : own, *opposite, finding);
  result.notes = std::move(found.notes);
  if (!alike) return std::move(found.hertz);
  const Affine fieldFromSeries = registration::alignLinearly(
      Series(withoutUnsound(alike->image)), Series(own.image), {nullptr},
      {registration::LinearAlignment::rigid}, Affine(), progress.part(0.8, 1, "distortion"));
  return fieldOn(found.hertz, mean.grid, fieldFromSeries);
}

/// Whether a voxel holds signal: it is brighter than the mean of the image.
std::vector<std::uint8_t> withSignal(const Volume<float>& mean) {
  double sum = 0, count = 0;
  for (const float value : mean.values) {
    if (!isSound(value)) continue;
    sum += value;
    ++count;
  }
  std::vector<std::uint8_t> signal;
  for (const float value : mean.values) signal.push_back(isSound(value) && value * count > sum);
  return signal;
}

/// Throws Error for a field map that does not lie over the head, or that holds nothing there.
void requireOver(const Volume<float>& hertz, const Volume<float>& mean) {
  constexpr double kLeastCovered = 0.5;
  const Affine voxels = hertz.grid.worldFromVoxel.inverse() * mean.grid.worldFromVoxel;
  const Volume<float> field = fieldOn(withoutUnsound(hertz), mean.grid, Affine());
  const auto signal = withSignal(mean);
  double head = 0, covered = 0;
  bool isZero = true;
  for (std::int64_t i = 0; i < mean.grid.voxels(); ++i) {
    if (!signal[i]) continue;
    const Vec3<int> v = mean.grid.voxel(i);
    const Vec3<double> p = voxels.point({double(v.x), double(v.y), double(v.z)});
    ++head;
    covered += isInImage(hertz.grid.size, Vec3<float>{float(p.x), float(p.y), float(p.z)});
    isZero = isZero && field.values[i] == 0;
  }
  if (covered < kLeastCovered * head)
    throw Error(text("The field map covers ", std::round(100 * covered / head), " % of the head"),
                "its header says that it lies elsewhere", "give the field map of this session");
  if (isZero) throw Error("The field map is 0 in all of the head", "it shifts nothing", "check the file");
}

/// The field from the scans that are available, and their description.
std::pair<Volume<float>, std::string> foundField(const FieldScans& scans, const Volume<float>& mean,
                                                 SeriesField& result, FindDistortion& find,
                                                 const Progress& progress) {
  if (scans.hertz) {
    requireOver(*scans.hertz, mean);
    return {fieldOn(withoutUnsound(*scans.hertz), mean.grid, Affine()), "a field map"};
  }
  if (!scans.epi.empty())
    return {fieldByImages(scans, mean, result, find, progress), "images of opposite phase encoding"};
  DistortionField found =
      findDistortionByAnatomy({withoutUnsound(mean), *scans.series}, *scans.anatomy, find, progress);
  result.notes = std::move(found.notes);
  return {std::move(found.hertz),
          "the anatomy alone, which is less precise than images of opposite phase encoding"};
}

/// The shift, in voxels, that one in twenty voxels with signal exceeds.
double largeShift(const Volume<float>& mean, const Unwarp& unwarp) {
  const auto signal = withSignal(mean);
  std::vector<double> shifts;
  for (std::size_t i = 0; i < signal.size(); ++i)
    if (signal[i]) shifts.push_back(std::fabs(unwarp.shift[i]));
  if (shifts.empty()) return 0;
  const auto large = shifts.begin() + std::ptrdiff_t(shifts.size() * 19 / 20);
  std::nth_element(shifts.begin(), large, shifts.end());
  return *large;
}

}  // namespace

SeriesField fieldOfSeries(const FieldScans& scans, const Volume<float>& mean, FindDistortion& find,
                          const Progress& progress) {
  SeriesField result;
  const std::string leftIn = "Distortion was not corrected. ";
  if (scans.empty()) {
    result.notes.emplace_back(
        leftIn +
        "It can be with an image of opposite phase encoding, a field map or the T1 scan of the person.");
    return result;
  }
  if (!scans.problem.empty()) {
    result.notes.push_back(Note::warning(leftIn + scans.problem));
    return result;
  }
  try {
    if (!scans.series)
      throw Error("The sidecar of the series does not say how it was encoded",
                  "a field shifts voxels along PhaseEncodingDirection, by TotalReadoutTime",
                  "add both to the JSON file next to the series");
    const auto [hertz, means] = foundField(scans, mean, result, find, progress);
    result.hertz = std::make_shared<const Volume<float>>(hertz);
    result.unwarp = std::make_shared<const Unwarp>(unwarpOf(hertz, *scans.series));
    constexpr double kFarthest = 0.25;  // of the image
    const int axis = scans.series->axis;
    if (const double shift = largeShift(mean, *result.unwarp); shift > kFarthest * mean.grid.size[axis])
      throw Error(text("The field shifts one in twenty voxels with signal by more than ", shift, " voxels"),
                  "too much for the field of a scanner",
                  "check Units and TotalReadoutTime in the JSON files");
    const double spacing = mean.grid.spacing()[axis];
    result.notes.push_back(text("Distortion was corrected with ", means,
                                ": one in twenty voxels with signal was off by more than ",
                                spacing * largeShift(mean, *result.unwarp), " mm."));
  } catch (const Error& error) {
    result = {};
    result.notes.push_back(Note::warning(leftIn + error.message()));
  }
  return result;
}

Layer fieldLayer(const std::string& name, const Volume<float>& hertz) {
  Layer layer;
  layer.name = name;
  layer.unit = "Hz";
  layer.content = VolumeLayer{std::make_shared<const Series<float>>(hertz), {}, 0, {}};
  layer.display.visible = false;
  return layer;
}

}  // namespace sulcus::preparation
