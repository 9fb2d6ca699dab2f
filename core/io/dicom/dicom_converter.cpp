#include "core/io/dicom/dicom_converter.h"

#include "core/base/error.h"
#include "core/base/platform/files/file_places.h"
#include "core/base/platform/processes/own_program.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/io/dicom/dicom_frames.h"
#include "core/io/dicom/guarded_child.h"
#include "core/io/files.h"
#include "core/io/formats.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr DicomTag kSyntax = 0x00020010, kBitsStored = 0x00280101, kHighBit = 0x00280102;
constexpr const char *kPlainSyntax = "1.2.840.10008.1.2.1", *kImplicit = "1.2.840.10008.1.2";
constexpr const char* kMemory = "/dev/shm";
constexpr std::uint64_t kLittle = 64'000'000;  // bytes that it may need for any conversion

/// The dcm2niix beside this program or in the relocatable package, or else the one in the PATH.
fs::path findConverter() {
  const fs::path own = ownProgram().parent_path();
  std::string folders = own.string() + ":" + (own.parent_path() / "lib/sulcus").string();
  if (const char* const path = std::getenv("PATH")) folders.append(":").append(path);
  std::istringstream list(folders);
  for (std::string folder; std::getline(list, folder, ':');)
    if (const fs::path program = fs::path(folder) / "dcm2niix"; program.is_absolute() && isProgram(program))
      return program;
  throw Error("DICOM cannot be read", "dcm2niix, which Sulcus uses to read it, is not installed",
              "install the package dcm2niix (apt install dcm2niix, or pip install dcm2niix)",
              ErrorKind::unavailable);
}

std::string uniform(unsigned value, bool swapped) {
  std::string bytes{char(value), char(value >> 8)};
  if (swapped) std::swap(bytes[0], bytes[1]);
  return bytes;
}

/// Writes files for the converter.
class Copy {
 public:
  Copy(const fs::path& to, const fs::path& file) : out_(to, std::ios::binary), file_(file) {}
  void write(std::string_view bytes) {
    out_.write(bytes.data(), std::streamsize(bytes.size()));
    if (!out_) fail();
  }
  void finish() {
    if (!out_.flush()) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw Error(quoted(file_) + " cannot be read",
                "there is no room for it in the folder for temporary files",
                "free some, or set TMPDIR to another folder", ErrorKind::unavailable);
  }
  std::ofstream out_;
  const fs::path& file_;
};

/// What a file without preamble must begin with.
std::string preambleOf(const DicomHeader& header) {
  std::string syntax = header.syntax;
  syntax.resize(syntax.size() + syntax.size() % 2);
  std::string meta = std::string("\x02\0\x10\0UI", 6) + uniform(unsigned(syntax.size()), false) + syntax;
  return std::string(128, '\0') + "DICM" + std::string("\x02\0\0\0UL\4\0", 8) +
         uniform(unsigned(meta.size()), false) + std::string(2, '\0') + meta;
}

/// An element encoded as in the file.
std::string elementOf(const DicomHeader& header, DicomTag tag, std::string value) {
  static const std::map<DicomTag, const char*> types{{kSyntax, "UI"}, {kBitsStored, "US"}, {kHighBit, "US"}};
  const bool meta = tag >> 16 == 2, big = header.swapped && !meta;
  if (value.size() % 2) value += tag == kSyntax ? '\0' : ' ';
  std::string element = uniform(tag >> 16, big) + uniform(tag & 0xffff, big);
  const std::string length = uniform(unsigned(value.size()), big), none(2, '\0');
  if (meta || header.syntax != kImplicit) return element + types.at(tag) + length + value;
  return element + length + none + value;  // implicit files are little-endian
}

/// The bytes before the pixel element, with the values of these elements replaced.
std::string changedHeader(const fs::path& file, const DicomHeader& header,
                          const std::map<DicomTag, std::string>& changes) {
  ByteSource source(file);
  std::string bytes(header.pixelsAt, '\0');
  source.read(bytes);
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    const auto& [tag, value] = *change;
    const auto at = header.begins.lower_bound(tag);
    const auto begin = [&](auto of) { return of == header.begins.end() ? header.pixelsAt : of->second; };
    const bool isThere = at != header.begins.end() && at->first == tag;
    const std::uint64_t from = begin(at), to = isThere ? begin(std::next(at)) : from;
    bytes.replace(from, to - from, elementOf(header, tag, value));
  }
  return bytes;
}

