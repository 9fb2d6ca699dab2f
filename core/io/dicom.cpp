#include "core/base/error.h"
#include "core/io/byte_source.h"
#include "core/io/companions.h"
#include "core/io/dicom_check.h"
#include "core/io/dicom_frames.h"
#include "core/io/files.h"
#include "core/io/formats.h"
#include "core/io/geometry.h"
#include "core/io/itk_samples.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <climits>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <gdcmAttribute.h>
#include <gdcmReader.h>
#include <gdcmScanner.h>
#include <gdcmSequenceOfItems.h>
#include <gdcmTrace.h>
#include <itkGDCMImageIO.h>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

const gdcm::Tag kPixelData(0x7fe0, 0x0010), kSeriesUid(0x0020, 0x000e), kSeriesDescription(0x0008, 0x103e),
    kSeriesNumber(0x0020, 0x0011), kModality(0x0008, 0x0060), kInstance(0x0020, 0x0013),
    kRepetition(0x0018, 0x0080), kBValue(0x0018, 0x9087), kDirection(0x0018, 0x9089),
    kDirectionSequence(0x0018, 0x9076), kSiemensB(0x0019, 0x100c), kSiemensDirection(0x0019, 0x100e),
    kPerFrame(0x5200, 0x9230);

void beQuiet() {
  gdcm::Trace::WarningOff();
  gdcm::Trace::ErrorOff();
  gdcm::Trace::DebugOff();
  itk::Object::SetGlobalWarningDisplay(false);
}

std::string rawText(const gdcm::DataSet& set, const gdcm::Tag& tag) {
  if (!set.FindDataElement(tag)) return {};
  const gdcm::ByteValue* const value = set.GetDataElement(tag).GetByteValue();
  if (!value || value->GetLength() > 1024) return {};
  std::string text(value->GetPointer(), value->GetLength());
  while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) text.pop_back();
  return text;
}

/// Printable ASCII only, so that no text of a header can upset a terminal or a label.
std::string cleanText(const char* text) {
  std::string clean;
  for (; text && *text && clean.size() < 80; ++text)
    if (std::isprint((unsigned char)*text)) clean += *text;
  while (!clean.empty() && clean.back() == ' ') clean.pop_back();
  return clean;
}

std::optional<double> decimal(const std::string& text) {
  double value = 0;
  const auto start = text.find_first_not_of(" +");
  if (start == text.npos) return {};
  if (std::from_chars(text.data() + start, text.data() + text.size(), value).ec != std::errc()) return {};
  return value;
}

/// The doubles (FD) of an element.
std::vector<double> doubles(const gdcm::DataSet& set, const gdcm::Tag& tag) {
  const std::string bytes = set.FindDataElement(tag) && set.GetDataElement(tag).GetByteValue()
                                ? std::string(set.GetDataElement(tag).GetByteValue()->GetPointer(),
                                              set.GetDataElement(tag).GetByteValue()->GetLength())
                                : std::string();
  std::vector<double> values;
  for (std::size_t at = 0; at + 8 <= bytes.size() && values.size() < 16; at += 8)
    values.push_back(load<double>(bytes.data() + at, false));
  return values;
}

/// Diffusion weighting of one frame, in patient axes turned into RAS.
std::optional<Gradient> gradientOf(const gdcm::DataSet& set) {
  std::optional<double> b;
  if (const auto standard = doubles(set, kBValue); !standard.empty()) b = standard[0];
  if (!b) b = decimal(rawText(set, kSiemensB));
  if (!b || !(*b >= 0 && *b < 1e6)) return {};
  std::vector<double> direction = doubles(set, kDirection);
  if (direction.size() != 3 && set.FindDataElement(kDirectionSequence)) {
    const auto sequence = set.GetDataElement(kDirectionSequence).GetValueAsSQ();
    if (sequence && sequence->GetNumberOfItems() > 0)
      direction = doubles(sequence->GetItem(1).GetNestedDataSet(), kDirection);
  }
  if (direction.size() != 3) direction = doubles(set, kSiemensDirection);
  Gradient gradient{*b, {}};
  if (direction.size() == 3) {
    const Vec3<double> world{-direction[0], -direction[1], direction[2]};
    const double length = norm(world);
    if (std::isfinite(length) && length > 0.5) gradient.directionWorld = (1 / length) * world;
  }
  if (gradient.b >= kB0Threshold && norm(gradient.directionWorld) == 0) return {};
  return gradient;
}

