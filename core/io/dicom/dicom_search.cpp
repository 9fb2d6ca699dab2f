#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
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
#include <cmath>
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr double kSameDirection = 1e-3;  // largest difference between directions considered equal
constexpr DicomTag kSopClass = 0x00080016, kImageUid = 0x00080018, kModality = 0x00080060,
                   kSeriesDescription = 0x0008103e, kSeriesNumber = 0x00200011, kAcquisition = 0x00200012,
                   kDirections = 0x00200037;

/// What the beginning of a file says about the series that it belongs to.
struct FileScan {
  std::string series = {}, image = {}, description = {};
  std::string object = {};              ///< its kind, if it is not an image
  std::string damage = {};              ///< why a file that begins as DICOM cannot be read
  std::vector<double> directions = {};  ///< of rows and columns; empty if it has none, or if it is tiled
};

std::vector<double> sixNumbers(const std::string& text) {
  std::vector<double> numbers(6);
  const bool all = std::sscanf(text.c_str(), "%lf \\ %lf \\ %lf \\ %lf \\ %lf \\ %lf", &numbers[0],
                               &numbers[1], &numbers[2], &numbers[3], &numbers[4], &numbers[5]) == 6;
  return all ? numbers : std::vector<double>();
}

/// nullopt for a file that cannot be opened or does not begin as DICOM.
std::optional<FileScan> scanOf(const fs::path& file) {
  std::optional<ByteSource> source;
  try {
    source.emplace(file);
  } catch (const Error&) {
    return {};
  }
  FileScan scan;
  try {
    // These are read as text: they are validated when the series is opened.
    const DicomSet set = readDicomHeader(*source, file, kDirections + 1,
                                         {kAcquisition, kDicomInstance, kDicomPosition, kDirections})
                             .set;
    scan.series = set.text(kDicomSeries);
    scan.image = set.text(kImageUid);
    scan.object = objectWithoutImage(set.text(kSopClass));
    scan.description = dicomText(set.text(kSeriesDescription));
    if (scan.description.empty()) scan.description = dicomText(set.text(kModality));
    if (scan.description.empty()) scan.description = "series";
    if (const std::string number = dicomText(set.text(kSeriesNumber)); !number.empty())
      scan.description = number + ": " + scan.description;
    if (tilesOf(set) == Tiles::none) scan.directions = sixNumbers(set.text(kDirections));
  } catch (const NotDicom&) {
    return {};
  } catch (const Error& fault) {
    if (!isDicomIndex(file)) scan.damage = fault.what();
  }
  return scan;
}

/// A series that was found in a folder.
struct Found {
  DicomSeries series;
  std::vector<std::vector<double>> directions;  ///< of its files
};

/// The series that were found in a folder.
struct SeriesSearch {
  std::map<std::string, Found> byUid;
  std::map<std::string, fs::path> images;                    ///< the first file with each image UID
  std::map<std::string, int> copies;                         ///< number of duplicate images, by series
  std::map<std::string, std::map<std::string, int>> others;  ///< objects that are not images, by series and
                                                             ///< kind
  std::vector<std::string> damaged;                          ///< what is wrong with damaged DICOM files
};

/// Adds a file to its series; a damaged file is added to none.
void addToSeries(const fs::path& file, const FileScan& scan, SeriesSearch& search) try {
  if (!scan.damage.empty()) search.damaged.push_back(scan.damage);
  if (scan.series.empty()) return;
  if (!scan.object.empty()) {
    ++search.others[scan.series][scan.object];
    return;
  }
  // Some anonymization tools give several images the same UID, so only identical bytes make a copy.
  if (const auto [first, isNew] = search.images.try_emplace(scan.image, file);
      !isNew && sha256OfFile(first->second) == sha256OfFile(file)) {
    ++search.copies[scan.series];
    return;
  }
  Found& found = search.byUid[scan.series];
  if (found.series.files.empty()) {
    found.series.uid = dicomText(scan.series);
    found.series.description = scan.description;
  }
  found.series.files.push_back(file);
  found.directions.push_back(scan.directions);
} catch (const Error& fault) {
  search.damaged.emplace_back(fault.what());
}

