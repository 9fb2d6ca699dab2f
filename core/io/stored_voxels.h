#pragma once

#include "core/base/progress.h"
#include "core/image/grid.h"
#include "core/io/raw_image.h"
#include "core/io/samples.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sulcus::io {

/// What a text header (NRRD, MetaImage) says of its numbers: what they are, where they lie and how.
struct StoredVoxels {
  enum class Encoding { raw, text, deflate };

  Grid grid;               ///< RAS+, in the header's unit of length
  double millimetres = 1;  ///< per unit of length
  SampleType type = SampleType::f32;
  bool swapped = false;      ///< the numbers are of the other byte order
  std::int64_t count = 1;    ///< numbers per voxel: times or components
  bool components = false;   ///< they are components rather than times
  bool firstIsMask = false;  ///< the first of them says how far the others are to be trusted, and is left out
  int axesBefore = 3;        ///< how many axes of the grid run faster: 0 where those of a voxel lie together
  double seconds = 0;        ///< from one time to the next; 0 where that is not known

  std::filesystem::path dataFile;
  std::uint64_t start = 0;  ///< byte (decompressed) behind the header; 0 in a file of its own
  std::int64_t skipLines = 0,
               skipBytes = 0;  ///< left out before the numbers; -1 bytes: they end with the file
  Encoding encoding = Encoding::raw;

  std::vector<std::string> notes;  ///< on grid and units
};

inline constexpr const char* kReversedNote =
    "A negative voxel size was taken for an axis that runs the other way.";

/// Reads them. `kind` is the sidecar's: float images of three components are displacements in LPS unless it
/// says otherwise. Throws Error that names `file`, Cancelled.
RawImage readStored(const StoredVoxels& stored, const std::filesystem::path& file, ReadAs as,
                    const std::string& kind, const Progress& progress);

}  // namespace sulcus::io