/// Reads pixels and geometry of one file and what orders it in its series.
DicomFrame readFrame(const fs::path& file) {
  requireWholeDicom(file);
  DicomFrame frame;
  frame.file = file;
  gdcm::Reader reader;
  reader.SetFileName(file.c_str());
  if (!reader.ReadUpToTag(kPixelData))
    throw Error(quoted(file) + " is no readable DICOM file", "its header is damaged", "copy it again");
  const gdcm::DataSet& set = reader.GetFile().GetDataSet();
  if (set.FindDataElement(kPerFrame)) {
    const auto frames = set.GetDataElement(kPerFrame).GetValueAsSQ();
    std::set<std::string> positions;
    const gdcm::Tag planeSequence(0x0020, 0x9113), position(0x0020, 0x0032);
    for (std::size_t i = 1; frames && i <= frames->GetNumberOfItems(); ++i) {
      const gdcm::DataSet& item = frames->GetItem(i).GetNestedDataSet();
      if (!item.FindDataElement(planeSequence)) continue;
      const auto plane = item.GetDataElement(planeSequence).GetValueAsSQ();
      if (plane && plane->GetNumberOfItems() > 0)
        positions.insert(rawText(plane->GetItem(1).GetNestedDataSet(), position));
    }
    if (frames && !positions.empty() && positions.size() < frames->GetNumberOfItems())
      throw Error(quoted(file) + " holds several volumes in one DICOM file",
                  std::to_string(frames->GetNumberOfItems()) + " frames at " +
                      std::to_string(positions.size()) + " positions, which cannot be parted here",
                  "convert it to NIfTI, for example with dcm2niix");
  }
  frame.instance = decimal(rawText(set, kInstance)).value_or(0);
  frame.repetitionSeconds = decimal(rawText(set, kRepetition)).value_or(0) / 1000;
  frame.gradient = gradientOf(set);
  frame.description = cleanText(rawText(set, kSeriesDescription).c_str());

  const auto io = itk::GDCMImageIO::New();
  io->SetFileName(file.string());
  io->ReadImageInformation();
  if (io->GetNumberOfComponents() != 1)
    throw Error(quoted(file) + " is a color image", "Sulcus works on one number per voxel",
                "choose another series");
  if (io->GetNumberOfDimensions() < 2 || io->GetNumberOfDimensions() > 3)
    throw Error(quoted(file) + " has " + std::to_string(io->GetNumberOfDimensions()) + " dimensions",
                "a DICOM image has 2 or 3", "choose another series");
  Affine lps;
  frame.grid.size = {1, 1, 1};
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (axis < io->GetNumberOfDimensions()) {
      if (io->GetDimensions(axis) < 1 || io->GetDimensions(axis) > 65535)
        throw Error(quoted(file) + " has no usable size", "its header is damaged", "copy it again");
      frame.grid.size[int(axis)] = int(io->GetDimensions(axis));
    }
    const std::vector<double> direction = io->GetDirection(axis);
    for (std::size_t world = 0; world < 3 && world < direction.size(); ++world)
      lps.m[world][axis] = io->GetSpacing(axis) * direction[world];
    lps.t[int(axis)] = io->GetOrigin(axis);
  }
  frame.grid.worldFromVoxel = flipLps(lps);
  if (!usable(frame.grid.worldFromVoxel))
    throw Error(quoted(file) + " has no usable orientation", "its voxel axes are singular or not finite",
                "choose another series");
  const SampleType type = itkSampleType(int(io->GetComponentType()), file);
  const auto voxels = std::uint64_t(frame.grid.voxels());
  requireMemory(voxels * (sizeof(float) + sampleBytes(type)), file);
  // Lossless codecs rarely reach 50:1 and deflate 1032:1, so this refuses nothing real.
  if (voxels > fs::file_size(file) * 1100)
    throw Error(quoted(file) + " cannot be as large as its header says",
                byteText(double(voxels)) + " do not fit into " + byteText(double(fs::file_size(file))),
                "copy it again");
  std::vector<char> buffer(std::max<std::uint64_t>(voxels * sampleBytes(type), io->GetImageSizeInBytes()));
  io->Read(buffer.data());
  frame.values.resize(voxels);
  frame.type = type;
  detail::convert<float>(type, buffer.data(), false, {}, frame.values);
  return frame;
}

}  // namespace

