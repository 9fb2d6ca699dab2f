#pragma once

#include "core/activation/design/design.h"
#include "core/base/note.h"
#include "core/image/scan_timing.h"

#include <string>
#include <vector>

namespace sulcus::activation {

/// The acquisition times of the scans of a run, s after the beginning of the first one.
struct ScanTimes {
  double tr = 0;           ///< repetition time; the mean if irregular
  std::vector<double> at;  ///< the time that each scan represents
  double end = 0;          ///< end of the run
  bool irregular = false;
  bool atShare = false;  ///< each scan represents the fraction `sliceTime` of its repetition time
  Notes notes;           ///< which timing information was used or ignored
};

/// The times from the repetition time and further information. The acquisition of a scan lasts from its start
/// for the repetition time minus the delay, for the stated duration, or for that of its slices; the scan
/// represents the stated reference time, or the fraction `sliceTime` of that duration. Starts are those of
/// the volumes, if there is one for each, or multiples of the repetition time.
///
/// @throws Error  as repetitionTime()
ScanTimes scanTimes(double secondsPerVolume, int scans, const DesignOptions& options,
                    const ScanTiming& timing);

/// Whether slice times can be used. A stated or chosen time of the scans, or times for another repetition
/// time, rule them out. The sentence says why not, "" if there are none.
struct SliceTimesCheck {
  bool isUsable = false;
  std::string why;
};
/// @param slices  number of slices of the series along its third axis
SliceTimesCheck checkSliceTimes(double secondsPerVolume, int slices, const DesignOptions& options,
                                const ScanTiming& timing);

}  // namespace sulcus::activation
