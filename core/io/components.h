#pragma once

#include "core/base/components.h"

namespace sulcus::io {

/// The libraries used to read and write files.
std::vector<Component> components();

}  // namespace sulcus::io
