#include "core/io/dicom_frames.h"

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/image/assumed_sides.h"
#include "core/io/byte_source.h"
#include "core/io/dicom_patient.h"
#include "core/io/geometry.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>

namespace sulcus::io {
namespace {

constexpr double kSamePosition = 0.01;  // largest difference of equal positions, mm
constexpr std::size_t kMostKinds = 8;   // that a note names

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

/// Words as a list, such as "position, orientation and pixel spacing".
std::string listed(const std::vector<std::string>& words) {
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) text += (i + 1 < words.size() ? ", " : " and ") + words[i];
  return text;
}

constexpr const char* kOtherWeightings =
    "The diffusion weighting differs between slices of one volume: gradients not used.";

bool sameWeighting(const std::optional<Gradient>& a, const std::optional<Gradient>& b) {
  if (!a || !b) return !a && !b;
  return std::abs(a->b - b->b) <= 1 && norm(a->directionWorld - b->directionWorld) <= 1e-3;
}

/// The diffusion weightings of the volumes, when all slices of each volume have the same one.
GradientTable gradientsOf(const std::vector<DicomFrame>& frames, std::size_t slices, std::size_t volumes,
                          std::vector<std::string>& notes) {
  GradientTable table;
  for (std::size_t v = 0; v < volumes; ++v) {
    const auto& first = frames[v].gradient;
    for (std::size_t s = 0; s < slices; ++s)
      if (!sameWeighting(first, frames[s * volumes + v].gradient)) {
        notes.emplace_back(kOtherWeightings);
        return {};
      }
    if (!first) {
      // Scanners put a mean over directions beside the others, which no model can use.
      if (std::any_of(frames.begin(), frames.end(), [](const DicomFrame& frame) {
            return frame.gradient && frame.gradient->b >= kB0Threshold;
          })) {
        GradientTable none;
        none.source =
            text("Volume ", v,
                 " is weighted and has no direction of diffusion, unlike others (a mean over directions?): "
                 "take it out of the series");
        return none;
      }
      return {};
    }
    table.rows.push_back(*first);
  }
  if (std::none_of(table.rows.begin(), table.rows.end(),
                   [](const Gradient& g) { return g.b >= kB0Threshold; }))
    return {};
  table.source = "the DICOM headers (patient axes turned into RAS)";
  return table;
}

/// The different texts of the frames, in the order of the frames.
template <class TextsOf>
std::vector<std::string> distinct(const std::vector<DicomFrame>& frames, const TextsOf& textsOf) {
  std::vector<std::string> all;
  std::set<std::string> known;
  for (const auto& f : frames)
    for (const std::string& text : textsOf(f))
      if (known.insert(text).second) all.push_back(text);
  return all;
}

/// The kind of a frame in words, such as "echo time 10 ms, image type ORIGINAL\PRIMARY\M".
std::string kindOf(const DicomFrame& frame) {
  const double echo = frame.order.echoTime;
  return (echo > 0 ? "echo time " + number(echo) + " ms, image type " : "image type ") +
         (frame.imageType.empty() ? "unknown" : frame.imageType);
}

/// A sentence that names the kinds of the volumes when there are several; "" when there is one.
std::string kindsNote(const std::vector<DicomFrame>& frames, std::size_t volumes) {
  const auto kinds = distinct(frames, [](const DicomFrame& f) { return std::vector{kindOf(f)}; });
  if (kinds.size() == 1) return {};
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (kindOf(frames[i]) != kindOf(frames[i % volumes]))
      return "Warning: the images of one volume differ in echo time or image type: " +
             quoted(frames[i % volumes].file) + " has " + kindOf(frames[i % volumes]) + " and " +
             quoted(frames[i].file) + " " + kindOf(frames[i]) + ".";
  std::string listed;
  for (std::size_t k = 0; k < kinds.size() && k < kMostKinds; ++k) {
    std::size_t first = 0;
    while (kindOf(frames[first]) != kinds[k]) ++first;
    const auto count = std::count_if(frames.begin(), frames.begin() + std::ptrdiff_t(volumes),
                                     [&](const DicomFrame& f) { return kindOf(f) == kinds[k]; });
    if (k) listed += "; ";
    listed +=
        counted(int(count), "volume") + ", from volume " + std::to_string(first + 1) + " on, of " + kinds[k];
  }
  return "The volumes are not of one kind: " + listed + (kinds.size() > kMostKinds ? "; and others." : ".");
}

void requireAlike(const std::vector<DicomFrame>& frames) {
  const Grid& first = frames.front().grid;
  std::map<std::string, const DicomFrame*> giving;  // the first frame that gives each shared value
  for (const auto& f : frames) {
    for (const auto& [what, value] : f.shared)
      if (const DicomFrame& other = *giving.try_emplace(what, &f).first->second;
          other.shared.at(what) != value)
        throw Error("The images of the DICOM series do not belong together",
                    quoted(f.file) + " has the " + what + " " + value + " and " + quoted(other.file) + " " +
                        other.shared.at(what),
                    "open a folder with one of them only");
    if (!f.missing.empty())
      throw Error(quoted(f.file) + " does not say where its slices lie",
                  "its DICOM header gives no " + listed(f.missing) + ", and nothing can be stacked without",
                  "export the series again, or open one picture alone");
    if (!(f.grid.size == first.size))
      throw Error("The images of the DICOM series differ in size",
                  quoted(f.file) + " is not like " + quoted(frames.front().file),
                  "open a folder with one series only");
    for (int axis = 0; axis < (first.size.z > 1 ? 3 : 2); ++axis) {
      const Vec3<double> wanted = first.worldFromVoxel.column(axis);
      if (norm(f.grid.worldFromVoxel.column(axis) - wanted) > 1e-3 * norm(wanted))
        throw Error(
            "The images of the DICOM series are not parallel",
            quoted(f.file) + " is turned against " + quoted(frames.front().file) + ", as in a localizer",
            "choose another series");
    }
  }
}

/// Removes the instance numbers unless each image has its own. Some series number each volume anew, in either
/// direction; such numbers do not tell which images belong together.
void dropAmbiguousInstances(std::vector<DicomFrame>& frames) {
  std::set<std::optional<double>> known;
  for (const auto& f : frames) known.insert(f.order.instance);
  if (known.size() == frames.size() && !known.contains(std::nullopt)) return;
  for (auto& f : frames) f.order.instance.reset();
}

struct Stack {
  Grid grid;
  std::size_t slices = 0, volumes = 0;
};

/// Throws Error unless each frame of arrange() lies on the grid, one `step` from the slice before.
void requireInPlace(const std::vector<DicomFrame>& frames, const Stack& stack, const Vec3<double>& step,
                    const Vec3<double>& normal) {
  const Affine& first = stack.grid.worldFromVoxel;
  const double mostInPlane =
      std::max(kSamePosition, 0.01 * std::min(norm(first.column(0)), norm(first.column(1))));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const std::size_t slice = i / stack.volumes;
    const Vec3<double> off = frames[i].grid.worldFromVoxel.t - (first.t + double(slice) * step);
    const double along = std::abs(dot(normal, off)), inPlane = norm(off - dot(normal, off) * normal);
    if (stack.slices > 1 && along > 0.05 * norm(step))
      throw Error("The slices of the DICOM series are not evenly spaced",
                  "slice " + std::to_string(slice + 1) + ", of " + quoted(frames[i].file) + ", lies " +
                      number(along) + " mm from its place, so one is missing or doubled",
                  "copy the series again");
    if (inPlane > mostInPlane)
      throw Error("The images of the DICOM series do not lie behind each other",
                  quoted(frames[i].file) + " is shifted by " + number(inPlane) + " mm against " +
                      quoted(frames.front().file) + ", in the plane of its slice",
                  "open a folder with one volume or with volumes of one place only");
  }
}

