#pragma once

#include "core/io/volumes/header_text.h"
#include "core/io/volumes/stored_voxels.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::io {

/// An NRRD header as in the file. It has only fields of the format, none of them twice with different values;
/// nothing else has been checked.
struct NrrdHeader {
  HeaderFields fields;                       ///< from lines like "space directions: …"
  std::map<std::string, std::string> pairs;  ///< from lines "key:=value"
  std::uint64_t end = 0;                     ///< position after the header, in decompressed bytes
};

/// Reads a header. Throws Error that names `file`.
NrrdHeader readNrrdHeader(const std::filesystem::path& file);

/// The world axes that the field "space" names.
struct NrrdSpace {
  std::size_t dimensions = 0;     ///< including time; 0 if no space is named
  double right = -1, front = -1;  ///< 1 if the first two axes point right and to the front, -1 for left and
                                  ///< back
  bool named = false;             ///< whether left and right are known
};
NrrdSpace nrrdSpace(const HeaderFields& fields);

/// Parses the vectors of a field like "(1,0,0) (0,2,0) none". Throws Error unless each has `dimensions`
/// finite numbers.
std::vector<std::optional<std::vector<double>>> nrrdVectors(const HeaderFields& fields,
                                                            const std::string& name, std::size_t dimensions);

/// The description of the stored numbers. Throws Error for a header that is not supported or contradicts
/// itself.
StoredVoxels nrrdVoxels(const NrrdHeader& header);

/// The diffusion weighting in the header (DWMRI_b-value, DWMRI_gradient_0000, …), empty if there is none.
GradientTable nrrdGradients(const NrrdHeader& header, int volumes);

}  // namespace sulcus::io
