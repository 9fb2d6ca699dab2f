#include "core/base/error.h"
#include "core/image/value_check.h"
#include "core/io/byte_source.h"
#include "core/io/companions.h"
#include "core/io/dicom_elements.h"
#include "core/io/dicom_folder.h"
#include "core/io/dicom_frames.h"
#include "core/io/dicom_geometry.h"
#include "core/io/dicom_image.h"
#include "core/io/dicom_mosaic.h"
#include "core/io/files.h"
#include "core/io/formats.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr DicomTag kImageUid = 0x00080018, kSeriesUid = 0x0020000e, kSeriesNumber = 0x00200011,
                   kSeriesDescription = 0x0008103e, kModality = 0x00080060, kImageType = 0x00080008,
                   kFrameOfReference = 0x00200052, kPhotometric = 0x00280004, kInstance = 0x00200013;

/// The printable ASCII of a text, so that no text of a header can upset a terminal or a label.
std::string cleanText(const std::string& text) {
  std::string clean;
  for (const char c : text)
    if (std::isprint((unsigned char)c) && clean.size() < 80) clean += c;
  while (!clean.empty() && clean.back() == ' ') clean.pop_back();
  return clean;
}

/// Fills in DicomFrame::shared and imageType, by which images of different series or volumes are told apart.
void describeFrame(DicomFrame& frame, const DicomSet& set) {
  const auto share = [&](const char* what, const std::string& value) {
    if (!value.empty()) frame.shared[what] = value;
  };
  share("modality", cleanText(set.text(kModality)));
  share("frame of reference", cleanText(set.text(kFrameOfReference)));
  share("photometric interpretation", cleanText(set.text(kPhotometric)));
  frame.imageType = cleanText(set.text(kImageType));
}

/// Reads pixels and geometry of one file, which is a picture, a volume or several volumes.
std::vector<DicomFrame> readFile(const fs::path& file, const DecodeFrame& decode, const Progress& progress) {
  ByteSource source(file);
  const DicomHeader header = readDicomHeader(source, file);
  const DicomImage image = dicomImageOf(header, file);
  const std::size_t described = header.set.items(kPerFrame).size();
  if (image.frames > 1 && described != std::size_t(image.frames))
    failDicom(file,
              "it holds " + std::to_string(image.frames) + " frames and says of " +
                  std::to_string(described) + " where they lie",
              "convert it to NIfTI, for example with dcm2niix");
  std::vector<DicomFrame> frames;
  std::vector<Scaling> scalings;
  for (int f = 0; f < image.frames; ++f) {
    const DicomFrameFacts facts(header.set, std::size_t(f));
    DicomFrame& frame = frames.emplace_back();
    frame.file = file;
    frame.type = image.type;
    frame.notes = image.notes;
    placeFrame(frame, facts, image.columns, image.rows);
    if (image.frames > 1) frame.order.instance = f;
    scalings.push_back(scalingOf(facts));
  }
  std::size_t next = 0;
  readDicomFrames(
      source, file, header, image, scalings, decode,
      [&](std::vector<float> values) { frames[next++].values = std::move(values); }, progress);
  std::vector<DicomFrame> volumes = joinFrames(std::move(frames));
  const std::optional<double> instance = header.set.number(kInstance);
  for (std::size_t v = 0; v < volumes.size(); ++v) {
    DicomFrame& volume = volumes[v];
    if (isMosaic(header.set)) unfoldMosaic(volume, header.set);
    if (!scalings.front().identity()) volume.notes.emplace_back("Numbers scaled as the DICOM headers say.");
    describeFrame(volume, header.set);
    volume.order.instance = instance;
    // The volumes of one file follow each other.
    if (volumes.size() > 1) volume.order.instance = instance.value_or(0) + double(v) / double(volumes.size());
  }
  return volumes;
}

/// The series that were found in a folder.
struct SeriesSearch {
  std::map<std::string, DicomSeries> byUid;
  std::map<std::string, fs::path> images;  ///< the first file of each, by its own UID
  std::map<std::string, int> copies;       ///< images that were there already, by series
  std::vector<std::string> damaged;        ///< what is wrong with files that begin as DICOM
};

/// Adds a file to its series; a damaged file is added to none.
void addToSeries(const fs::path& file, SeriesSearch& search) try {
  ByteSource source(file);
  const DicomSet set = readDicomHeader(source, file, kSeriesNumber + 1).set;
  const std::string &uid = set.text(kSeriesUid), &image = set.text(kImageUid);
  if (uid.empty()) return;
  // Some anonymization tools give several images the same UID, so only equal bytes make a copy.
  if (const auto [first, isNew] = search.images.try_emplace(image, file);
      !isNew && sha256OfFile(first->second) == sha256OfFile(file)) {
    ++search.copies[uid];
    return;
  }
  DicomSeries& series = search.byUid[uid];
  if (series.files.empty()) {
    series.uid = cleanText(uid);
    series.description = cleanText(set.text(kSeriesDescription));
    if (series.description.empty()) series.description = cleanText(set.text(kModality));
    if (series.description.empty()) series.description = "series";
    if (const std::string number = cleanText(set.text(kSeriesNumber)); !number.empty())
      series.description = number + ": " + series.description;
  }
  series.files.push_back(file);
} catch (const Error& fault) {
  search.damaged.emplace_back(fault.what());
}

}  // namespace

std::vector<DicomSeries> findDicomSeries(const fs::path& folder, const Progress& progress) {
  std::error_code fault;
  if (!fs::is_directory(folder, fault))
    throw Error(quoted(folder) + " is no folder", "DICOM series are searched in folders",
                "choose the folder that holds them");
  const std::vector<fs::path> files = dicomFilesBelow(folder, progress);
  SeriesSearch search;
  for (std::size_t i = 0; i < files.size(); ++i) {
    addToSeries(files[i], search);
    progress.update(double(i + 1) / double(files.size()));
  }
  if (search.byUid.empty() && !search.damaged.empty())
    throw Error(quoted(folder) + " holds no DICOM image that can be read", search.damaged.front(),
                "copy or export them again");
  std::vector<DicomSeries> found;
  for (auto& [uid, series] : search.byUid) {
    if (const int copies = search.copies[uid])
      series.notes.push_back(std::to_string(copies) + " images are in the folder twice and were taken once.");
    if (!search.damaged.empty())
      series.notes.push_back("Warning: images may be missing, as " + std::to_string(search.damaged.size()) +
                             " files of the folder are damaged: " + search.damaged.front());
    series.description +=
        ", " + std::to_string(series.files.size()) + (series.files.size() == 1 ? " image" : " images");
    found.push_back(std::move(series));
  }
  return found;
}

RawImage readDicom(const std::vector<fs::path>& files, const DecodeFrame& decode, const Progress& progress) {
  std::vector<DicomFrame> frames;
  std::uint64_t bytes = 0;
  for (std::size_t f = 0; f < files.size(); ++f) {
    for (DicomFrame& volume : readFile(files[f], decode, progress)) {
      // The volumes that are made of the frames will be in memory beside them.
      bytes += sizeof(float) * volume.values.size();
      frames.push_back(std::move(volume));
    }
    requireMemory(bytes, files[f]);
    progress.update(double(f + 1) / double(files.size()));
  }
  return stackFrames(std::move(frames));
}

RawImage readDicom(const std::vector<fs::path>& files, const Progress& progress) {
  DicomDecoder decoder;
  return readDicom(files, std::bind_front(&DicomDecoder::decode, &decoder), progress);
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

}  // namespace sulcus::io
