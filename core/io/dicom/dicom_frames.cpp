#include "core/io/dicom/dicom_frames.h"

#include "core/base/error.h"
#include "core/base/figure.h"
#include "core/base/sentence.h"
#include "core/io/streams/byte_source.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace sulcus::io {
namespace {

constexpr double kSamePosition = 0.01;   // largest difference between positions considered equal, mm
constexpr double kExactPosition = 1e-5;  // difference between positions that other programs consider equal,
                                         // mm
constexpr double kMostOff = 0.1;         // of a voxel or of the slice spacing: rounding in headers
constexpr double kLittleOff = 0.01;      // of a voxel: not worth a note
constexpr double kMostShift = 2;         // of a voxel: beyond this, pictures are of different places

std::string number(double value) { return significantText(value, 4); }

void requireParallel(const std::vector<DicomFrame>& frames) {
  const Grid& first = frames.front().grid;
  for (const auto& f : frames) {
    if (!f.missing.empty())
      throw Error(quoted(f.file) + " does not say where its slices lie",
                  "its DICOM header gives no " + missingOf(f) + ", and nothing can be stacked without",
                  "export the series again, or open one picture alone");
    if (!(f.grid.size == first.size))
      throw Error("The images of the DICOM series differ in size",
                  quoted(f.file) + " is not like " + quoted(frames.front().file),
                  "open a folder with one series only");
    for (int axis = 0; axis < 2; ++axis) {
      const Vec3<double> wanted = first.worldFromVoxel.column(axis);
      if (norm(f.grid.worldFromVoxel.column(axis) - wanted) > 1e-3 * norm(wanted))
        throw Error("The images of the DICOM series are not parallel",
                    quoted(f.file) + " has another orientation than " + quoted(frames.front().file) +
                        ", as in a localizer",
                    f.file == frames.front().file
                        ? "convert it with dcm2niix, which writes a file of each direction"
                        : "open the folder, where those of each direction can be chosen");
    }
  }
}

/// The frames at one place.
struct Place {
  double along = 0;  ///< position along the normal, mm, of the first
  std::size_t begin = 0, end = 0;
};

/// Throws Error if slices are missing: a few gaps are multiples of the usual spacing, or far larger than the
/// others. If many gaps are wide, the series was scanned that way.
void requireNoGap(const std::vector<DicomFrame>& frames, const std::vector<Place>& places) {
  constexpr double kFarBeyond = 2.5;  // times the usual spacing
  std::vector<double> steps;
  for (std::size_t p = 1; p < places.size(); ++p) steps.push_back(places[p].along - places[p - 1].along);
  if (steps.size() < 2) return;
  std::vector<double> sorted = steps;
  std::nth_element(sorted.begin(), sorted.begin() + std::ptrdiff_t((sorted.size() - 1) / 2), sorted.end());
  const double usual = sorted[(sorted.size() - 1) / 2];
  const auto missingIn = [&](double step) {
    const double missing = std::round(step / usual) - 1;
    const bool isGap = std::abs(step - (missing + 1) * usual) < kMostOff * usual || step > kFarBeyond * usual;
    return missing >= 1 && isGap ? missing : 0;
  };
  const auto wide = std::ranges::count_if(steps, [&](double step) { return missingIn(step) > 0; });
  if (std::size_t(wide) * 4 > steps.size() && wide > 1) return;
  for (std::size_t p = 0; p < steps.size(); ++p)
    if (const double missing = missingIn(steps[p]); missing > 0)
      throw Error(
          "The DICOM series is not complete",
          text(missing, missing == 1 ? " slice is" : " slices are", " missing between ",
               quoted(frames[places[p].begin].file), " and ", quoted(frames[places[p + 1].begin].file),
               ", which lie ", number(steps[p]), " mm apart and others ", number(usual), " mm"),
          "copy the series again");
}

/// Deviations of frames from an even grid, mm.
struct Deviation {
  double inPlane = 0, along = 0;
  double apart = 0;                    ///< within the plane, largest between two frames at one place
  const DicomFrame* tooFar = nullptr;  ///< the first frame whose in-plane deviation exceeds the rounding of
                                       ///< headers
  double shift = 0;                    ///< its deviation
};
Deviation deviationFrom(const DicomStack& stack, const std::vector<DicomFrame>& frames,
                        const std::vector<Place>& places, const Vec3<double>& normal, double tolerance) {
  const Affine& map = stack.grid.worldFromVoxel;
  const Vec3<double> step = places.size() > 1 ? map.column(2) : Vec3<double>{};
  const double distance = places.size() > 1 ? dot(normal, step) : 1;
  Deviation most;
  for (std::size_t p = 0; p < places.size(); ++p)
    for (std::size_t i = places[p].begin; i < places[p].end; ++i) {
      const Vec3<double>& origin = frames[i].grid.worldFromVoxel.t;
      const Vec3<double> way = origin - map.t;
      const double steps = dot(normal, way) / distance;
      const Vec3<double> off = way - steps * step;
      const double inPlane = norm(off - dot(normal, off) * normal);
      if (!most.tooFar && inPlane > tolerance) {
        most.tooFar = &frames[i];
        most.shift = inPlane;
      }
      most.inPlane = std::max(most.inPlane, inPlane);
      if (places.size() > 1) most.along = std::max(most.along, std::abs(steps - double(p)) * distance);
      most.apart = std::max(most.apart, norm(origin - frames[places[p].begin].grid.worldFromVoxel.t));
    }
  return most;
}

/// Keeps the actual positions of slices that do not lie on an even grid, with a warning on the deviation.
void keepPlaces(DicomStack& stack, const std::vector<DicomFrame>& frames, const std::vector<Place>& places,
                const Deviation& off, bool shifted) {
  double nearest = std::numeric_limits<double>::infinity(), furthest = 0;
  for (std::size_t p = 0; p < places.size(); ++p) {
    stack.origins.push_back(frames[places[p].begin].grid.worldFromVoxel.t);
    if (p == 0) continue;
    const double step = places[p].along - places[p - 1].along;
    nearest = std::min(nearest, step);
    furthest = std::max(furthest, step);
  }
  std::vector<std::string> words;
  if (furthest - nearest > kMostOff * nearest)
    words.push_back("are " + number(nearest) + " to " + number(furthest) + " mm apart");
  else if (!shifted)
    words.push_back("lie up to " + number(off.along) + " mm off an even grid");
  if (shifted) words.push_back("are shifted within their plane by up to " + number(off.inPlane) + " mm");
  stack.notes.push_back(Note::warning("the slices " + joined(words, " and ") +
                                      ": an even grid is interpolated linearly between them."));
}

/// Places the slices on a line along the normal, or else along the line from the first to the last, as with a
/// tilted gantry. A note gives the deviation, which is ignored if it may be due to rounding in headers; if it
/// is larger, the stack keeps the actual positions. Throws Error for pictures of different places.
void putOnLine(DicomStack& stack, const std::vector<DicomFrame>& frames, const std::vector<Place>& places,
               const Vec3<double>& normal) {
  Affine& map = stack.grid.worldFromVoxel;
  const double pixel = std::min(norm(map.column(0)), norm(map.column(1)));
  const double most = std::max(kSamePosition, kMostOff * pixel);
  Deviation off;
  const auto tryLine = [&](bool tilted) {
    if (places.size() > 1) {
      Vec3<double> step =
          (1.0 / double(places.size() - 1)) * (frames[places.back().begin].grid.worldFromVoxel.t - map.t);
      if (!tilted) step = dot(step, normal) * normal;
      stack.grid.size.z = int(places.size());
      for (int world = 0; world < 3; ++world) map.m[world][2] = step[world];
    }
    off = deviationFrom(stack, frames, places, normal, most);
    return off.inPlane;
  };
  if (const double upright = tryLine(false); upright > most && tryLine(true) > upright) tryLine(false);
  if (off.tooFar && (off.apart > most || off.inPlane > kMostShift * pixel))
    throw Error("The images of the DICOM series do not form a stack",
                quoted(off.tooFar->file) + " is shifted by " + number(off.shift) + " mm against " +
                    quoted(frames.front().file) + ", in the plane of its slice",
                "open a folder with one volume or with volumes of one place only");
  const double distance = places.size() > 1 ? dot(normal, map.column(2)) : 0;
  const bool shifted = off.inPlane > most;
  if (shifted || off.along > kMostOff * distance) return keepPlaces(stack, frames, places, off, shifted);
  const double little = std::max(kSamePosition, kLittleOff * pixel);
  std::vector<std::string> words;
  if (off.inPlane > little) words.push_back(number(off.inPlane) + " mm within their plane");
  if (off.along > little) words.push_back(number(off.along) + " mm along their normal");
  if (!words.empty())
    stack.notes.push_back("The slices deviate from the regular grid that is used by up to " +
                          joined(words, " and ") + ".");
}

/// Orders the frames at each place. Throws Error if nothing distinguishes them.
void orderWithin(std::vector<DicomFrame>& frames, const std::vector<Place>& places) {
  for (const Place& place : places) {
    const auto begin = frames.begin() + std::ptrdiff_t(place.begin),
               end = frames.begin() + std::ptrdiff_t(place.end);
    std::sort(begin, end, [](const DicomFrame& a, const DicomFrame& b) { return a.order < b.order; });
    const auto alike = std::adjacent_find(
        begin, end, [](const DicomFrame& a, const DicomFrame& b) { return a.order == b.order; });
    if (alike != end)
      throw Error("The DICOM series does not say which images belong to one volume",
                  quoted(alike->file) + " and " + quoted(alike[1].file) +
                      " lie at one place, and no instance or acquisition number, time, temporal position, "
                      "echo, b-value or image type distinguishes them",
                  "open a folder with one volume only, or export the series again");
  }
}

/// Removes the instance numbers unless each image has its own, and returns whether it did. Some series number
/// each volume anew, in either direction; such numbers do not tell which images belong together.
bool dropAmbiguousInstances(std::vector<DicomFrame>& frames) {
  std::set<std::optional<double>> known;
  for (const auto& f : frames) known.insert(f.order.instance);
  if (known.size() == frames.size() && !known.contains(std::nullopt)) return false;
  for (auto& f : frames) f.order.instance.reset();
  return true;
}

std::string kindOf(const DicomFrame& frame) { return imageKind(frame.order.echoTime, frame.order.imageType); }

/// Whether images, by their instance numbers and slices, run in one direction through the slices of one
/// volume after another, or through the volumes of one slice after another.
bool runInOrder(std::vector<std::pair<double, std::size_t>> images, std::size_t slices) {
  std::ranges::sort(images);
  const std::size_t volumes = images.size() / slices;
  const bool isDown = images.front().second > images.back().second;
  bool byVolume = true, bySlice = true;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const std::size_t slice = isDown ? slices - 1 - images[i].second : images[i].second;
    byVolume = byVolume && slice == i % slices;
    bySlice = bySlice && volumes > 0 && slice == i / volumes;
  }
  return byVolume || bySlice;
}

