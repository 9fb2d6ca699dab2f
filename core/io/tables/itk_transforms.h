#pragma once

#include "core/math/affine.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Linear transforms as ITK and ANTs write them: they map points of the reference (ITK: fixed image) to points
// of the template (moving image), as ours do, in mm, LPS. Read are affine transforms, rotations by Euler
// angles or a versor, with a scale or without, and translations of three dimensions, y = M (x − c) + t + c
// with the center c, in single and double precision.
namespace sulcus::io {

/// A transform as each kind of file holds it.
struct StoredTransform {
  std::string type;  ///< "AffineTransform_double_3_3"
  std::vector<double> parameters,
      fixed;  ///< the latter is the center, if any, and a flag of some Euler transforms
};
/// The map, mm, RAS+. Throws Error, which names `name`, for other transforms and numbers that make no sense.
Affine itkMapOf(const StoredTransform& stored, const std::string& name);

/// Whether a text is an ITK transform file ("#Insight Transform File V1.0").
bool isItkTransform(std::string_view text);
/// The only transform of such a text, mm, RAS+. Throws Error for other transforms, several of them, numbers
/// that are missing or not finite. Messages name `name`.
Affine itkTransformIn(std::string_view text, const std::string& name);

/// Whether a file that begins so is a transform as a MATLAB file of level 4, which ITK and ANTs write as
/// .mat: one array of parameters, called by the type of the transform, and one called "fixed".
bool isMatlabTransform(std::string_view start);
/// The transform in such a file, mm, RAS+, in either byte order, single or double precision. Throws Error as
/// itkTransformIn() does, and for files that are damaged.
Affine openMatlabTransform(const std::filesystem::path& file);

}  // namespace sulcus::io
