#include "app/cli_output.h"

#include "core/base/error.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include <fnmatch.h>
#include <sys/stat.h>

namespace sulcus::app {
namespace fs = std::filesystem;

namespace {

/// A file of that name, "" when there is none.
fs::path existing(const fs::path& pattern) {
  std::error_code fault;
  if (pattern.native().find('*') == std::string::npos)
    return fs::exists(pattern, fault) ? pattern : fs::path();
  const std::string wanted = pattern.filename();
  for (const auto& entry : fs::directory_iterator(pattern.parent_path(), fault))
    if (fnmatch(wanted.c_str(), entry.path().filename().c_str(), FNM_PERIOD) == 0) return entry.path();
  return {};
}

}  // namespace

void refuseExisting(const fs::path& folder, const std::vector<std::string>& names, bool overwrite) {
  if (fs::exists(folder) && !fs::is_directory(folder))
    throw Error("'" + folder.string() + "' is a file", "results are written into a folder",
                "give another --out");
  if (overwrite) return;
  for (const auto& name : names)
    if (const fs::path found = existing(folder / name); !found.empty())
      throw Error("'" + found.string() + "' exists already", "nothing is replaced unasked",
                  "give another --out, or --overwrite to replace it");
}

StagedOutputs::StagedOutputs(const fs::path& destination)
    : destination_(fs::absolute(destination).lexically_normal()) {
  if (!destination_.has_filename()) destination_ = destination_.parent_path();  // "out/"
  // Always on the destination's file system, so that a rename is all it takes.
  const bool exists = fs::exists(destination_);
  const fs::path parent = exists ? destination_ : destination_.parent_path();
  std::error_code fault;
  fs::create_directories(parent, fault);
  std::string name = parent.string() + "/.";
  name += destination_.filename().string() + ".XXXXXX";
  if (!mkdtemp(name.data()))
    throw Error("Nothing can be written to '" + destination.string() + "'",
                std::error_code(errno, std::generic_category()).message(),
                "choose another --out or free some space");
  staging_ = name;
  const mode_t mask = umask(0);  // a folder like any other, not mkdtemp's private one
  umask(mask);
  chmod(name.c_str(), 0777 & ~mask);
}

StagedOutputs::~StagedOutputs() {
  std::error_code ignored;
  if (!staging_.empty()) fs::remove_all(staging_, ignored);
}

fs::path StagedOutputs::file(const fs::path& name) const {
  const fs::path path = staging_ / name;
  fs::create_directories(path.parent_path());
  return path;
}

std::vector<fs::path> StagedOutputs::publish(bool overwrite) {
  std::vector<fs::path> names;
  for (const auto& entry : fs::recursive_directory_iterator(staging_))
    if (entry.is_regular_file()) names.push_back(entry.path().lexically_relative(staging_));
  refuseExisting(destination_, {names.begin(), names.end()}, overwrite);
  // provenance.json stands for a complete set of results: the old one goes first, the new one comes last.
  const auto isProvenance = [](const fs::path& name) { return name.filename() == "provenance.json"; };
  std::sort(names.begin(), names.end(), [&](const fs::path& a, const fs::path& b) {
    return isProvenance(a) != isProvenance(b) ? isProvenance(b) : a < b;
  });
  std::vector<fs::path> published;
  for (const auto& name : names) published.push_back(destination_ / name);
  if (!fs::exists(destination_)) {
    fs::rename(staging_, destination_);
    staging_.clear();
    return published;
  }
  for (const auto& name : names)
    if (isProvenance(name)) fs::remove(destination_ / name);
  for (const auto& name : names) {
    fs::create_directories((destination_ / name).parent_path());
    fs::rename(staging_ / name, destination_ / name);
  }
  return published;
}

}  // namespace sulcus::app
