#pragma once

#include "core/image/grid.h"
#include "core/io/samples.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace sulcus::io {

enum class NiftiForm { analyze, nifti1, nifti2 };

// Intent codes that decide what a layer is.
inline constexpr int kIntentLabel = 1002, kIntentDisplacement = 1006, kIntentVector = 1007;

/// A NIfTI-1, NIfTI-2 or Analyze header as numbers of this machine; nothing checked yet but the form.
struct NiftiHeader {
  NiftiForm form = NiftiForm::nifti1;
  bool swapped = false;    ///< the file is of the other byte order
  bool singleFile = true;  ///< numbers follow in the same file
  std::array<std::int64_t, 8> dim{};
  std::array<double, 8> pixdim{};
  int datatype = 0, bitsPerVoxel = 0, intent = 0, units = 0;
  double voxOffset = 0;
  Scaling scaling;                 ///< by the rules: slope 0 or not a number means none
  bool scalingIsInfinite = false;  ///< what the header gives as slope or intercept; it is not applied
  int qformCode = 0, sformCode = 0;
  std::array<double, 3> quaternion{}, offset{};
  Affine sform;
  std::array<int, 3> origin{};  ///< Analyze only: SPM's originator, 1-based, 0 where unset
};

/// Whether a file that starts so is of this family.
bool looksLikeNifti(std::span<const char> start);

/// `bytes`: the first 540 of a header file, or fewer where there are not so many.
/// Throws Error naming `file` when this is no such header.
NiftiHeader parseNiftiHeader(std::span<const char> bytes, const std::filesystem::path& file);

/// Voxel axes by the rules of the format: sform if its code is set, else qform, else the spacing alone; in
/// mm, RAS+. `notes` receives which was used and what is worth knowing about it.
Grid niftiGrid(const NiftiHeader& header, const std::filesystem::path& file, std::vector<std::string>& notes);

/// Type of the numbers; throws Error for colours, complex and the like, and where the bits of a number are
/// others than those of its type (0: not set).
SampleType niftiSampleType(const NiftiHeader& header, const std::filesystem::path& file);

/// mm per unit of the header's space and s per unit of its time; 0 s where the fourth dimension is no time.
double niftiMillimetres(int units);
double niftiSeconds(int units);

}  // namespace sulcus::io
