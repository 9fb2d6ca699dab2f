#include "core/io/data_file.h"

#include "core/base/error.h"
#include "core/io/byte_source.h"
#include "core/io/mesh_files.h"

#include <algorithm>
#include <system_error>

namespace sulcus::io {

namespace fs = std::filesystem;

namespace {

/// The folder that holds all contents of a git-annex, if `content` is one of them: OBJECTS/xx/yy/KEY/KEY.
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
  constexpr auto kOnly = "only the file itself, one file beside it or one in a folder below is read";
  const fs::path given = name;
  if (name.empty() || given.is_absolute() || std::count(given.begin(), given.end(), "..") > 0) refuse(kOnly);
  const fs::path file = header.parent_path() / given;
  std::error_code fault;
  requireFetched(file);
  if (!fs::exists(file, fault)) refuse(fault ? fault.message() : quotedPath(file) + " does not exist");
  if (fs::is_directory(file, fault)) refuse("that is a folder");
  requireReadable(file);
  const fs::path folder = fs::canonical(header.has_parent_path() ? header.parent_path() : ".", fault);
  const fs::path real = fault ? fs::path() : fs::canonical(file, fault);
  const bool isBelow =
      !fault && std::mismatch(folder.begin(), folder.end(), real.begin(), real.end()).first == folder.end();
  const fs::path annex = fault ? fs::path() : annexOf(real);
  if (!isBelow && (annex.empty() || annex != annexOf(fs::canonical(header, fault)))) refuse(kOnly);
  if (fs::equivalent(file, header, fault)) refuse("that is the header itself");
  return file;
}

}  // namespace sulcus::io
