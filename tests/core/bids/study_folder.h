#pragma once

#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sulcus::test {

/// A folder of a study, with files of a few bytes.
class StudyFolder {
 public:
  explicit StudyFolder(const std::vector<std::string>& files) {
    add("dataset_description.json", R"({"Name": "study", "BIDSVersion": "1.10.0"})");
    for (const auto& file : files) add(file);
  }
  void add(const std::string& file, const std::string& text = "x") const {
    std::filesystem::create_directories((root() / file).parent_path());
    std::ofstream(root() / file) << text;
  }
  std::filesystem::path root() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

}  // namespace sulcus::test
