#pragma once

#include <functional>
#include <span>
#include <vector>

namespace sulcus::toolkits {

/// Tells the transforms of an HDF5 file as io::TransformList, and what follows it, has them.
///
/// @param tell  writes bytes; false when nobody listens
/// @return      false when nobody listens or a transform cannot be read to its end
bool tellTransforms(std::vector<char> file, const std::function<bool(std::span<const char>)>& tell);

}  // namespace sulcus::toolkits
