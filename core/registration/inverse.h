#pragma once

#include "core/base/progress.h"
#include "core/image/volume.h"
#include "core/registration/vector_field.h"

namespace sulcus {

/// The map from the template back to the reference.
struct InverseField {
  Series<float>
      displacement;        ///< 3 volumes on the template's grid: the reference's point for z is z + this(z)
  Volume<float> residual;  ///< |h(x) − z| of the point x found, in voxels of the reference
  double largestResidual = 0;
};

/// Inverts h(x) = x − u(x) followed by the pre-alignment at each voxel of the template: Newton steps on the
/// trilinear displacement, from the cells around where they do not arrive. Outside the reference's grid u =
/// 0.
InverseField invert(const VectorField<float>& u, const Grid& reference, const Grid& templateGrid,
                    const Affine& templateFromReference, const Progress& progress);

}  // namespace sulcus
