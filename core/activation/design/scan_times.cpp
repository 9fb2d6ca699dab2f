#include "core/activation/design/scan_times.h"

#include "core/base/numbers.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sulcus::activation {
namespace {

constexpr double kSame = 1e-3;       // relative difference below which two times are equal
constexpr double kGapBehind = 0.9;   // slices that end before this fraction of the repetition time leave a
                                     // gap
constexpr double kUsualShare = 0.5;  // default of DesignOptions::sliceTime

bool ascends(const std::vector<double>& times) {
  return times.size() > 1 && std::ranges::all_of(times, [](double t) { return std::isfinite(t); }) &&
         std::ranges::adjacent_find(times, std::greater_equal<>()) == times.end();
}

/// Whether the given repetition time differs from that of the scan.
bool isGivenApart(double secondsPerVolume, const DesignOptions& options) {
  return options.tr > 0 && secondsPerVolume > 0 &&
         std::abs(options.tr - secondsPerVolume) > kSame * options.tr;
}

/// The duration of a volume's slices: to the last one's start plus one step.
double secondsOfSlices(std::vector<double> slices) {
  std::ranges::sort(slices);
  const auto isSame = [](double a, double b) { return b - a < 1e-4; };
  slices.erase(std::unique(slices.begin(), slices.end(), isSame), slices.end());
  if (slices.size() < 2) return 0;
  return slices.back() + (slices.back() - slices.front()) / double(slices.size() - 1);
}

/// The duration of a volume, and the key that states it; the whole repetition time if none does.
std::pair<double, std::string> secondsOfVolume(double most, const ScanTiming& timing) {
  if (timing.delay > 0 && timing.delay < most) return {most - timing.delay, "DelayTime"};
  if (timing.acquisition > 0 && timing.acquisition < most) return {timing.acquisition, "AcquisitionDuration"};
  const double slices = secondsOfSlices(timing.slices);
  if (slices > 0 && slices < kGapBehind * most) return {slices, "SliceTiming"};
  return {most, ""};
}

/// Notes which times of the sidecar are ignored.
///
/// @param givenApart  isGivenApart()
void noteIgnoredTiming(const ScanTiming& timing, int scans, bool givenApart, const DesignOptions& options,
                       ScanTimes& times) {
  if (givenApart && !timing.empty()) {
    times.notes.push_back(
        Note::warning("The times in the scan's sidecar belong to a repetition time other than the given one "
                      "and are ignored.",
                      "", "tr"));
    return;
  }
  if (timing.volumes.empty() || times.irregular) return;
  const std::string what =
      text("VolumeTiming (", timing.volumes.size(), " times for ", scans, " scans) is ignored");
  times.notes.push_back(options.tr > 0
                            ? Note::warning(what + ", since a repetition time was given.", "", "tr")
                            : Note::warning(what + ": it needs one for each, ascending."));
}

/// The shortest interval between the starts of scans.
double shortestInterval(const ScanTimes& times) {
  double shortest = times.tr;
  for (std::size_t scan = 1; times.irregular && scan < times.at.size(); ++scan)
    shortest = std::min(shortest, times.at[scan] - times.at[scan - 1]);
  return shortest;
}

/// Removes slice times beyond the duration of a scan, which are in another unit.
void dropLateSlices(double scan, ScanTiming& timing, Notes& notes) {
  if (timing.slices.empty()) return;
  const double last = *std::ranges::max_element(timing.slices);
  if (last <= (1 + kSame) * scan) return;
  notes.push_back(Note::warning(text("SliceTiming extends to ", numberText(last), " s, beyond the ", scan,
                                     " s of a scan (BIDS uses seconds), and is ignored.")));
  timing.slices.clear();
}

/// The starts of the scans: those of the volumes if there is one for each, else multiples of the repetition
/// time.
ScanTimes startsOf(double secondsPerVolume, int scans, const DesignOptions& options,
                   const ScanTiming& timing) {
  ScanTimes times;
  times.irregular = options.tr <= 0 && int(timing.volumes.size()) == scans && ascends(timing.volumes);
  if (times.irregular) {
    const double first = timing.volumes.front();
    times.tr = (timing.volumes.back() - first) / (scans - 1);
    for (const double start : timing.volumes) times.at.push_back(start - first);
  } else {
    times.tr = repetitionTime(secondsPerVolume, options);
    for (int scan = 0; scan < scans; ++scan) times.at.push_back(scan * times.tr);
  }
  return times;
}

/// Which time of a scan is the one that it represents.
struct Reference {
  bool isStated = false;  ///< in the sidecar
  double seconds = 0;     ///< after the start of the scan
  double taken = 0;       ///< how long the acquisition lasts, s
  std::string key;        ///< which states `taken`, or ""
};

Reference referenceOf(double most, const ScanTiming& timing, const DesignOptions& options) {
  Reference reference;
  std::tie(reference.taken, reference.key) = secondsOfVolume(most, timing);
  reference.isStated = timing.reference >= 0 && timing.reference <= most && options.sliceTime == kUsualShare;
  reference.seconds = reference.isStated ? timing.reference : options.sliceTime * reference.taken;
  return reference;
}

std::string reasonOf(const Reference& reference) {
  if (reference.isStated) return " (StartTime).";
  if (reference.key.empty()) return ".";
  return text(": it is acquired in ", reference.taken, " s (", reference.key, ").");
}

/// Notes which times within a scan are ignored.
void noteIgnoredReference(const Reference& reference, double most, const ScanTiming& timing,
                          const DesignOptions& options, Notes& notes) {
  if (reference.isStated) return;
  if (timing.reference > most)
    notes.push_back(text("StartTime (", timing.reference, " s) is ignored: it lies beyond a scan."));
  else if (timing.reference >= 0)
    notes.push_back({text("StartTime (", timing.reference, " s) is ignored, since another time was given."),
                     "slice-time"});
  if (!timing.slices.empty() && reference.key != "SliceTiming" && options.sliceTiming != SliceTiming::design)
    notes.push_back(
        {"SliceTiming: all slices are assigned that time, a selectable fraction of the scan.", "slice-time"});
}

}  // namespace

