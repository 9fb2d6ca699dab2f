#pragma once

#include "core/base/options.h"
#include "core/image/volume.h"

#include <memory>

namespace sulcus::phantom {

/// brain: a brain-like head and the same head after a smooth warp. c: a thick C that must be deformed into a
/// full disk.
enum class RegistrationPhantomKind { brain, c };

/// Parameters of the registration phantoms.
struct RegistrationPhantomOptions {
  RegistrationPhantomKind kind = RegistrationPhantomKind::brain;
  int size = 96;
  double displacement = 4;
  double noise = 2;
  int seed = 1;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(kind, choiceOption(
                    "kind", "Images", {"brain", "c"},
                    "brain: a brain-like head and the same one under a known smooth warp. c: a C that has to "
                    "flow into a disk."));
    visit(size,
          numberOption("size", "Size", "voxels", 32, 256, 16, "Voxels of 2 mm along the longest axis."));
    visit(displacement,
          numberOption("displacement", "Largest displacement", "voxels", 0, 8, 0.5,
                       "Of the known warp of the brain; it grows with the size: this is for 64 voxels."));
    visit(noise,
          numberOption("noise", "Noise", "%", 0, 50, 1,
                       "Standard deviation of the Gaussian noise of both images, of the brightest tissue."));
    visit(seed, numberOption("seed", "Seed", "", 0, 2147483647, 1, "Of the noise and of the warp."));
  }
};

/// Two images and, for the brain, the displacement between them.
struct RegistrationPhantom {
  /// One volume each, on the same grid; white matter has the intensity 1000.
  std::shared_ptr<const Series<float>> templateImage, reference;
  /// 3 volumes on the reference's grid, mm, RAS+: reference(x) = template(x + truth(x)) but for the noise.
  /// Null for the kind c.
  std::shared_ptr<const Series<float>> truth;
  std::shared_ptr<const Mask> object;  ///< the voxels of the reference inside the head or the disk
};

/// Voxels are 2 mm, RAS+, around the origin. The brain has size × size × size of them: scalp, skull, fluid, a
/// folded cortex, white matter, ventricles and deep nuclei, computed by formulas at warped positions (nothing
/// is interpolated). The C has size × size × size/2.
RegistrationPhantom makeRegistrationPhantom(const RegistrationPhantomOptions& options);

}  // namespace sulcus::phantom
