#include "core/base/error.h"
#include "core/base/folder_entries.h"
#include "core/image/grids/value_check.h"
#include "core/io/dicom/dicom_elements.h"
#include "core/io/dicom/dicom_folder.h"
#include "core/io/dicom/dicom_frames.h"
#include "core/io/files.h"
#include "core/io/formats.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/temporary.h"
#include "core/io/streams/zip.h"

#include <algorithm>
#include <map>
#include <optional>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr DicomTag kSopClass = 0x00080016, kImageUid = 0x00080018, kSeriesUid = 0x0020000e,
                   kSeriesNumber = 0x00200011, kSeriesDescription = 0x0008103e, kModality = 0x00080060;

/// The series that were found in a folder.
struct SeriesSearch {
  std::map<std::string, DicomSeries> byUid;
  std::map<std::string, fs::path> images;                    ///< the first file of each, by its own UID
  std::map<std::string, int> copies;                         ///< images that were there already, by series
  std::map<std::string, std::map<std::string, int>> others;  ///< objects without an image, by series and kind
  std::vector<std::string> damaged;                          ///< what is wrong with files that begin as DICOM
};

/// Adds a file to its series; a damaged file is added to none.
void addToSeries(const fs::path& file, SeriesSearch& search) try {
  ByteSource source(file);
  const DicomSet set = readDicomHeader(source, file, kSeriesNumber + 1).set;
  const std::string &uid = set.text(kSeriesUid), &image = set.text(kImageUid);
  if (uid.empty()) return;
  if (const std::string object = objectWithoutImage(set.text(kSopClass)); !object.empty()) {
    ++search.others[uid][object];
    return;
  }
  // Some anonymization tools give several images the same UID, so only equal bytes make a copy.
  if (const auto [first, isNew] = search.images.try_emplace(image, file);
      !isNew && sha256OfFile(first->second) == sha256OfFile(file)) {
    ++search.copies[uid];
    return;
  }
  DicomSeries& series = search.byUid[uid];
  if (series.files.empty()) {
    series.uid = dicomText(uid);
    series.description = dicomText(set.text(kSeriesDescription));
    if (series.description.empty()) series.description = dicomText(set.text(kModality));
    if (series.description.empty()) series.description = "series";
    if (const std::string number = dicomText(set.text(kSeriesNumber)); !number.empty())
      series.description = number + ": " + series.description;
  }
  series.files.push_back(file);
} catch (const Error& fault) {
  search.damaged.emplace_back(fault.what());
}

}  // namespace

int imagesOfSeriesBeside(const fs::path& file) {
  constexpr std::size_t kMost = 2000;
  const std::vector<fs::path> entries = folderEntriesIfAny(fs::absolute(file).parent_path());
  const auto seriesOf = [](const fs::path& one) -> std::string {
    try {
      ByteSource source(one);
      const DicomHeader header = readDicomHeader(source, one, kSeriesUid + 1);
      return objectWithoutImage(header.sopClass).empty() ? header.set.text(kSeriesUid) : "";
    } catch (const Error&) {
      return "";
    }
  };
  const std::string own = seriesOf(file);
  if (entries.size() > kMost || own.empty()) return 1;
  return int(std::count_if(entries.begin(), entries.end(), [&](const fs::path& one) {
    std::error_code fault;
    return fs::is_regular_file(one, fault) && seriesOf(one) == own;
  }));
}

std::vector<DicomSeries> findDicomSeries(const fs::path& folder, const Progress& progress) {
  std::error_code fault;
  if (!fs::is_directory(folder, fault))
    throw Error(quoted(folder) + " is no folder", "DICOM series are searched in folders",
                "choose the folder that holds them");
  return dicomSeriesOf(dicomFilesBelow(folder, progress), progress);
}