/// The beginning of the pixel element of `bytes`.
std::string pixelElement(const DicomHeader& header, std::uint64_t bytes, bool withType) {
  const bool big = header.swapped;
  const std::string type = withType ? std::string("OW\0\0", 4) : "",
                    low = uniform(unsigned(bytes & 0xffff), big), high = uniform(unsigned(bytes >> 16), big);
  return uniform(0x7fe0, big) + uniform(0x0010, big) + type + (big ? high + low : low + high);
}

std::string kindOf(const nlohmann::ordered_json& facts, double echoSeconds) {
  std::string type;
  if (const auto found = facts.find("ImageType"); found != facts.end() && found->is_array())
    for (const auto& word : *found)
      if (word.is_string())
        type += (type.empty() ? "" : "\\") + sanitizedForDisplay(word.get<std::string>(), 40);
  return imageKind(echoSeconds * 1000, type);
}

/// An image that dcm2niix wrote, with its gradients and what is known of it from the files beside it.
ConvertedImage openConverted(const fs::path& file, const Progress& progress) {
  ConvertedImage one;
  one.derived = file.stem().string().ends_with("_ADC");
  one.image = readNifti(file, ReadAs::measurements, progress);
  const auto beside = [&](const char* extension) { return fs::path(file).replace_extension(extension); };
  if (const fs::path bval = beside(".bval"), bvec = beside(".bvec"); fs::exists(bval) && fs::exists(bvec))
    try {
      one.image.gradients = readFslGradients(bval, bvec, one.image.series.grid, one.image.series.count);
    } catch (const Error& fault) {
      one.image.gradients.source = fault.what();
    }
  const auto facts = openCompanionJson(beside(".json")).object;
  if (const auto echo = facts.find("EchoTime"); echo != facts.end() && echo->is_number())
    one.echoSeconds = echo->get<double>();
  one.kind = kindOf(facts, one.echoSeconds);
  return one;
}

/// The images in the folder that dcm2niix wrote to, in the order of their echo times.
std::vector<ConvertedImage> openAllConverted(const fs::path& folder, const Progress& progress) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string stem = entry.path().stem().string();
    // Not those that it resampled for programs that cannot handle uneven spacing and tilted slices, and not
    // the drawings over a picture.
    const bool isBeside = std::ranges::any_of(std::array{"_Eq", "_Tilt", "_ROI"},
                                              [&](const char* mark) { return stem.find(mark) != stem.npos; });
    if (entry.is_regular_file() && entry.path().extension() == ".nii" && !isBeside)
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<ConvertedImage> images;
  for (const fs::path& file : files) try {
      images.push_back(openConverted(file, progress));
    } catch (const Error& fault) {
      if (fault.kind() != ErrorKind::badInput) throw;
      throw ConversionFailed(std::string("dcm2niix writes a damaged image: ") + fault.what());
    }
  std::ranges::stable_sort(images, {}, &ConvertedImage::echoSeconds);
  return images;
}

/// The first line that begins with "Error: "; otherwise the last line.
std::string complaintIn(const std::string& log) {
  std::istringstream lines(log);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Error: ")) return sanitizedForDisplay(line.substr(7), 200);
    if (!line.empty()) last = line;
  }
  return sanitizedForDisplay(last, 200);
}

}  // namespace

ConversionFailed::ConversionFailed(const std::string& reason)
    : Error("The DICOM series cannot be read", reason, "copy or export it again, or try a newer dcm2niix"),
      why(reason) {}

bool readsOtherwise(const fs::path& file, ByteSource& source, const DicomHeader& header,
                    const DicomImage& image, const Progress& progress) {
  if (image.codec) return !image.colors;
  try {
    source.requireRoomFor(source.position() + image.frameBytes() * std::uint64_t(image.frames));
  } catch (const Error&) {
    failDicom(file, "it ends within its image");
  }
  const bool partly = image.bitsStored < image.bitsAllocated || image.highBit + 1 < image.bitsAllocated;
  if (image.colors || !partly) return false;
  const auto look = [](std::span<const char>) {};
  return !readDicomFrames(source, file, header, image, {{}, look}, progress).asStored;
}

DicomConverter::DicomConverter(bool linksOnly)
    : program_(findConverter()), folder_(fs::temp_directory_path(), "dicom", Temporary::Kind::folder) {
  fs::permissions(folder_.path(), fs::perms::owner_all);
  fs::create_directory(folder_.path() / "out");
  for (const fs::path& place : {fs::temp_directory_path(), fs::path(kMemory)})
    forEachAbandoned(place, "dicom", [](const fs::path& left) {
      std::error_code ignored;
      fs::remove_all(left, ignored);
    });
  in_ = folder_.path() / "in";
  if (linksOnly) try {
      links_.emplace(kMemory, "dicom", Temporary::Kind::folder);
      fs::permissions(links_->path(), fs::perms::owner_all);
      in_ = links_->path();
    } catch (const Error&) {  // no such folder
    }
  fs::create_directory(in_);
}

