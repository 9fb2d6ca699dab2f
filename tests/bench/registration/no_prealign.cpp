#include "core/base/error.h"
#include "tests/bench/registration/prealign.h"

namespace sulcus::bench {

Affine prealign(const Series<float>&, const Series<float>&, const Mask*, registration::Prealignment,
                const std::optional<Affine>&, const Progress&) {
  throw Error("The pre-alignment cannot be found", "Sulcus was built without ITK",
              "give the column affine with files that registration wrote, or --affine none");
}

}  // namespace sulcus::bench
