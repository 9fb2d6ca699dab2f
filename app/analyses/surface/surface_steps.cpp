#include "app/analyses/surface/surface_steps.h"

#include "core/surface/surface_maps.h"
#include "core/toolkits/contour.h"

#include <algorithm>

namespace sulcus::app::analyses {

SurfaceSteps::SurfaceSteps(std::shared_ptr<const surface::DenoisedSurface> denoised,
                           surface::SurfaceInput input, surface::FlowOver& flow,
                           const surface::SurfaceOptions& options)
    : denoised_(std::move(denoised)),
      input_(std::move(input)),
      compute_(&flow),
      options_(options),
      flow_(denoised_->result.flow) {
  input_.preview = {};
  const auto& ran = denoised_->result.flow.iterations;
  pass_ = ran.empty() ? 1 : ran.back().pass;
  std::erase_if(flow_.iterations, [this](const surface::SurfaceIteration& i) { return i.pass != pass_; });
}

const surface::SurfaceFlow& SurfaceSteps::flowFor(const surface::SurfaceOptions& options,
                                                  const Progress& progress) {
  const int wanted = surface::iterationCount(options, input_.gray), have = int(flow_.steps.size()) - 1;
  const bool same = options.c1 == options_.c1 && options.c2 == options_.c2 &&
                    options.weights == options_.weights && options.redistance == options_.redistance;
  // After every so many steps the level set was made a distance again, but not after the last one.
  const bool between = options.redistance > 0 && wanted % options.redistance == 0;
  if (same && (wanted == have || (wanted < have && !between))) return flow_;
  surface::SurfaceOptions used = options;
  // The weights take as long as many steps: a slider that moves on finds some more steps there.
  used.iterations = same && options.redistance == 0 ? std::max(wanted, 2 * have) : wanted;
  surface::SurfaceFlow flow = (*compute_)(*denoised_->result.search, input_, used, progress);
  for (auto& iteration : flow.iterations) iteration.pass = pass_;
  flow_ = std::move(flow);
  options_ = options;
  return flow_;
}

std::vector<Layer> SurfaceSteps::layers(const surface::SurfaceOptions& options, const Progress& progress) {
  Volume<float> phi;
  std::vector<surface::SurfaceIteration> iterations;
  {
    const std::lock_guard lock(mutex_);
    const surface::SurfaceFlow& flow = flowFor(options, progress.part(0, 0.6, "Heat steps"));
    const int wanted = surface::iterationCount(options, input_.gray);
    phi = surface::phiAfter(*denoised_->result.search, flow, std::size_t(wanted));
    const auto& ran = denoised_->result.flow.iterations;
    std::copy_if(ran.begin(), ran.end(), std::back_inserter(iterations),
                 [this](const surface::SurfaceIteration& i) { return i.pass < pass_; });
    iterations.insert(iterations.end(), flow.iterations.begin(), flow.iterations.begin() + wanted);
  }
  Mesh mesh = toolkits::contourOf(phi, progress.part(0.6, 1, "Surface"));
  return surface::surfaceLayers(std::move(mesh), std::move(phi), *denoised_->phi, iterations);
}

}  // namespace sulcus::app::analyses