/// Whether the instance numbers run in order, in all images or in those of each kind: dcm2niix stacks slices
/// by them.
bool isNumberedInOrder(const std::vector<DicomFrame>& frames, std::size_t slices) {
  std::vector<std::pair<double, std::size_t>> all;
  std::map<std::string, decltype(all)> kinds;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    all.emplace_back(frames[i].order.instance.value_or(0), i / (frames.size() / slices));
    kinds[kindOf(frames[i])].push_back(all.back());
  }
  return runInOrder(all, slices) ||
         std::ranges::all_of(kinds, [&](const auto& kind) { return runInOrder(kind.second, slices); });
}

/// Adds notes on how the pictures of one volume differ in what they should share.
void noteDifferences(const std::vector<DicomFrame>& frames, DicomStack& stack) {
  const auto volumes = std::size_t(stack.volumes);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const DicomFrame &one = frames[i % volumes], &other = frames[i];
    if (kindOf(one) == kindOf(other)) continue;
    stack.notes.push_back(
        Note::warning("the images of one volume differ in echo time or image type: " + quoted(one.file) +
                      " has " + kindOf(one) + " and " + quoted(other.file) + " " + kindOf(other) + "."));
    break;
  }
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (std::abs(frames[i].order.bValue.value_or(-1) - frames[i % volumes].order.bValue.value_or(-1)) > 1)
      stack.oneWeightingEach = false;
}

}  // namespace