FramesRead DicomConverter::add(const DicomSource& file, const DecodeFrame& decode, const Progress& progress) {
  numbers_ += file.numbers;
  largestFile_ = std::max(largestFile_, file.bytes);
  char name[32];
  std::snprintf(name, sizeof name, "%06d.dcm", files_++);
  const fs::path to = in_ / name;
  if (file.asItIs) {
    fs::create_symlink(fs::absolute(file.path), to);
    return {};
  }
  ByteSource source(file.path);
  const DicomHeader header = readDicomHeader(source, file.path);
  const DicomImage image = dicomImageOf(header, file.path);
  std::map<DicomTag, std::string> changes;
  if (file.decoded) {
    changes[kBitsStored] = uniform(unsigned(image.bitsAllocated), header.swapped);
    changes[kHighBit] = uniform(unsigned(image.bitsAllocated - 1), header.swapped);
    if (image.codec) {  // as long as the original, so that the group keeps its length
      changes[kSyntax] = kPlainSyntax;
      changes[kSyntax].resize(header.syntax.size() + header.syntax.size() % 2);
    }
  }
  Copy copy(to, file.path);
  if (header.bare) copy.write(preambleOf(header));
  copy.write(changedHeader(file.path, header, changes));
  FramesRead read;
  if (file.decoded) {
    const std::uint64_t needed = image.frameBytes() * std::uint64_t(image.frames);
    copy.write(pixelElement(header, needed + needed % 2, header.syntax != kImplicit));
    const auto write = [&](std::span<const char> numbers) {
      std::string bytes(numbers.begin(), numbers.end());
      const auto width = std::ptrdiff_t(sampleBytes(image.type));
      if (header.swapped)
        for (auto at = bytes.begin(); at != bytes.end(); at += width) std::reverse(at, at + width);
      copy.write(bytes);
    };
    read = readDicomFrames(source, file.path, header, image, {decode, write}, progress);
    copy.write(std::string(needed % 2, '\0'));
  } else {
    ByteSource again(file.path);
    again.skipTo(header.pixelsAt, progress);
    std::string part(1 << 16, '\0');
    for (std::size_t got; (got = again.readSome(part)) > 0;)
      copy.write(std::string_view(part).substr(0, got));
  }
  copy.finish();
  return read;
}

std::vector<ConvertedImage> DicomConverter::convert(const Progress& progress) {
  const fs::path out = folder_.path() / "out";
  const std::uint64_t most = kLittle + 16 * numbers_;  // bytes that it may write in total
  const double seconds = 60 + 0.05 * files_ + 1e-6 * double(numbers_);
  std::string log;
  GuardedChild child;
  try {
    child.start("DICOM", {program_.string(), in_.string(), out.string(),
                          std::to_string((std::uint64_t(1) << 30) + 32 * numbers_ + 8 * largestFile_),
                          std::to_string(seconds), std::to_string(most)});
    log = child.takeAll(1 << 16, GuardedChild::after(4 * seconds), progress, [&] {
      std::uint64_t written = 0;
      std::error_code fault;
      for (const auto& entry : fs::directory_iterator(out, fault)) written += entry.file_size(fault);
      if (written > most) throw GuardedChild::Late{};
    });
  } catch (const GuardedChild::Lost&) {
    throw ConversionFailed("it makes dcm2niix fail, or take too much memory or time");
  } catch (const GuardedChild::Late&) {
    throw ConversionFailed("dcm2niix takes too much time or disk space on it");
  }
  sliceDirectionKnown_ = log.find("Unable to determine slice direction") == log.npos;
  const auto mark = log.find("version v");
  if (mark != log.npos) {
    const std::size_t begin = mark + 8;
    version_ =
        "dcm2niix " + sanitizedForDisplay(log.substr(begin, log.find_first_of(" \n", begin) - begin), 40);
  }
  std::vector<ConvertedImage> images = openAllConverted(out, progress);
  if (images.empty())
    throw ConversionFailed("dcm2niix makes no image of " + counted(files_, "DICOM file") + ": " +
                           complaintIn(log));
  return images;
}

}  // namespace sulcus::io
