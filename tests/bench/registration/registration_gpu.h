#pragma once

#include "core/registration/deformation/registration_level.h"

namespace sulcus::bench {

/// Seconds of an iteration: the median of five times `count`, after a warm-up of as many. Steps are short, so
/// that the deformation stays small.
template <class Level, class Seconds>
double iterationSeconds(Level& level, int count, const Seconds& secondsOf) {
  level.start();
  const double step = 0.01;  // voxels
  return secondsOf([&] {
           for (int i = 0; i < count; ++i) {
             const double speed = level.velocity(i > 0 ? 0.8 : 0).speed;
             level.attempt(step / speed);
             level.accept();
           }
         }) /
         count;
}

/// The descent on the GPU, timed.
struct GpuIteration {
  double kernel = 0;     ///< seconds, by device events
  double iteration = 0;  ///< seconds, wall-clock time
  double deviceBytes = 0;
};
/// On these devices; kernels are timed on the first. Throws Error if there is no GPU.
GpuIteration timeGpuIteration(const registration::LevelImages<float>& images,
                              const registration::RegistrationOptions& options,
                              const std::vector<int>& devices = {0});
/// The rate of a copy within the device's memory, read and written, bytes/s.
double gpuCopyBandwidth();
/// Seconds of a descent, from and to host memory; `iterations` receives the number of iterations.
double timeGpuDescent(const registration::LevelImages<float>& images,
                      const registration::RegistrationOptions& options, int& iterations);

}  // namespace sulcus::bench
