#include "core/io/streams/data_file.h"

#include "core/base/error.h"
#include "core/io/below.h"
#include "core/io/streams/byte_source.h"
#include "core/io/surfaces/mesh_files.h"

#include <system_error>

namespace sulcus::io {

namespace fs = std::filesystem;

namespace {

/// The folder with all contents of a git-annex, if `content` is one of them: OBJECTS/xx/yy/KEY/KEY.
fs::path annexOf(const fs::path& content) {
  const fs::path key = content.parent_path();
  return key.filename() == content.filename() ? key.parent_path().parent_path().parent_path() : fs::path();
}

}  // namespace

fs::path dataFileBeside(const fs::path& header, const std::string& name) {
  const auto refuse = [&](const std::string& why) {
    throw Error(quoted(header) + " keeps its numbers in " + quotedWord(name), why,
                "put both files into one folder and correct the header, or save the scan as one file");
  };
  constexpr auto kOnly = "only the file itself, one file next to it or one in a folder below is read";
  if (!isNameBelow(name)) refuse(kOnly);
  const fs::path file = header.parent_path() / name;
  std::error_code fault;
  requireFetched(file);
  if (!fs::exists(file, fault)) refuse(fault ? fault.message() : quotedPath(file) + " does not exist");
  if (fs::is_directory(file, fault)) refuse("that is a folder");
  requireReadable(file);
  const fs::path annex = annexOf(fs::canonical(file, fault));
  if (!leadsInto(file, header.parent_path()) &&
      (annex.empty() || annex != annexOf(fs::canonical(header, fault))))
    refuse(kOnly);
  if (fs::equivalent(file, header, fault)) refuse("that is the header itself");
  return file;
}

}  // namespace sulcus::io