bool areParallel(const std::vector<double>& a, const std::vector<double>& b) {
  for (const std::size_t of : {0u, 3u})
    if (std::hypot(a[of] - b[of], a[of + 1] - b[of + 1], a[of + 2] - b[of + 2]) > kSameDirection)
      return false;
  return true;
}

/// "axial", "coronal" or "sagittal", whichever is nearest.
std::string planeOf(const std::vector<double>& directions) {
  const auto* const d = directions.data();
  const Vec3<double> normal = cross(Vec3<double>{d[0], d[1], d[2]}, Vec3<double>{d[3], d[4], d[5]});
  const double x = std::abs(normal.x), y = std::abs(normal.y), z = std::abs(normal.z);
  if (z >= x && z >= y) return "axial";
  return y >= x ? "coronal" : "sagittal";
}

/// Splits a series by the direction of its pictures, as for a localizer; a single series if all have the same
/// direction.
std::vector<DicomSeries> byDirection(const Found& found) {
  const auto& all = found.directions;
  if (std::any_of(all.begin(), all.end(), [](const auto& one) { return one.empty(); })) return {found.series};
  std::vector<DicomSeries> parts;
  std::vector<std::vector<double>> directions;
  std::map<std::string, int> known;  // number of series for each plane
  for (std::size_t f = 0; f < all.size(); ++f) {
    std::size_t part = 0;
    while (part < parts.size() && !areParallel(directions[part], all[f])) ++part;
    if (part == parts.size()) {
      directions.push_back(all[f]);
      DicomSeries& own = parts.emplace_back(found.series);
      own.files.clear();
      const std::string plane = planeOf(all[f]);
      const int number = ++known[plane];
      own.description += ", " + plane + (number > 1 ? " " + std::to_string(number) : "");
    }
    parts[part].files.push_back(found.series.files[f]);
  }
  if (parts.size() == 1) return {found.series};
  for (DicomSeries& part : parts)
    part.notes.push_back("The series has images in " + std::to_string(parts.size()) +
                         " orientations, like a localizer: this is one of them.");
  return parts;
}

/// What is to be said on the series of this UID as it was found.
Notes notesOn(const std::string& uid, const SeriesSearch& search) {
  Notes notes;
  if (const auto copies = search.copies.find(uid); copies != search.copies.end())
    notes.push_back(std::to_string(copies->second) + " images are in the folder twice and were taken once.");
  if (!search.damaged.empty())
    notes.push_back(
        Note::warning(text("images may be missing, as ", counted(std::int64_t(search.damaged.size()), "file"),
                           " of the folder cannot be read: ", search.damaged.front())));
  const auto others = search.others.find(uid);
  if (others == search.others.end()) return notes;
  std::vector<std::string> objects;
  for (const auto& [object, count] : others->second)
    objects.push_back(object + (count > 1 ? " (" + std::to_string(count) + ")" : ""));
  notes.push_back("Skipped, not images: " + joined(objects, ", ") + ".");
  return notes;
}

/// The series of these files, whose headers have already been read.
std::vector<DicomSeries> seriesOf(const std::vector<fs::path>& files, const std::vector<FileScan>& scans) {
  SeriesSearch search;
  for (std::size_t i = 0; i < files.size(); ++i) addToSeries(files[i], scans[i], search);
  if (search.byUid.empty() && !search.damaged.empty())
    throw Error(quoted(files.front().parent_path()) + " holds no DICOM image that can be read",
                search.damaged.front(), "copy or export them again");
  if (search.byUid.empty() && !search.others.empty())
    throw Error(quoted(files.front().parent_path()) + " holds no DICOM image",
                "what it holds is " + search.others.begin()->second.begin()->first,
                "choose the folder that holds the scan");
  std::vector<DicomSeries> all;
  for (auto& [uid, found] : search.byUid) {
    found.series.notes = notesOn(uid, search);
    for (DicomSeries& series : byDirection(found)) {
      series.description += ", " + counted(std::int64_t(series.files.size()), "image");
      all.push_back(std::move(series));
    }
  }
  return all;
}

}  // namespace

