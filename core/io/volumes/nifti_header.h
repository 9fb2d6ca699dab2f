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

/// A NIfTI-1, NIfTI-2 or Analyze header as numbers of this machine. Only the form has been checked.
struct NiftiHeader {
  NiftiForm form = NiftiForm::nifti1;
  bool swapped = false;    ///< the file has the other byte order
  bool singleFile = true;  ///< the numbers are in the same file
  std::array<std::int64_t, 8> dim{};
  std::array<double, 8> pixdim{};
  int datatype = 0, bitsPerVoxel = 0, intent = 0, units = 0;
  double intentParameter = 0;  ///< intent_p1
  std::string intentName;      ///< printable
  double voxOffset = 0;
  Scaling scaling;                 ///< none when the slope is 0 or not a number, as the format says
  bool scalingIsInfinite = false;  ///< slope or intercept is infinite and not applied
  int qformCode = 0, sformCode = 0;
  std::array<double, 3> quaternion{}, offset{};
  Affine sform;
  std::array<int, 3> origin{};  ///< originator of SPM in Analyze, from 1; 0 when not set
};

/// Whether a file that begins with `start` is NIfTI or Analyze.
bool looksLikeNifti(std::span<const char> start);

/// Parses the first 540 bytes of a header file, or fewer when there are not as many. Throws Error naming
/// `file` when they are no such header.
NiftiHeader parseNiftiHeader(std::span<const char> bytes, const std::filesystem::path& file);

/// Where voxels lie whose file states no orientation, as FSL, SPM and nibabel read it: x to the patient's
/// left, voxel `center` at the origin.
Affine assumedAffine(const Vec3<double>& spacing, const Vec3<double>& center);

/// The grid in mm, RAS+, by the rules of the format: the sform if its code is set, else the qform, else the
/// spacing alone. A note says which was used.
Grid niftiGrid(const NiftiHeader& header, const std::filesystem::path& file, Notes& notes);

/// What is stored for each voxel of a volume.
struct NiftiNumbers {
  enum class Kind { measurements, colors, complex };
  SampleType type = SampleType::f32;
  int each = 1;  ///< numbers that lie together: 3 or 4 of colors, 2 of complex numbers
  Kind kind = Kind::measurements;
};
/// Throws Error for 128-bit numbers and the like, and when the bits per voxel are set (not 0) and are not
/// those of the type.
NiftiNumbers niftiNumbers(const NiftiHeader& header, const std::filesystem::path& file);

/// The millimetres in the header's unit of space, and the seconds in its unit of time, which are 0 when the
/// fourth dimension is no time.
double niftiMillimetres(int units);
double niftiSeconds(int units);

}  // namespace sulcus::io
