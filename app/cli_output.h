#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sulcus::app {

/// Throws Error when `folder` is a file, or holds one of `names` and `overwrite` is false.
void refuseExisting(const std::filesystem::path& folder, const std::vector<std::string>& names,
                    bool overwrite);

/// Outputs that appear only when all of them are complete: they are written into a hidden folder beside the
/// destination and renamed from there. What was not published is removed again.
class StagedOutputs {
 public:
  explicit StagedOutputs(const std::filesystem::path& destination);
  ~StagedOutputs();
  StagedOutputs(const StagedOutputs&) = delete;
  StagedOutputs& operator=(const StagedOutputs&) = delete;

  /// Where to write the file that will be `destination`/`name`; its folder exists.
  std::filesystem::path file(const std::filesystem::path& name) const;

  /// Moves everything to its place, replacing files of the same name, and returns the final paths.
  std::vector<std::filesystem::path> publish();

 private:
  std::filesystem::path destination_, staging_;
};

}  // namespace sulcus::app
