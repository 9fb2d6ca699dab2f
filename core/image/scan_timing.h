#pragma once

#include <vector>

namespace sulcus {

/// What the sidecars of a series say about the timing of its volumes, s. The keys are those of BIDS.
struct ScanTiming {
  double repetition = 0;   ///< RepetitionTime; 0: not stated
  double delay = 0;        ///< DelayTime: the pause between a volume and the next
  double acquisition = 0;  ///< AcquisitionDuration or FrameAcquisitionDuration of a volume; 0: not stated
  double reference = -1;   ///< StartTime: the time within a volume that it represents; −1: not stated
  std::vector<double> volumes = {};  ///< VolumeTiming or FrameTimesStart: when each volume starts
  std::vector<double> slices = {};   ///< SliceTiming: when each slice is acquired, after the volume's start
  int sliceAxis = 2;                 ///< SliceEncodingDirection: the axis along which slices lie

  bool empty() const {
    return delay <= 0 && acquisition <= 0 && reference < 0 && volumes.empty() && slices.empty();
  }
};

}  // namespace sulcus