/// Sorts the frames so that those of volume v are at slice · volumes + v, and gives the grid of a volume.
Stack arrange(std::vector<DicomFrame>& frames) {
  requireAlike(frames);
  const Affine first = frames.front().grid.worldFromVoxel;
  const Vec3<double> normal = normalized(cross(first.column(0), first.column(1)));
  const auto place = [&](const DicomFrame& f) { return dot(normal, f.grid.worldFromVoxel.t); };
  std::stable_sort(frames.begin(), frames.end(),
                   [&](const DicomFrame& a, const DicomFrame& b) { return place(a) < place(b); });
  dropAmbiguousInstances(frames);
  const double same = std::min(kSamePosition, 0.1 * norm(first.column(2)));
  std::vector<std::size_t> perPosition;
  double widest = 0,
         nearest =
             std::numeric_limits<double>::infinity();  // distances within a position and between neighbours
  for (auto begin = frames.begin(); begin != frames.end();) {
    const double here = place(*begin);
    const auto end =
        std::find_if(begin, frames.end(), [&](const DicomFrame& f) { return place(f) - here > same; });
    widest = std::max(widest, place(end[-1]) - here);
    if (end != frames.end()) nearest = std::min(nearest, place(*end) - place(end[-1]));
    std::sort(begin, end, [](const DicomFrame& a, const DicomFrame& b) { return a.order < b.order; });
    const auto alike = std::adjacent_find(
        begin, end, [](const DicomFrame& a, const DicomFrame& b) { return a.order == b.order; });
    if (alike != end)
      throw Error(
          "The DICOM series does not say which images belong to one volume",
          quoted(alike->file) + " and " + quoted(alike[1].file) +
              " lie at one place, and no instance or acquisition number, time, temporal position, echo "
              "or b-value parts them from each other",
          "open a folder with one volume only, or export the series again");
    perPosition.push_back(std::size_t(end - begin));
    begin = end;
  }
  if (widest > 0.1 * nearest)
    throw Error("The DICOM series does not say which images are slices and which are volumes",
                quoted(frames.front().file) + " is of a series with images " + number(widest) +
                    " mm apart and others " + number(nearest) + " mm",
                "copy or export the series again");
  const auto [fewest, most] = std::minmax_element(perPosition.begin(), perPosition.end());
  if (*fewest != *most)
    throw Error("The DICOM series is not complete",
                quoted(frames.front().file) + " is of a series with " + std::to_string(*fewest) +
                    " images at some positions and " + std::to_string(*most) + " at others",
                "copy the series again");
  Stack stack{frames.front().grid, perPosition.size(), perPosition.front()};
  if (stack.slices > 1 && stack.grid.size.z > 1)
    throw Error("The DICOM series mixes multi-frame files",
                "each of its files is a volume at another place, as is " + quoted(frames.front().file),
                "open one of its files");
  const Vec3<double> step = stack.slices == 1
                                ? Vec3<double>{}
                                : (1.0 / double(stack.slices - 1)) *
                                      (frames[(stack.slices - 1) * stack.volumes].grid.worldFromVoxel.t -
                                       stack.grid.worldFromVoxel.t);
  requireInPlace(frames, stack, step, normal);
  if (stack.slices == 1) return stack;
  stack.grid.size.z = int(stack.slices);
  for (int world = 0; world < 3; ++world) stack.grid.worldFromVoxel.m[world][2] = step[world];
  return stack;
}

}  // namespace