ScanTimes scanTimes(double secondsPerVolume, int scans, const DesignOptions& options,
                    const ScanTiming& timing) {
  ScanTimes times = startsOf(secondsPerVolume, scans, options, timing);
  const bool givenApart = isGivenApart(secondsPerVolume, options);
  noteIgnoredTiming(timing, scans, givenApart, options, times);

  const double most = shortestInterval(times);
  ScanTiming used = givenApart ? ScanTiming() : timing;
  dropLateSlices(most, used, times.notes);
  const Reference reference = referenceOf(most, used, options);
  times.end = times.irregular ? times.at.back() + std::max(reference.taken, times.tr) : times.tr * scans;
  times.atShare = !times.irregular && !reference.isStated && reference.key.empty();
  for (int scan = 0; scan < scans; ++scan) {
    double& time = times.at[scan];
    time = times.atShare ? (scan + options.sliceTime) * times.tr : time + reference.seconds;
  }
  if (times.irregular) times.notes.push_back("The scans start when VolumeTiming says.");
  if (!times.atShare)
    times.notes.push_back(
        text("A scan represents the time ", reference.seconds, " s after its start", reasonOf(reference)));
  noteIgnoredReference(reference, most, used, options, times.notes);
  return times;
}

SliceTimesCheck checkSliceTimes(double secondsPerVolume, int slices, const DesignOptions& options,
                                const ScanTiming& timing) {
  const auto& times = timing.slices;
  if (times.empty()) return {};
  const double tr = options.tr > 0 ? options.tr : secondsPerVolume;
  const auto [first, last] = std::ranges::minmax(times);
  if (timing.sliceAxis != 2) return {false, "slices lie along another axis than the third"};
  if (int(times.size()) != slices)
    return {false, text("SliceTiming has ", times.size(), " times for ", counted(slices, "slice"))};
  if (isGivenApart(secondsPerVolume, options)) return {false, "another repetition time was given"};
  if (first < 0 || last > (1 + kSame) * tr)
    return {false, text("SliceTiming goes from ", first, " to ", last, " s, beyond a scan of ", tr, " s")};
  if (timing.reference >= 0) return {false, "StartTime says that a volume represents one time"};
  if (options.sliceTime != kUsualShare) return {false, "one time within a scan was chosen for all"};
  return {last > first, ""};
}

}  // namespace sulcus::activation
