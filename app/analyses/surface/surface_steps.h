#pragma once

#include "core/image/layer.h"
#include "core/surface/surface_report.h"

#include <memory>
#include <mutex>
#include <vector>

namespace sulcus::app::analyses {

/// The layers of a denoised surface with other weights and iterations: nothing is searched again, and
/// computed steps are kept, so that a slider moves through existing steps.
class SurfaceSteps {
 public:
  /// @param flow     of the backend that the surface was denoised on
  /// @param options  those of the run
  SurfaceSteps(std::shared_ptr<const surface::DenoisedSurface> denoised, surface::SurfaceInput input,
               surface::FlowOver& flow, const surface::SurfaceOptions& options);

  std::vector<Layer> layers(const surface::SurfaceOptions& options, const Progress& progress);

 private:
  const surface::SurfaceFlow& flowFor(const surface::SurfaceOptions& options, const Progress& progress);

  std::shared_ptr<const surface::DenoisedSurface> denoised_;
  surface::SurfaceInput input_;
  surface::FlowOver* compute_;
  int pass_ = 1;      ///< the last one: only its steps can be changed
  std::mutex mutex_;  // guards what follows: a comparison also calls this
  surface::SurfaceOptions options_;
  surface::SurfaceFlow flow_;
};

}  // namespace sulcus::app::analyses
