#include "app/distance_memo.h"

#include <chrono>

namespace sulcus::app {

using Kind = SurfaceChoice::Kind;

DistanceMemo::Key DistanceMemo::keyOf(const SurfaceChoice& choice, const SurfaceOptions& options) {
  Key key;
  key.kind = choice.kind;
  if (choice.kind == Kind::mask) key.label = options.label;
  if (choice.kind == Kind::image) key.threshold = options.threshold;
  if (choice.kind == Kind::mesh)  // band and patch say how large the grid is
    key.spacing = options.spacing, key.delta = options.delta, key.patch = options.patch;
  return key;
}

DistanceMemo::Distance DistanceMemo::operator()(const SurfaceChoice& choice, const SurfaceOptions& options,
                                                const Progress& progress) {
  const Key key = keyOf(choice, options);
  {
    const std::lock_guard lock(mutex_);
    if (last_.phi && key_ == key && layer_.lock() == choice.layer) return {last_.phi, last_.seconds, true};
  }
  const auto begun = std::chrono::steady_clock::now();
  const auto phi = std::make_shared<const Volume<float>>(compute_(choice, options, progress));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  const std::lock_guard lock(mutex_);
  layer_ = choice.layer, key_ = key;
  return last_ = {phi, took.count(), false};
}

}  // namespace sulcus::app
