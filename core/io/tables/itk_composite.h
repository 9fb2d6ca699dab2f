#pragma once

#include "core/base/progress.h"
#include "core/image/layer.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

// Transforms that ITK writes in HDF5 (.h5), such as those of ANTs (CompositeH5) and fMRIPrep (…_xfm.h5),
// which hold linear maps and a displacement field. The HDF5 library reads them in a GuardedChild.
namespace sulcus::io {

/// A request to read the transforms of an HDF5 file; its bytes follow.
struct TransformFile {
  static constexpr std::uint32_t kMark = 0x53485446;
  std::uint32_t mark = kMark, unused = 0;
  std::uint64_t fileBytes = 0;

  /// The longest time that reading may take, in seconds of processor time and by the clock.
  double mostSeconds() const { return 60 + 1e-7 * double(fileBytes); }
};
/// The answer: `count` transforms follow, each with its head, its fixed parameters and its parameters, as
/// doubles in this machine's format.
struct TransformList {
  static constexpr std::uint32_t kMark = 0x5348544c, kMost = 64;
  std::uint32_t mark = kMark, count = 0;  ///< 0: none, or the file is damaged
};
struct TransformHead {
  std::array<char, 96> type{};  ///< e.g. "AffineTransform_double_3_3", padded with zeros
  std::uint64_t fixed = 0, parameters = 0;
  std::uint64_t isWhole = 1;  ///< 0: some of its numbers are missing in the file, and nothing follows
};

/// Whether a file that begins with `start` is HDF5.
bool isHdf5(std::string_view start);

/// The composition of the transforms in such a file, in the order in which ITK applies them: as displacement
/// u(x) = T(x) − x in mm, RAS+, at the points that are mapped onto the voxels of the first field, so that it
/// is not interpolated; further fields are, linearly. Without a field, as transformTable(). Throws Error for
/// other transforms and damaged files.
Layer openItkComposite(const std::filesystem::path& file, const Progress& progress);

}  // namespace sulcus::io
