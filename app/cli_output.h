#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sulcus::app {

/// Throws Error when `folder` is a file, or holds one of `names` and `overwrite` is false. `*` in the last
/// part of a name stands for any text.
void refuseExisting(const std::filesystem::path& folder, const std::vector<std::string>& names,
                    bool overwrite);

/// Outputs that appear only when all of them are complete: they are written into a hidden folder beside the
/// destination and renamed from there. What was not published is removed again.
class StagedOutputs {
 public:
  /// Throws Error when nothing can be written there.
  explicit StagedOutputs(const std::filesystem::path& destination);
  ~StagedOutputs();
  StagedOutputs(const StagedOutputs&) = delete;
  StagedOutputs& operator=(const StagedOutputs&) = delete;

  /// Where to write the file that will be `destination`/`name`; its folder exists.
  std::filesystem::path file(const std::filesystem::path& name) const;

  /// Moves everything to its place and returns the final paths. Throws Error, with nothing moved, when a file
  /// of one of the names exists and `overwrite` is false.
  std::vector<std::filesystem::path> publish(bool overwrite);

 private:
  std::filesystem::path destination_, staging_;
};

}  // namespace sulcus::app