std::vector<DicomFrame> joinFrames(std::vector<DicomFrame> frames) {
  if (frames.size() == 1) return frames;
  const Stack stack = arrange(frames);
  std::vector<DicomFrame> volumes;
  for (std::size_t v = 0; v < stack.volumes; ++v) {
    DicomFrame& volume = volumes.emplace_back(std::move(frames[v]));
    volume.grid = stack.grid;
    volume.values.reserve(volume.values.size() * stack.slices);
    bool oneWeighting = true;
    for (std::size_t s = 1; s < stack.slices; ++s) {
      const DicomFrame& slice = frames[s * stack.volumes + v];
      volume.values.insert(volume.values.end(), slice.values.begin(), slice.values.end());
      oneWeighting = oneWeighting && sameWeighting(volume.gradient, slice.gradient);
    }
    if (oneWeighting) continue;
    volume.gradient.reset();
    volume.notes.emplace_back(kOtherWeightings);
  }
  return volumes;
}

RawImage stackFrames(std::vector<DicomFrame> frames) {
  RawImage image;
  for (auto& note : distinct(frames, [](const DicomFrame& f) { return std::vector{storedNote(f.type)}; }))
    image.notes.push_back(std::move(note));
  Stack stack{frames.front().grid, 1, 1};
  if (frames.size() > 1 || frames.front().missing.empty()) {
    stack = arrange(frames);
    image.notes.push_back(std::string(kDicomNote) + ": " + counted(stack.grid.size.z, "slice") + ", " +
                          counted(int(stack.volumes), "volume") + ".");
  } else {
    image.notes.push_back(
        "Warning: the DICOM header gives no " + listed(frames.front().missing) +
        ". An axial picture at the origin and 1 mm stand in for it: places and lengths cannot "
        "be trusted. " +
        kSidesAssumed);
  }
  if (stack.grid.size.z == 1 && !frames.front().thicknessKnown)
    image.notes.emplace_back("Warning: the DICOM header gives no slice thickness: 1 mm stands in for it.");
  image.series = Series<float>(stack.grid, int(stack.volumes));
  const std::int64_t perFrame = std::int64_t(frames.front().values.size());
  for (std::size_t s = 0; s < stack.slices; ++s)
    for (std::size_t v = 0; v < stack.volumes; ++v) {
      const auto& values = frames[s * stack.volumes + v].values;
      std::copy(values.begin(), values.end(), image.series.volume(int(v)).data + std::int64_t(s) * perFrame);
    }
  if (shear(stack.grid.worldFromVoxel) > 1e-3)
    image.notes.push_back("Slices are not stacked along their normal (tilted gantry); kept.");
  image.notes.push_back(handednessNote(stack.grid));
  for (auto& note : distinct(
           frames, [](const DicomFrame& f) -> auto& { return f.notes; }))
    image.notes.push_back(std::move(note));
  if (auto note = kindsNote(frames, stack.volumes); !note.empty()) image.notes.push_back(std::move(note));
  if (stack.volumes > 1) {
    image.secondsPerVolume = frames.front().repetitionSeconds;
    image.gradients = gradientsOf(frames, stack.slices, stack.volumes, image.notes);
  }
  return image;
}

}  // namespace sulcus::io
