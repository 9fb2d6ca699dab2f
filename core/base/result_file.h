#pragma once

#include <string>

namespace sulcus {

/// A text file that belongs to a result in addition to its layers, e.g. diagnostics.json.
struct ResultFile {
  std::string name, text;
  bool adjustable = false;  ///< it depends on options marked `adjustable`
};

}  // namespace sulcus
