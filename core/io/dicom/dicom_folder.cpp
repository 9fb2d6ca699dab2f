#include "core/io/dicom/dicom_folder.h"

#include "core/base/error.h"
#include "core/base/folder_entries.h"
#include "core/base/sanitized.h"
#include "core/io/dicom/dicom_elements.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace sulcus::io {

namespace fs = std::filesystem;

bool isDicom(const fs::path& file) try {
  std::array<char, kDicomStart> start{};
  ByteSource source(file);
  return startsAsDicom({start.data(), source.readSome(start)});
} catch (const Error&) {  // an empty or unreadable file is no DICOM file
  return false;
}

std::vector<fs::path> dicomFilesBelow(const fs::path& folder, const Progress& progress) {
  constexpr int kMostOthers = 20'000;
  std::vector<fs::path> files, folders{folder};
  int others = 0;
  fs::path notFetched;
  while (!folders.empty()) {
    const fs::path at = std::move(folders.back());
    folders.pop_back();
    for (fs::path& entry : folderEntriesIfAny(at)) {
      progress.throwIfCancelled();
      std::error_code fault;
      const bool isFolder = fs::is_directory(fs::symlink_status(entry, fault));
      if (!isFolder && fs::is_regular_file(entry, fault) && isDicom(entry)) {
        files.push_back(std::move(entry));
        continue;
      }
      if (notFetched.empty() && fs::is_symlink(entry, fault) && !fs::exists(entry, fault)) notFetched = entry;
      if (isFolder) folders.push_back(std::move(entry));
      if (++others > kMostOthers)
        throw Error(quotedPath(folder) + " holds more than " + std::to_string(kMostOthers) +
                        " files and folders that are no DICOM",
                    "a folder is opened by looking for DICOM in all that is below it",
                    "choose the folder that holds the scan");
    }
  }
  if (files.empty() && !notFetched.empty()) requireFetched(notFetched);
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace sulcus::io
