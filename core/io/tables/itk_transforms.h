#pragma once

#include "core/math/affine.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Linear transforms as ITK and ANTs write them: they map points of the reference (ITK: fixed image) to points
// of the template (moving image), as in Sulcus, in mm, LPS. Supported are three-dimensional affine
// transforms, rotations by Euler angles or a versor, with or without a scale, and translations, y = M (x − c)
// + t + c with the center c, in single and double precision.
namespace sulcus::io {

/// A transform as stored in any of these files.
struct StoredTransform {
  std::string type;  ///< "AffineTransform_double_3_3"
  std::vector<double> parameters,
      fixed;  ///< the center, if any, and a flag of some Euler transforms
};
/// The map, mm, RAS+. Throws Error, which names `name`, for other transforms and invalid numbers.
Affine itkMapOf(const StoredTransform& stored, const std::string& name);

/// Whether a text is an ITK transform file ("#Insight Transform File V1.0").
bool isItkTransform(std::string_view text);
/// The single transform in such a text, mm, RAS+. Throws Error for other or several transforms, and for
/// numbers that are missing or not finite. Messages name `name`.
Affine itkTransformIn(std::string_view text, const std::string& name);

/// Whether a file that begins with `start` is a transform in a MATLAB file of level 4, which ITK and ANTs
/// write as .mat: an array of parameters, named after the type of the transform, and one called "fixed".
bool isMatlabTransform(std::string_view start);
/// The transform in such a file, mm, RAS+, in either byte order and precision. Throws Error as
/// itkTransformIn() does, and for damaged files.
Affine openMatlabTransform(const std::filesystem::path& file);

}  // namespace sulcus::io
