#pragma once

#include "core/base/options.h"
#include "core/image/labels/label_table.h"
#include "core/image/volume.h"
#include "core/phantom/acquisition.h"

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
  PhantomContrast contrast = PhantomContrast::none;
  double bias = 0;
  double dropout = 0;
  double spacing = 0;
  int seed = 1;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(kind, choiceOption(
                    "kind", "Images", {"brain", "c"},
                    "brain: a brain-like head and the same one under a known smooth warp. c: a C that has to "
                    "flow into a disk."));
    visit(size, numberOption("size", "Size", "voxels", {32, 256, 16},
                             "Voxels of 2 mm along the longest axis of the computed images."));
    visit(displacement, numberOption("displacement", "Largest displacement", "voxels", {0, 8, 0.5},
                                     "Largest displacement of the known warp; 0: no warp. It scales with the "
                                     "size: this is for 64 voxels along the shortest axis."));
    visit(noise,
          numberOption("noise", "Noise", "%", {0, 50, 1},
                       "Standard deviation of the Gaussian noise of both images, of the brightest tissue."));
    visit(contrast,
          choiceOption("contrast", "Template contrast", {"none", "remapped", "inverted"},
                       "none: that of the reference. remapped: by a non-monotonic curve, fluid bright and "
                       "white matter dark, as in T2 versus T1. inverted: bright and dark swapped."));
    visit(bias, numberOption("bias", "Template bias field", "", {0, 1, 0.1},
                             "Strength of a smooth field that multiplies the template, by 0.74 to 1.35 "
                             "at strength 1."));
    visit(dropout, numberOption("dropout", "Template signal loss", "", {0, 1, 0.1},
                                "Share of the signal that is lost in a blob low in the front of the brain, "
                                "as in echo-planar images."));
    visit(spacing,
          withLowest("as the reference", numberOption("spacing", "Template spacing", "mm", {0, 20, 0.5},
                                                      "Voxel size of the template, each voxel the mean of "
                                                      "its content. 0: that of the reference.")));
    visit(seed, numberOption("seed", "Seed", "", {0, 2147483647, 1}, "Seed of the noise and of the warp."));
  }
};

/// A scan that a phantom is made from, and its regions.
struct RegistrationPhantomImage {
  std::shared_ptr<const Series<float>> image;   ///< one volume
  std::shared_ptr<const Volume<Label>> labels;  ///< on its grid, or null
};

/// Two images and, except for the C, the displacement between them.
struct RegistrationPhantom {
  /// One volume each, over the same box; white matter of the computed brain has the intensity 1000.
  std::shared_ptr<const Series<float>> templateImage, reference;
  /// 3 volumes on the reference's grid, mm, RAS+: reference(x) = template(x + truth(x)) except for the noise
  /// and the changes of the template. Null for the kind c.
  std::shared_ptr<const Series<float>> truth;
  /// The voxels of the reference inside the head or the disk; for a scan those brighter than its mean.
  std::shared_ptr<const Mask> object;
  /// The labels of a scan, each on the grid of its image; null if none were given.
  std::shared_ptr<const Volume<Label>> templateLabels, referenceLabels;
};

/// Voxels are 2 mm, RAS+, around the origin. The brain has size × size × size of them: scalp, skull, fluid, a
/// folded cortex, white matter, ventricles and deep nuclei, computed by formulas at warped positions (nothing
/// is interpolated). The C has size × size × size/2. Contrast, bias field, signal loss and spacing apply to
/// the template only.
///
/// @throws Error  of ErrorKind::usage for a spacing at which the template has too few or too many voxels
RegistrationPhantom makeRegistrationPhantom(const RegistrationPhantomOptions& options);

/// Makes the phantom from a scan: the reference is the scan at warped positions, by cubic convolution
/// (cubic_interpolation.h) within the range of its values; its labels are warped by Interpolation::label. The
/// template is the scan itself, with contrast, bias field, signal loss and spacing. The brightest tissue is
/// the 98th percentile of the voxels brighter than the mean. Kind and size are ignored.
///
/// @throws Error  also for several volumes, values that are not sound, a constant image, and labels on
///                another grid
RegistrationPhantom makeRegistrationPhantom(const RegistrationPhantomOptions& options,
                                            const RegistrationPhantomImage& given);

}  // namespace sulcus::phantom
