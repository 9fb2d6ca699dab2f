#pragma once

#include "core/io/header_text.h"
#include "core/io/stored_voxels.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::io {

/// An NRRD header as it stands in the file; nothing checked yet but that its fields are those of the format
/// and do not contradict one another.
struct NrrdHeader {
  HeaderFields fields;                       ///< "space directions: …", by the names of the format
  std::map<std::string, std::string> pairs;  ///< "key:=value"
  std::uint64_t end = 0;                     ///< the first byte (decompressed) behind it
};

/// Throws Error that names `file`.
NrrdHeader readNrrdHeader(const std::filesystem::path& file);

/// The axes of the world that "space" names.
struct NrrdSpace {
  std::size_t dimensions = 0;     ///< with the time, where it is one of them; 0 where no space is named
  double right = -1, front = -1;  ///< how the first two turn into right and front: -1 for left, posterior
  bool named = false;             ///< left and right are known
};
NrrdSpace nrrdSpace(const HeaderFields& fields);

/// "(1,0,0) (0,2,0) none": one vector of `dimensions` finite numbers after the other. Throws Error.
std::vector<std::optional<std::vector<double>>> nrrdVectors(const HeaderFields& fields,
                                                            const std::string& name, std::size_t dimensions);

/// What the header says of its numbers. Throws Error for all that cannot be read or be trusted.
StoredVoxels nrrdVoxels(const NrrdHeader& header);

/// The diffusion weighting in the header (DWMRI_b-value, DWMRI_gradient_0000, …); empty when there is none.
GradientTable nrrdGradients(const NrrdHeader& header, int volumes);

}  // namespace sulcus::io
