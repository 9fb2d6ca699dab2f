#pragma once

#include "core/base/error.h"

#include <filesystem>

namespace sulcus {

/// The standard library's complaint about a path as the Error that is shown for it.
inline Error fileFault(const std::filesystem::filesystem_error& fault) {
  return {"'" + fault.path1().string() + "' cannot be used", fault.code().message(),
          "check the path, its permissions and the free space"};
}

}  // namespace sulcus
