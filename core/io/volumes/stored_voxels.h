#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/image/grid.h"
#include "core/io/volumes/raw_image.h"
#include "core/io/volumes/samples.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sulcus::io {

/// The numbers described by a text header (NRRD, MetaImage): their type, grid and place in the file.
struct StoredVoxels {
  enum class Encoding { raw, text, deflate };

  Grid grid;               ///< RAS+, in the header's unit of length
  double millimeters = 1;  ///< mm per unit of length
  SampleType type = SampleType::f32;
  bool swapped = false;      ///< the numbers have the other byte order
  std::int64_t count = 1;    ///< numbers per voxel, which are time points or components
  bool components = false;   ///< whether they are components
  bool firstIsMask = false;  ///< the first one is a mask of the others and is omitted
  int axesBefore = 3;        ///< number of grid axes that run faster than the components; 0 if those of a
                             ///< voxel are adjacent
  double seconds = 0;        ///< between two time points; 0 if unknown

  std::filesystem::path dataFile;
  std::uint64_t start = 0;  ///< position after the header, in decompressed bytes; 0 in a separate file
  std::int64_t skipLines = 0,
               skipBytes = 0;  ///< skipped before the numbers; −1: the numbers end with the file
  Encoding encoding = Encoding::raw;

  Notes notes;  ///< on grid and units
};

inline constexpr const char* kReversedNote =
    "A negative voxel size was taken for an axis that runs the other way.";

/// Reads the numbers. `kind` is that of the sidecar; float images of three components are displacements in
/// LPS unless it says otherwise. Throws Error that names `file`, and Cancelled.
RawImage readStored(const StoredVoxels& stored, const std::filesystem::path& file, ReadAs as,
                    const std::string& kind, const Progress& progress, const TellFirst& first = {});

}  // namespace sulcus::io
