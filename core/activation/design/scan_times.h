#pragma once

#include "core/activation/design/design.h"
#include "core/base/note.h"
#include "core/image/scan_timing.h"

#include <string>
#include <vector>

namespace sulcus::activation {

/// When the scans of a run were taken, s after its first one began.
struct ScanTimes {
  double tr = 0;           ///< repetition time; of irregular scans the mean
  std::vector<double> at;  ///< the time that each scan stands for
  double end = 0;          ///< of the run
  bool irregular = false;
  bool atShare = false;  ///< each scan stands for the share `sliceTime` of its repetition time
  Notes notes;           ///< what was taken of the timing, or passed over
};

/// The times from the repetition time and what is known besides. A scan is acquired from its start on, for
/// its repetition time less the delay, for its stated duration, or while its slices are; it stands for the
/// stated reference, or for the share `sliceTime` of that time. Starts are those of the volumes, where there
/// is one for each, or multiples of the repetition time.
///
/// @throws Error  as repetitionTime()
ScanTimes scanTimes(double secondsPerVolume, int scans, const DesignOptions& options,
                    const ScanTiming& timing);

/// Whether the times of the slices can be used, which a scan's stated or chosen time, or times of another
/// repetition time, rule out. The sentence says why not, "" where there are none.
struct SliceTimesCheck {
  bool isUsable = false;
  std::string why;
};
/// @param slices  of the series along its third axis
SliceTimesCheck checkSliceTimes(double secondsPerVolume, int slices, const DesignOptions& options,
                                const ScanTiming& timing);

}  // namespace sulcus::activation
