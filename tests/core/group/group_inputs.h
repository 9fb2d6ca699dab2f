#pragma once

#include "core/group/group.h"
#include "core/phantom/group_phantom.h"

namespace sulcus::group {

/// The maps, people and mask of a phantom.
inline GroupInput phantomInput(const phantom::GroupPhantomOptions& options) {
  const auto made = phantom::makeGroupPhantom(options);
  GroupInput input;
  input.maps = made.maps;
  input.volumes.assign(made.maps.size(), 0);
  input.names = made.names;
  input.people = {made.columns, made.rows};
  input.mask = made.mask;
  return input;
}

}  // namespace sulcus::group
