#pragma once

#include "core/image/layer.h"

namespace sulcus {

/// The functions on the sphere whose coefficients an image holds, such as fiber orientations, as entries of
/// symmetric tensors (core/image/diffusion/tensor_index.h) in world axes. A voxel with a number that is not
/// finite becomes zero.
///
/// @param harmonics  a volume for each even real spherical harmonic, 6, 15, 28, 45, 66 or 91, in the basis
///                   and in the axes of MRtrix3: tournier07, scanner; throws Error for another number
Series<float> functionsOf(const Series<float>& harmonics);
/// The inverse.
Series<float> harmonicsOf(const Series<float>& functions);

/// Whether a function has so many coefficients or entries.
bool mayBeHarmonics(int volumes);
/// How a sidecar calls an image of harmonics.
inline constexpr const char* kHarmonicsKind = "harmonics";

/// Functions as a layer of their own: drawn as lobes, saved as an image of harmonics.
Layer functionLayer(std::string name, std::shared_ptr<const Series<float>> functions);
/// Whether a layer holds functions, maybe beside their maxima.
bool hasFunctions(const Layer& layer);
/// Whether a layer holds functions alone, of which no maxima are known.
bool isFunctionAlone(const Layer& layer);

}  // namespace sulcus