std::vector<DicomSeries> dicomSeriesOf(const std::vector<fs::path>& files, const Progress& progress) {
  SeriesSearch search;
  for (std::size_t i = 0; i < files.size(); ++i) {
    addToSeries(files[i], search);
    progress.update(double(i + 1) / double(files.size()));
  }
  if (search.byUid.empty() && !search.damaged.empty())
    throw Error(quoted(files.front().parent_path()) + " holds no DICOM image that can be read",
                search.damaged.front(), "copy or export them again");
  if (search.byUid.empty() && !search.others.empty())
    throw Error(quoted(files.front().parent_path()) + " holds no DICOM image",
                "what it holds is " + search.others.begin()->second.begin()->first,
                "choose the folder that holds the scan");
  std::vector<DicomSeries> found;
  for (auto& [uid, series] : search.byUid) {
    if (const int copies = search.copies[uid])
      series.notes.push_back(std::to_string(copies) + " images are in the folder twice and were taken once.");
    if (!search.damaged.empty())
      series.notes.push_back("Warning: images may be missing, as " + std::to_string(search.damaged.size()) +
                             " files of the folder are damaged: " + search.damaged.front());
    std::string others;
    for (const auto& [object, count] : search.others[uid])
      others += (others.empty() ? "" : ", ") + object + (count > 1 ? " (" + std::to_string(count) + ")" : "");
    if (!others.empty()) series.notes.push_back("Passed over, as no images: " + others + ".");
    series.description +=
        ", " + std::to_string(series.files.size()) + (series.files.size() == 1 ? " image" : " images");
    found.push_back(std::move(series));
  }
  return found;
}

Layer openDicomSeries(const DicomSeries& series, const Progress& progress) {
  if (series.files.empty())
    throw Error("The DICOM series has no files", "there is nothing to open", "choose another series");
  RawImage raw = readDicom(series.files, progress);
  Layer layer;
  layer.name = series.description.substr(0, series.description.rfind(", "));
  layer.source = series.files.front().parent_path().string();
  layer.notes = std::move(raw.notes);
  layer.notes.insert(layer.notes.end(), series.notes.begin(), series.notes.end());
  VolumeLayer volume;
  volume.secondsPerVolume = raw.secondsPerVolume;  // 0 when there are gradients
  volume.series = std::make_shared<const Series<float>>(std::move(raw.series));
  if (auto note = valuesNote(checkValues(volume.series->values)); !note.empty())
    layer.notes.push_back(std::move(note));
  layer.content = std::move(volume);
  replaceGradients(layer, std::move(raw.gradients));
  return layer;
}

Layer openDicomPlace(const fs::path& place, const std::string& wanted, const Progress& progress) {
  std::error_code fault;
  const bool isFolder = fs::is_directory(place, fault);
  std::optional<Temporary> unpacked;
  std::vector<DicomSeries> found;
  if (isFolder) {
    found = findDicomSeries(place, progress.part(0, 0.2, "look"));
  } else {
    unpacked.emplace(fs::temp_directory_path(), "dicom", Temporary::Kind::folder);
    fs::permissions(unpacked->path(), fs::perms::owner_all);
    const auto files = unpackDicom(place, unpacked->path(), progress.part(0, 0.1, "unpack"));
    found = dicomSeriesOf(files, progress.part(0.1, 0.2, "look"));
  }
  if (found.empty())
    throw Error(quoted(place) + (isFolder ? " is a folder" : " is an archive") + " without DICOM images",
                "a scan was expected", "give a file, or a folder that holds one DICOM series");
  std::vector<const DicomSeries*> meant;
  for (const DicomSeries& series : found)
    if (wanted.empty() || series.description.starts_with(wanted + ":")) meant.push_back(&series);
  for (std::size_t i = 0; meant.empty() && i < found.size(); ++i)
    if (found[i].description.find(wanted) != std::string::npos) meant.push_back(&found[i]);
  if (meant.size() != 1) {
    std::string list;
    for (const auto& series : found) list += (list.empty() ? "" : "; ") + series.description;
    throw Error(
        quoted(place) + " holds " + std::to_string(found.size()) + " DICOM series" +
            (wanted.empty() ? "" : ", and '" + wanted + "' is " + (meant.empty() ? "none" : "several")),
        list, "choose one by --series NUMBER (info, convert), or put it into a folder of its own");
  }
  Layer layer = openDicomSeries(*meant.front(), progress.part(0.2, 1, "read"));
  if (!isFolder) layer.source = place.string();
  return layer;
}

}  // namespace sulcus::io
