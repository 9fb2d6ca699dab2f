#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "core/registration/deformation/vector_field.h"

namespace sulcus::registration {

/// The map from the template to the reference.
struct InverseField {
  /// 3 volumes on the template's grid, mm, RAS+: the reference's point for z is z + displacement(z).
  Series<float> displacement;
  Volume<float> residual;  ///< |h(x) − z| for the point x that was found, in voxels of the reference
  double largestResidual = 0;
};

/// Inverts h(x) = x − u(x), followed by the pre-alignment, at each voxel of the template. Takes Newton steps
/// on the trilinear displacement and, where they do not converge, searches the surrounding cells. Outside of
/// the reference's grid u = 0.
///
/// @param u  mm along the voxel axes of the reference
InverseField invert(const VectorField<float>& u, const Grid& reference, const Grid& templateGrid,
                    const Affine& templateFromReference, const Progress& progress);

/// The second part of invert(): searches where the Newton steps of the first part do not converge.
///
/// @param inverse  on entry without `largestResidual`
void searchMissed(const VectorField<float>& u, const Grid& reference, const Affine& templateFromReference,
                  InverseField& inverse, const Progress& progress);

}  // namespace sulcus::registration