std::vector<DicomSeries> findDicomSeries(const fs::path& folder, const Progress& progress) {
  std::error_code fault;
  if (!fs::is_directory(folder, fault))
    throw Error(quoted(folder) + " is not a folder", "DICOM series are searched in folders",
                "choose the folder that holds them");
  std::map<fs::path::string_type, FileScan> known;
  std::mutex mutex;  // guards the search
  const auto look = [&](const fs::path& file) {
    std::optional<FileScan> scan = scanOf(file);
    if (!scan) return false;
    const std::lock_guard lock(mutex);
    known.emplace(file.native(), std::move(*scan));
    return true;
  };
  const std::vector<fs::path> files = dicomFilesBelow(folder, look, progress);
  std::vector<FileScan> scans;
  for (const fs::path& file : files) scans.push_back(std::move(known.at(file.native())));
  return seriesOf(files, scans);
}

std::vector<DicomSeries> dicomSeriesOf(const std::vector<fs::path>& files, const Progress& progress) {
  std::vector<FileScan> scans(files.size());
  parallelFor(std::int64_t(files.size()), 16, progress, [&](std::int64_t i) {
    const fs::path& file = files[std::size_t(i)];
    scans[std::size_t(i)] = scanOf(file).value_or(FileScan{.damage = quoted(file) + " is not a DICOM file"});
  });
  return seriesOf(files, scans);
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
  volume.secondsPerVolume = raw.secondsPerVolume;  // 0 if there are gradients
  volume.series = std::make_shared<const Series<float>>(std::move(raw.series));
  if (auto note = valuesNote(checkValues(volume.series->values)); !note.text.empty())
    layer.notes.push_back(std::move(note));
  layer.content = std::move(volume);
  replaceGradients(layer, std::move(raw.gradients));
  return layer;
}

namespace {

/// The series whose number, or else whose description, is `wanted`. Throws Error unless there is one.
const DicomSeries& chosenSeries(const std::vector<DicomSeries>& found, const std::string& wanted,
                                const fs::path& place) {
  std::vector<const DicomSeries*> meant;
  for (const DicomSeries& series : found)
    if (wanted.empty() || series.description.starts_with(wanted + ":")) meant.push_back(&series);
  if (meant.empty())
    for (const DicomSeries& series : found)
      if (series.description.find(wanted) != std::string::npos) meant.push_back(&series);
  if (meant.size() == 1) return *meant.front();
  std::vector<std::string> list;
  for (const auto& series : found) list.push_back(series.description);
  const std::string count = meant.empty() ? "none" : "several";
  throw Error(quoted(place) + " holds " + std::to_string(found.size()) + " DICOM series" +
                  (wanted.empty() ? "" : ", and '" + wanted + "' is " + count),
              joined(list, "; "),
              "choose one by {series}, its number or words of it (info, convert), or put it into a folder of "
              "its own"_message);
}

}  // namespace

Layer openDicomPlace(const fs::path& place, const std::string& wanted, const Progress& progress) {
  std::error_code fault;
  const fs::path folder = isDicomIndex(place) ? fs::absolute(place).parent_path() : place;
  const bool isFolder = fs::is_directory(folder, fault);
  std::optional<Temporary> unpacked;
  std::vector<DicomSeries> found;
  if (isFolder) {
    found = findDicomSeries(folder, progress.part(0, 0.2, "look"));
  } else {
    unpacked.emplace(fs::temp_directory_path(), "dicom", Temporary::Kind::folder);
    fs::permissions(unpacked->path(), fs::perms::owner_all);
    const auto files = unpackDicom(place, unpacked->path(), progress.part(0, 0.1, "unpack"));
    found = dicomSeriesOf(files, progress.part(0.1, 0.2, "look"));
  }
  if (found.empty() && isFolder)
    throw Error(quoted(place) + " is a folder without DICOM images", "a scan was expected",
                "give a file, or a folder that holds one DICOM series");
  if (found.empty())
    throw Error(quoted(place) + " is an archive without DICOM images", "a scan was expected",
                "unpack it, and give the scan that is in it");
  Layer layer = openDicomSeries(chosenSeries(found, wanted, place), progress.part(0.2, 1, "read"));
  if (!isFolder) layer.source = place.string();
  return layer;
}

}  // namespace sulcus::io
