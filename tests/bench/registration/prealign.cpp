#include "tests/bench/registration/prealign.h"

#include "core/toolkits/prealign.h"

namespace sulcus::bench {

Affine prealign(const Series<float>& templateImage, const Series<float>& reference, const Mask* mask,
                registration::Prealignment kind, const std::optional<Affine>& initial,
                const Progress& progress) {
  return toolkits::prealign(templateImage, reference, mask, kind, initial, progress);
}

}  // namespace sulcus::bench
