#pragma once

#include <functional>
#include <span>
#include <vector>

namespace sulcus::toolkits {

/// Sends the transforms of an HDF5 file in the format of io::TransformList.
///
/// @param tell  writes bytes; returns false if the receiver is gone
/// @return      false if the receiver is gone or a transform is incomplete
bool tellTransforms(std::vector<char> file, const std::function<bool(std::span<const char>)>& tell);

}  // namespace sulcus::toolkits
