#pragma once

#include "core/base/note.h"
#include "core/image/grid.h"
#include "core/io/volumes/samples.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace sulcus::io {

enum class NiftiForm { analyze, nifti1, nifti2 };

// The intent codes that decide the kind of a layer.
inline constexpr int kIntentLabel = 1002, kIntentTensor = 1005, kIntentDisplacement = 1006,
                     kIntentVector = 1007, kIntentRgb = 2003, kIntentRgba = 2004, kIntentFnirtField = 2006,
                     kIntentFnirtFirst = 2007, kIntentFnirtLast = 2009, kIntentCiftiFirst = 3000,
                     kIntentCiftiLast = 3099;

/// A NIfTI-1, NIfTI-2 or Analyze header in this machine's byte order. Only its form has been checked.
struct NiftiHeader {
  NiftiForm form = NiftiForm::nifti1;
  bool swapped = false;    ///< the file has the other byte order
  bool singleFile = true;  ///< the numbers are in the same file as the header
  std::array<std::int64_t, 8> dim{};
  std::array<double, 8> pixdim{};
  int datatype = 0, bitsPerVoxel = 0, intent = 0, units = 0;
  double intentParameter = 0;  ///< intent_p1
  std::string intentName;      ///< printable
  double voxOffset = 0;
  Scaling scaling;                 ///< none if the slope is 0 or NaN, as the format requires
  bool scalingIsInfinite = false;  ///< slope or intercept is infinite and not applied
  int qformCode = 0, sformCode = 0;
  std::array<double, 3> quaternion{}, offset{};
  Affine sform;
  std::array<int, 3> origin{};  ///< SPM's originator in Analyze, from 1; 0 if not set
};

/// Whether a file that begins with `start` is NIfTI or Analyze.
bool looksLikeNifti(std::span<const char> start);

/// Parses the first 540 bytes of a header file, or fewer if it is shorter. Throws Error naming `file` if they
/// are not such a header.
NiftiHeader parseNiftiHeader(std::span<const char> bytes, const std::filesystem::path& file);

/// The position of voxels in a file that states no orientation, as FSL, SPM and nibabel assume it: x to the
/// patient's left, voxel `center` at the origin.
Affine assumedAffine(const Vec3<double>& spacing, const Vec3<double>& center);

/// The grid in mm, RAS+, by the rules of the format: the sform if its code is set, else the qform, else the
/// spacing alone. A note says which one was used.
Grid niftiGrid(const NiftiHeader& header, const std::filesystem::path& file, Notes& notes);

/// What is stored for each voxel of a volume.
struct NiftiNumbers {
  enum class Kind { measurements, colors, complex };
  SampleType type = SampleType::f32;
  int each = 1;  ///< interleaved numbers: 3 or 4 for colors, 2 for complex numbers
  Kind kind = Kind::measurements;
};
/// Throws Error for unsupported types such as 128-bit numbers, and if the bits per voxel are set (not 0) and
/// do not match the type.
NiftiNumbers niftiNumbers(const NiftiHeader& header, const std::filesystem::path& file);

/// Conversion of the header's unit of space to mm, and of its unit of time to s, 0 if the fourth dimension is
/// not time.
double niftiMillimeters(int units);
double niftiSeconds(int units);

}  // namespace sulcus::io
