#include "core/io/dicom/dicom_folder.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/platform/files/folder_entries.h"
#include "core/base/sanitized.h"
#include "core/io/dicom/dicom_elements.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <utility>

namespace sulcus::io {

namespace fs = std::filesystem;

bool isDicom(const fs::path& file) try {
  std::array<char, kDicomStart> start{};
  ByteSource source(file);
  return startsAsDicom({start.data(), source.readSome(start)});
} catch (const Error&) {  // an empty or unreadable file is not DICOM
  return false;
}

bool isDicomIndex(const fs::path& file) try {
  constexpr DicomTag kAfterMeta = 0x00030000;
  std::error_code fault;
  if (!fs::is_regular_file(file, fault)) return false;
  ByteSource source(file);
  return readDicomHeader(source, file, kAfterMeta).sopClass == kDicomIndex;
} catch (const Error&) {
  return false;
}

namespace {

/// The entries of a folder, links to files among the files.
struct FolderContent {
  std::vector<fs::path> files, folders;
  std::size_t others = 0;  // all that are not files
  fs::path notFetched;     // a link to a file that is not there, as DataLad leaves them
};

FolderContent contentOf(const fs::path& folder, const Progress& progress) {
  FolderContent content;
  for (fs::path& entry : folderEntriesIfAny(folder)) {
    progress.throwIfCancelled();
    std::error_code fault;
    const fs::file_status own = fs::symlink_status(entry, fault);
    if (fs::is_regular_file(own) || (fs::is_symlink(own) && fs::is_regular_file(entry, fault))) {
      content.files.push_back(std::move(entry));
      continue;
    }
    ++content.others;
    if (content.notFetched.empty() && fs::is_symlink(own) && !fs::exists(entry, fault))
      content.notFetched = entry;
    if (fs::is_directory(own)) content.folders.push_back(std::move(entry));
  }
  return content;
}

/// The files that `look`, which is called on all threads, takes for images.
std::vector<fs::path> imagesAmong(std::vector<fs::path> files,
                                  const std::function<bool(const fs::path&)>& look,
                                  const Progress& progress) {
  std::vector<char> isImage(files.size());
  parallelFor(std::int64_t(files.size()), 16, progress.part(0, 0, ""),
              [&](std::int64_t i) { isImage[std::size_t(i)] = look(files[std::size_t(i)]); });
  std::vector<fs::path> images;
  for (std::size_t i = 0; i < files.size(); ++i)
    if (isImage[i]) images.push_back(std::move(files[i]));
  return images;
}

}  // namespace

std::vector<fs::path> dicomFilesBelow(const fs::path& folder,
                                      const std::function<bool(const fs::path&)>& look,
                                      const Progress& progress) {
  constexpr std::size_t kMostOthers = 20'000;
  std::vector<fs::path> found, folders{folder};
  std::size_t others = 0;
  fs::path notFetched;
  while (!folders.empty()) {
    const fs::path at = std::move(folders.back());
    folders.pop_back();
    FolderContent content = contentOf(at, progress);
    const std::size_t files = content.files.size();
    auto images = imagesAmong(std::move(content.files), look, progress);
    others += content.others + files - images.size();
    std::ranges::move(content.folders, std::back_inserter(folders));
    std::ranges::move(images, std::back_inserter(found));
    if (notFetched.empty()) notFetched = content.notFetched;
    if (others > kMostOthers)
      throw Error(quotedPath(folder) + " holds more than " + std::to_string(kMostOthers) +
                      " files and folders that are not DICOM",
                  "a folder is opened by looking for DICOM in all that is below it",
                  "choose the folder that holds the scan");
  }
  if (found.empty() && !notFetched.empty()) requireFetched(notFetched);
  std::sort(found.begin(), found.end());
  return found;
}

SeriesBeside seriesBeside(const fs::path& file) {
  constexpr std::size_t kMost = 200;
  std::vector<fs::path> files = folderEntriesIfAny(fs::absolute(file).parent_path());
  std::sort(files.begin(), files.end());
  const auto same = [&](const fs::path& one) { return one.filename() == file.filename(); };
  const auto own = std::find_if(files.begin(), files.end(), same);
  const bool all = files.size() <= kMost;
  if (!all) {  // those next to it, since the files of a series mostly have similar names
    const auto at = std::min(std::size_t(own - files.begin()), files.size() - kMost / 2);
    const std::size_t begin = at - std::min(at, kMost / 2);
    files = {files.begin() + std::ptrdiff_t(begin), files.begin() + std::ptrdiff_t(begin + kMost)};
  }
  const auto seriesOf = [](const fs::path& one) -> std::string {
    std::error_code fault;
    if (!fs::is_regular_file(one, fault)) return "";
    try {
      ByteSource source(one);
      const DicomHeader header = readDicomHeader(source, one, kDicomSeries + 1);
      return objectWithoutImage(header.sopClass).empty() ? header.set.text(kDicomSeries) : "";
    } catch (const Error&) {
      return "";
    }
  };
  const std::string series = seriesOf(file);
  std::atomic<int> images = 0;
  if (!series.empty())
    parallelFor(std::int64_t(files.size()), 8, {},
                [&](std::int64_t i) { images += seriesOf(files[std::size_t(i)]) == series; });
  return {std::max(1, images.load()), all};
}

}  // namespace sulcus::io
