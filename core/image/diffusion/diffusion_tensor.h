#pragma once

#include "core/base/progress.h"
#include "core/image/layer.h"

#include <string_view>
#include <vector>

namespace sulcus {

/// The order and axes of the six volumes of a diffusion tensor, by the program that writes them. `fsl`
/// (dtifit): xx xy xz yy yz zz along the axes of the image, the first reversed if they are right-handed, as
/// for its b-vectors. `mrtrix` (dwi2tensor): xx yy zz xy xz yz along the axes of the scanner. `ants`: xx xy
/// yy xz yz zz, the order of NIfTI's intent 1005, along the axes of the voxels; `dipy`: the same order along
/// the axes of FSL.
enum class TensorOrder { fsl, mrtrix, ants, dipy };

/// "fsl", …; throws Error for another name.
TensorOrder tensorOrderFrom(std::string_view name);

/// The tensors in world axes and in the order of tensor_index.h: xx xy xz yy yz zz. A voxel with a value that
/// is not finite becomes zero.
///
/// @param image  six volumes; throws Error for another number
Series<float> diffusionTensor(const Series<float>& image, TensorOrder order);

/// The direction of strongest diffusion, scaled by the fractional anisotropy: 3 volumes, world axes, NaN if
/// there is none.
///
/// @param tensor  of order 2, in the order of tensor_index.h, world axes
Series<float> principalDirections(const Series<float>& tensor);

/// Fractional anisotropy (Basser & Pierpaoli, J Magn Reson B 111 (1996) 209) and mean, axial and radial
/// diffusivity as layers named fa, md, ad and rd, 0 where the tensor is zero. Negative eigenvalues, which
/// noise causes, count as 0. Diffusivities are in the unit of the tensor, or in 10⁻³ mm²/s if they are so
/// small that this unit must be mm²/s.
std::vector<Layer> diffusionMaps(const Series<float>& tensor, const Progress& progress = {});

}  // namespace sulcus
