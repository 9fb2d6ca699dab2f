#include "core/io/dicom_frames.h"

#include "core/base/error.h"
#include "core/io/byte_source.h"
#include "core/io/geometry.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sulcus::io {
namespace {

constexpr double kSamePosition = 0.01;  // mm

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

/// The weightings of the volumes, if every slice of a volume carries the same one.
GradientTable gradientsOf(const std::vector<DicomFrame>& frames, std::size_t slices, std::size_t volumes,
                          std::vector<std::string>& notes) {
  GradientTable table;
  for (std::size_t v = 0; v < volumes; ++v) {
    const auto& first = frames[v].gradient;
    for (std::size_t s = 0; s < slices; ++s) {
      const auto& other = frames[s * volumes + v].gradient;
      if (first.has_value() != other.has_value() ||
          (first && (std::abs(first->b - other->b) > 1 ||
                     norm(first->directionWorld - other->directionWorld) > 1e-3))) {
        notes.push_back("The diffusion weighting differs between slices of one volume: gradients not used.");
        return {};
      }
    }
    if (!first) return {};
    table.rows.push_back(*first);
  }
  if (std::none_of(table.rows.begin(), table.rows.end(),
                   [](const Gradient& g) { return g.b >= kB0Threshold; }))
    return {};
  table.source = "the DICOM headers (patient axes turned into RAS)";
  return table;
}

}  // namespace

RawImage stackFrames(std::vector<DicomFrame> frames) {
  RawImage image;
  Grid grid = frames.front().grid;
  const Affine first = grid.worldFromVoxel;
  const Vec3<double> normal = normalized(cross(first.column(0), first.column(1)));
  const auto place = [&](const DicomFrame& f) { return dot(normal, f.grid.worldFromVoxel.t); };

  for (const auto& f : frames) {
    if (!(f.grid.size == grid.size))
      throw Error("The images of the DICOM series differ in size",
                  quoted(f.file) + " is not like " + quoted(frames.front().file),
                  "open a folder with one series only");
    for (int axis = 0; axis < 2; ++axis)
      if (norm(f.grid.worldFromVoxel.column(axis) - first.column(axis)) > 1e-3 * norm(first.column(axis)))
        throw Error(
            "The images of the DICOM series are not parallel",
            quoted(f.file) + " is turned against " + quoted(frames.front().file) + ", as in a localizer",
            "choose another series");
  }
  std::stable_sort(frames.begin(), frames.end(),
                   [&](const DicomFrame& a, const DicomFrame& b) { return place(a) < place(b); });
  std::vector<std::size_t> perPosition;
  for (auto begin = frames.begin(); begin != frames.end();) {
    const double here = place(*begin);
    const auto end = std::find_if(begin, frames.end(),
                                  [&](const DicomFrame& f) { return place(f) - here > kSamePosition; });
    std::stable_sort(begin, end,
                     [](const DicomFrame& a, const DicomFrame& b) { return a.instance < b.instance; });
    perPosition.push_back(std::size_t(end - begin));
    begin = end;
  }
  const std::size_t slices = perPosition.size(), volumes = perPosition.front();
  const auto [fewest, most] = std::minmax_element(perPosition.begin(), perPosition.end());
  if (*fewest != *most)
    throw Error("The DICOM series is not complete",
                "there are " + std::to_string(*fewest) + " images at some positions and " +
                    std::to_string(*most) + " at others",
                "copy the series again");
  const bool multiFrame = grid.size.z > 1;
  if (multiFrame && slices > 1)
    throw Error("The DICOM series mixes multi-frame files", "each of its files is a volume at another place",
                "open one of its files");

  if (!multiFrame) {
    grid = frames.front().grid;
    grid.size.z = int(slices);
    if (slices > 1) {
      const Vec3<double> start = grid.worldFromVoxel.t;
      const Vec3<double> step =
          (1.0 / double(slices - 1)) * (frames[(slices - 1) * volumes].grid.worldFromVoxel.t - start);
      for (std::size_t s = 0; s < slices; ++s) {
        const Vec3<double> expected = start + double(s) * step;
        const double off = norm(frames[s * volumes].grid.worldFromVoxel.t - expected);
        if (off > 0.05 * norm(step))
          throw Error("The slices of the DICOM series are not evenly spaced",
                      "slice " + std::to_string(s + 1) + " lies " + number(off) +
                          " mm from its place, so one is missing or doubled",
                      "copy the series again");
      }
      for (int world = 0; world < 3; ++world) grid.worldFromVoxel.m[world][2] = step[world];
    }
  }
  image.series = Series<float>(grid, int(volumes));
  const std::int64_t perFrame = std::int64_t(frames.front().values.size());
  for (std::size_t s = 0; s < slices; ++s)
    for (std::size_t v = 0; v < volumes; ++v) {
      const auto& values = frames[s * volumes + v].values;
      std::copy(values.begin(), values.end(), image.series.volume(int(v)).data + std::int64_t(s) * perFrame);
    }
  image.storedAsFloat = isFloat(frames.front().type);
  image.notes.push_back(storedNote(frames.front().type));
  image.notes.push_back("Orientation from the DICOM headers: " + std::to_string(slices) + " slices, " +
                        std::to_string(volumes) + (volumes == 1 ? " volume." : " volumes."));
  if (shear(grid.worldFromVoxel) > 1e-3)
    image.notes.push_back("Slices are not stacked along their normal (tilted gantry); kept.");
  image.notes.push_back(handednessNote(grid));
  if (volumes > 1) {
    image.secondsPerVolume = frames.front().repetitionSeconds;
    image.gradients = gradientsOf(frames, slices, volumes, image.notes);
  }
  return image;
}

}  // namespace sulcus::io