std::vector<DicomSeries> findDicomSeries(const fs::path& folder, const Progress& progress) {
  beQuiet();
  std::error_code fault;
  if (!fs::is_directory(folder, fault))
    throw Error(quoted(folder) + " is no folder", "DICOM series are searched in folders",
                "choose the folder that holds them");
  std::vector<std::string> names;
  for (const auto& entry :
       fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, fault)) {
    progress.throwIfCancelled();
    if (!entry.is_regular_file(fault)) continue;
    char start[132] = {};
    try {
      if (ByteSource source(entry.path());
          source.readSome(start) == sizeof start && std::string_view(start + 128, 4) == "DICM")
        names.push_back(entry.path().string());
    } catch (const Error&) {  // empty, unreadable or no image: nothing to show
    }
  }
  std::sort(names.begin(), names.end());
  std::map<std::string, DicomSeries> byUid;
  std::map<std::string, std::string> number;
  constexpr std::size_t kBatch = 64;
  for (std::size_t begin = 0; begin < names.size(); begin += kBatch) {
    const std::vector<std::string> batch(names.begin() + begin,
                                         names.begin() + std::min(begin + kBatch, names.size()));
    gdcm::Scanner scanner;
    for (const auto& tag : {kSeriesUid, kSeriesDescription, kSeriesNumber, kModality}) scanner.AddTag(tag);
    if (!scanner.Scan(batch)) continue;
    for (const auto& name : batch) {
      if (!scanner.IsKey(name.c_str())) continue;
      const char* const uid = scanner.GetValue(name.c_str(), kSeriesUid);
      if (!uid || !*uid) continue;
      DicomSeries& series = byUid[uid];
      if (series.files.empty()) {
        series.uid = cleanText(uid);
        series.description = cleanText(scanner.GetValue(name.c_str(), kSeriesDescription));
        if (series.description.empty())
          series.description = cleanText(scanner.GetValue(name.c_str(), kModality));
        number[uid] = cleanText(scanner.GetValue(name.c_str(), kSeriesNumber));
      }
      series.files.push_back(name);
    }
    progress.update(double(begin + batch.size()) / double(names.size()));
  }
  std::vector<DicomSeries> found;
  for (auto& [uid, series] : byUid) {
    if (series.description.empty()) series.description = "series";
    if (!number[uid].empty()) series.description = number[uid] + ": " + series.description;
    series.description +=
        ", " + std::to_string(series.files.size()) + (series.files.size() == 1 ? " image" : " images");
    found.push_back(std::move(series));
  }
  return found;
}

RawImage readDicom(const std::vector<fs::path>& files, const Progress& progress) try {
  beQuiet();
  std::vector<DicomFrame> frames;
  std::uint64_t bytes = 0;
  for (const auto& file : files) {
    requireReadable(file);
    frames.push_back(readFrame(file));
    // Frames and the volume made of them exist at the same time.
    bytes += 2 * sizeof(float) * frames.back().values.size();
    requireMemory(bytes, file);
    progress.update(double(frames.size()) / double(files.size()));
  }
  return stackFrames(std::move(frames));
} catch (const itk::ExceptionObject& fault) {
  throw Error("A DICOM image of " + std::to_string(files.size()) + " cannot be read",
              itkReason(fault.GetDescription()), "copy or export the series again");
}

Layer openDicomSeries(const DicomSeries& series, const Progress& progress) {
  if (series.files.empty())
    throw Error("The DICOM series has no files", "there is nothing to open", "choose another series");
  RawImage raw = readDicom(series.files, progress);
  Layer layer;
  layer.name = series.description.substr(0, series.description.rfind(", "));
  layer.source = series.files.front().parent_path().string();
  layer.notes = std::move(raw.notes);
  VolumeLayer volume;
  volume.secondsPerVolume = raw.secondsPerVolume;  // 0 once there are gradients
  volume.series = std::make_shared<const Series<float>>(std::move(raw.series));
  layer.content = std::move(volume);
  replaceGradients(layer, std::move(raw.gradients));
  return layer;
}

}  // namespace sulcus::io
