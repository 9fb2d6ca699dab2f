#pragma once

#include "app/surface_inputs.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace sulcus::app {

/// Keeps the last signed distance, so that the second backend, or another search, does not compute it of the
/// same surface again. Layers are the same when they are the same objects in memory; they are not kept alive.
class DistanceMemo {
 public:
  using Compute = Volume<float>(const SurfaceChoice&, const SurfaceOptions&, const Progress&);
  explicit DistanceMemo(std::function<Compute> compute) : compute_(std::move(compute)) {}

  struct Distance {
    std::shared_ptr<const Volume<float>> phi;
    double seconds = 0;     ///< that it took, now or then
    bool recalled = false;  ///< nothing was computed
  };

  Distance operator()(const SurfaceChoice& choice, const SurfaceOptions& options, const Progress& progress);

 private:
  /// What the distance depends on.
  struct Key {
    SurfaceChoice::Kind kind = SurfaceChoice::Kind::mask;
    int label = 0, patch = 0;
    double threshold = 0, spacing = 0, delta = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  static Key keyOf(const SurfaceChoice& choice, const SurfaceOptions& options);

  std::function<Compute> compute_;
  std::mutex mutex_;  // guards what follows: two runs may end at once
  std::weak_ptr<const Layer> layer_;
  Key key_;
  Distance last_;
};

}  // namespace sulcus::app
