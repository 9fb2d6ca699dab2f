#include "core/io/components.h"

#include "core/base/sentence.h"

#include <expat.h>
#include <isa-l.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

namespace sulcus::io {

std::vector<Component> components() {
  return {
      {"zlib", ZLIB_VERSION, "Zlib"},
      {"ISA-L", text(ISAL_MAJOR_VERSION, ".", ISAL_MINOR_VERSION, ".", ISAL_PATCH_VERSION), "BSD-3-Clause"},
      {"expat", text(XML_MAJOR_VERSION, ".", XML_MINOR_VERSION, ".", XML_MICRO_VERSION), "MIT"},
      {"nlohmann-json",
       text(NLOHMANN_JSON_VERSION_MAJOR, ".", NLOHMANN_JSON_VERSION_MINOR, ".", NLOHMANN_JSON_VERSION_PATCH),
       "MIT"},
  };
}

}  // namespace sulcus::io