std::string imageKind(double echoMilliseconds, const std::string& type) {
  const std::string echo = echoMilliseconds > 0 ? "echo time " + number(echoMilliseconds) + " ms, " : "";
  return echo + "image type " + (type.empty() ? "unknown" : type);
}

std::string missingOf(const DicomFrame& frame) {
  const auto& words = frame.missing;
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) text += (i + 1 < words.size() ? ", " : " and ") + words[i];
  return text;
}

void requireTogether(const std::vector<DicomFrame>& frames) {
  std::map<std::string, const DicomFrame*> giving;  // the first frame that states each shared value
  for (const auto& f : frames)
    for (const auto& [what, value] : f.shared)
      if (const DicomFrame& other = *giving.try_emplace(what, &f).first->second;
          other.shared.at(what) != value)
        throw Error("The images of the DICOM series do not belong together",
                    quoted(f.file) + " has the " + what + " " + value + " and " + quoted(other.file) + " " +
                        other.shared.at(what),
                    "open a folder with one of them only");
}

DicomStack stackOf(std::vector<DicomFrame>& frames) {
  requireParallel(frames);
  const Affine first = frames.front().grid.worldFromVoxel;
  const Vec3<double> normal = normalized(cross(first.column(0), first.column(1)));
  const auto along = [&](const DicomFrame& f) { return dot(normal, f.grid.worldFromVoxel.t); };
  std::stable_sort(frames.begin(), frames.end(),
                   [&](const DicomFrame& a, const DicomFrame& b) { return along(a) < along(b); });
  const double same = std::min(kSamePosition, 0.1 * norm(first.column(2)));
  std::vector<Place> places;
  double widest = 0, nearest = std::numeric_limits<double>::infinity();  // largest difference within a place,
                                                                         // and smallest between places
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const double here = along(frames[i]);
    if (places.empty() || here - places.back().along > same) {
      if (i > 0) nearest = std::min(nearest, here - along(frames[i - 1]));
      places.push_back({here, i, i});
    }
    widest = std::max(widest, here - places.back().along);
    places.back().end = i + 1;
  }
  if (widest > 0.1 * nearest)
    throw Error("The DICOM series does not say which images are slices and which are volumes",
                quoted(frames.front().file) + " is of a series with images " + number(widest) +
                    " mm apart and others " + number(nearest) + " mm",
                "copy or export the series again");
  const bool unnumbered = dropAmbiguousInstances(frames);
  orderWithin(frames, places);
  const auto count = [](const Place& p) { return p.end - p.begin; };
  const auto [fewest, most] = std::minmax_element(
      places.begin(), places.end(), [&](const Place& a, const Place& b) { return count(a) < count(b); });
  if (count(*fewest) != count(*most))
    throw Error("The DICOM series is not complete",
                text(quoted(frames[fewest->begin].file), " is one of ", counted(int(count(*fewest)), "image"),
                     " at its place, and ", quoted(frames[most->begin].file), " one of ", count(*most)),
                "copy the series again");
  requireNoGap(frames, places);
  DicomStack stack{frames.front().grid, int(count(*most))};
  putOnLine(stack, frames, places, normal);
  noteDifferences(frames, stack);
  stack.isOrderOpen = (unnumbered && frames.size() > 1) || !isNumberedInOrder(frames, places.size());
  for (const Place& place : places)
    for (std::size_t i = place.begin; i < place.end; ++i)
      stack.isOrderOpen =
          stack.isOrderOpen ||
          norm(frames[i].grid.worldFromVoxel.t - frames[place.begin].grid.worldFromVoxel.t) > kExactPosition;
  return stack;
}

}  // namespace sulcus::io
