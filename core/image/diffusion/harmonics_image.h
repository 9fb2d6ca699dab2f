#pragma once

#include "core/image/layer.h"

namespace sulcus {

/// Converts an image of spherical-harmonic coefficients, such as fiber orientation distributions, to entries
/// of symmetric tensors (core/image/diffusion/tensor_index.h) in world axes. A voxel with a value that is not
/// finite becomes zero.
///
/// @param harmonics  one volume per even real spherical harmonic, 6, 15, 28, 45, 66 or 91, in the basis and
///                   in the axes of MRtrix3: tournier07, scanner; throws Error for another number
Series<float> functionsOf(const Series<float>& harmonics);
/// The inverse.
Series<float> harmonicsOf(const Series<float>& functions);

/// Whether a function may have this number of coefficients or entries.
bool mayBeHarmonics(int volumes);
/// Whether the values of a series look like the harmonics of functions rather than like scans: the first
/// volume, the mean of the function, is positive almost everywhere and the largest, the others have both
/// signs.
bool looksLikeHarmonics(const Series<float>& image);
/// The kind that a sidecar states for an image of harmonics.
inline constexpr const char* kHarmonicsKind = "harmonics";

/// A layer of functions on the sphere: drawn as lobes, saved as an image of harmonics.
Layer functionLayer(std::string name, std::shared_ptr<const Series<float>> functions);
/// Whether a layer holds functions on the sphere, with or without their maxima.
bool hasFunctions(const Layer& layer);
/// Whether a layer holds functions whose maxima are not known.
bool isFunctionAlone(const Layer& layer);

}  // namespace sulcus
