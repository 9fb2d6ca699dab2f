#pragma once

#include <string>

namespace sulcus {

/// A text file that belongs to a result beside its layers, e.g. diagnostics.json.
struct ResultFile {
  std::string name, text;
  bool adjustable = false;  ///< it says what other values of the options marked `afterwards` would change
};

}  // namespace sulcus
