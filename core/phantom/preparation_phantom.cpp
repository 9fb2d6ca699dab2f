#include "core/phantom/preparation_phantom.h"

#include "core/phantom/moved_head.h"

namespace sulcus::phantom {

PreparationPhantom makePreparationPhantom(const PreparationPhantomOptions& options) {
  constexpr int kBlock = 6;  // volumes of rest, then of activity
  MovedHead head;
  head.functional = true;
  head.noise = options.noise;
  head.activation = 2;
  head.seed = std::uint64_t(options.seed);
  for (int v = 0; v < options.volumes; ++v) head.active.push_back(v / kBlock % 2);
  PreparationPhantom phantom;
  phantom.motion = walkOf(options.volumes, options.walk, std::uint64_t(options.seed));
  phantom.bold = std::make_shared<const Series<float>>(head.scan(phantom.motion));
  return phantom;
}

}  // namespace sulcus::phantom
