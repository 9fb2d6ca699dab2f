#include "core/io/below.h"

#include "core/base/error.h"
#include "core/io/streams/byte_source.h"

#include <algorithm>
#include <string>
#include <system_error>

namespace sulcus::io {

namespace fs = std::filesystem;

bool isNameBelow(const fs::path& name) {
  // On Windows, C:name and \name are relative and lead elsewhere, and file:name is a stream of a file.
  constexpr bool isWindows = fs::path::preferred_separator == '\\';
  if (isWindows && name.string().find(':') != std::string::npos) return false;
  return !name.empty() && !name.has_root_path() && std::count(name.begin(), name.end(), "..") == 0;
}

bool leadsInto(const fs::path& path, const fs::path& folder) {
  std::error_code fault;
  const fs::path above = fs::weakly_canonical(folder.empty() ? "." : folder, fault);
  const fs::path real = fault ? fs::path() : fs::weakly_canonical(path, fault);
  if (fault) return false;
  auto end = above.end();
  if (above.filename().empty()) --end;  // for a path that ends in /
  return std::mismatch(above.begin(), end, real.begin(), real.end()).first == end;
}

void requireInto(const fs::path& path, const fs::path& folder) {
  if (!leadsInto(path, folder))
    throw Error(quotedPath(path) + " is a link to outside " + quotedPath(folder),
                "files there would be changed", "remove the link, or give another folder for the results");
}

}  // namespace sulcus::io
