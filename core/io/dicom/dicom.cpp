#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/image/grids/assumed_sides.h"
#include "core/io/dicom/dicom_converter.h"
#include "core/io/dicom/dicom_elements.h"
#include "core/io/dicom/dicom_folder.h"
#include "core/io/dicom/dicom_frames.h"
#include "core/io/dicom/dicom_geometry.h"
#include "core/io/dicom/dicom_image.h"
#include "core/io/dicom/dicom_patient.h"
#include "core/io/dicom/uneven_slices.h"
#include "core/io/formats.h"
#include "core/io/streams/byte_source.h"
#include "core/io/volumes/geometry.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <exception>
#include <optional>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr DicomTag kModality = 0x00080060, kFrameOfReference = 0x00200052, kPhotometric = 0x00280004;

void noteOnce(Notes& notes, const Note& note) {
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
}

/// Header information about a series.
struct SeriesFacts {
  std::vector<DicomFrame> frames;
  Tiles tiles = Tiles::none;
  bool scaled = false, colors = false;
  Vec3<int> picture{0, 0, 1};
  std::size_t files = 0;
  double repetitionSeconds = 0;
  Notes stored, notes;  ///< types of numbers; oddities of the files
};

/// Adds the header information of a file about its pictures.
void addFacts(const fs::path& file, const DicomHeader& header, const DicomImage& image, SeriesFacts& facts) {
  const DicomSet& set = header.set;
  const std::size_t described = set.items(kPerFrame).size();
  if (image.frames > 1 && described != std::size_t(image.frames))
    failDicom(file,
              "it holds " + std::to_string(image.frames) + " frames and says of " +
                  std::to_string(described) + " where they lie",
              "export it again, as single images");
  noteOnce(facts.stored, storedNote(image.type));
  for (const auto& note : image.notes) noteOnce(facts.notes, note);
  facts.tiles = std::max(facts.tiles, tilesOf(set));
  facts.colors = facts.colors || image.colors;
  facts.picture = {image.columns, image.rows, 1};
  ++facts.files;
  for (int f = 0; f < image.frames; ++f) {
    const DicomFrameFacts own(set, std::size_t(f));
    DicomFrame& frame = facts.frames.emplace_back();
    frame.file = file;
    frame.inFile = f;
    placeFrame(frame, own, image.columns, image.rows);
    const auto share = [&](const char* what, DicomTag tag) {
      if (const std::string value = dicomText(set.text(tag)); !value.empty()) frame.shared[what] = value;
    };
    share("modality", kModality);
    share("frame of reference", kFrameOfReference);
    share("photometric interpretation", kPhotometric);
    frame.order.instance = set.number(kDicomInstance);
    if (image.frames > 1) frame.order.instance = frame.order.instance.value_or(0) + 1e-6 * f;
    facts.scaled = facts.scaled || !frame.scaling.identity();
    if (facts.frames.size() == 1) facts.repetitionSeconds = repetitionSeconds(own);
  }
}

[[noreturn]] void failTiled(const SeriesFacts& facts, const std::string& unsaid) {
  failDicom(facts.frames.front().file, "its slices lie side by side, a mosaic, and it does not say " + unsaid,
            "export it again, with the private elements of the scanner");
}

/// The positions of the pictures; nullopt for tiled ones, whose slice positions are in private elements.
std::optional<DicomStack> placesOf(SeriesFacts& facts) {
  requireTogether(facts.frames);
  const DicomFrame& first = facts.frames.front();
  if (facts.tiles != Tiles::none) {
    for (const auto& missing : first.missing)
      if (missing != "position") failTiled(facts, "how they lie, as its header gives no " + missing);
    if (!first.distanceKnown)
      facts.notes.push_back(
          Note::warning("the DICOM header gives no distance of slices: their thickness is used instead."));
    return {};
  }
  DicomStack stack{first.grid};
  if (facts.frames.size() > 1 || first.missing.empty()) {
    stack = stackOf(facts.frames);
  } else {
    Note note =
        assumedSides("the DICOM header gives no " + missingOf(first) +
                     ". An axial image at the origin with 1 mm voxels is assumed: positions and lengths "
                     "are unreliable.");
    note.severity = Severity::warning;
    facts.notes.push_back(std::move(note));
  }
  if (stack.grid.size.z == 1 && !first.thicknessKnown)
    stack.notes.push_back(Note::warning("the DICOM header gives no slice thickness: 1 mm is assumed."));
  return stack;
}

/// Puts an image of the same size onto the grid given by the headers. dcm2niix reverses the order of slices
/// at its discretion.
void place(Series<float>& series, const DicomStack& stack) {
  const Affine& map = stack.grid.worldFromVoxel;
  const Vec3<double> begin = series.grid.worldFromVoxel.t,
                     last = map.point({0, 0, double(stack.grid.size.z - 1)});
  if (norm(begin - last) < norm(begin - map.t)) {
    const std::int64_t slice = std::int64_t(series.grid.size.x) * series.grid.size.y;
    for (int v = 0; v < series.count; ++v) {
      float* const data = series.volume(v).data;
      for (int low = 0, high = series.grid.size.z - 1; low < high; ++low, --high)
        std::swap_ranges(data + low * slice, data + (low + 1) * slice, data + high * slice);
    }
  }
  series.grid = stack.grid;
}

/// Joins images into one, volume after volume; the only note says how they differ.
RawImage joinImages(std::vector<ConvertedImage> images) {
  RawImage joined = std::move(images.front().image);
  joined.notes.clear();
  if (images.size() == 1) return joined;
  bool weighted = !joined.gradients.empty();
  std::string kinds = text(counted(joined.series.count, "volume"), ", from volume 1 on, of ", images[0].kind);
  std::size_t numbers = joined.series.values.size();
  for (std::size_t i = 1; i < images.size(); ++i) {
    const RawImage& one = images[i].image;
    if (!sameGrid(one.series.grid, joined.series.grid))
      throw Error("The images of the DICOM series do not lie at one place",
                  otherGrid(one.series.grid, joined.series.grid), "open the files of one of them alone");
    kinds += text("; ", counted(one.series.count, "volume"), ", from volume ", joined.series.count + 1,
                  " on, of ", images[i].kind);
    joined.series.count += one.series.count;
    numbers += one.series.values.size();
    weighted = weighted && !one.gradients.empty();
    const auto& rows = one.gradients.rows;
    joined.gradients.rows.insert(joined.gradients.rows.end(), rows.begin(), rows.end());
  }
  joined.series.values.reserve(numbers);
  for (std::size_t i = 1; i < images.size(); ++i) {
    const std::vector<float> own = std::move(images[i].image.series.values);
    joined.series.values.insert(joined.series.values.end(), own.begin(), own.end());
  }
  if (!weighted) joined.gradients = {};
  if (std::any_of(images.begin(), images.end(),
                  [&](const ConvertedImage& one) { return one.kind != images.front().kind; }))
    joined.notes.push_back("The volumes are not of one kind: " + kinds + ".");
  return joined;
}

int volumesOf(const std::vector<ConvertedImage>& images, bool derived) {
  int count = 0;
  for (const auto& one : images)
    if (one.derived == derived) count += one.image.colors ? 1 : one.image.series.count;
  return count;
}

/// Removes what dcm2niix derived from a whole diffusion series if the series itself is present; returns the
/// number of volumes that the series lacks.
int leaveOutDerived(std::vector<ConvertedImage>& images) {
  const int own = volumesOf(images, false), derived = volumesOf(images, true);
  if (own == 0) return 0;
  std::erase_if(images, [](const ConvertedImage& one) { return one.derived; });
  return std::max(0, derived - own);
}

/// Throws Error unless a mosaic became a volume with as many slices as it has tiles for.
void requireUnfolded(const RawImage& image, const SeriesFacts& facts) {
  const Vec3<int> size = image.series.grid.size;
  const int across = facts.picture.x / size.x, down = facts.picture.y / size.y;
  if (across * size.x != facts.picture.x || down * size.y != facts.picture.y || across * down < size.z ||
      across * down == 1 || (facts.tiles == Tiles::square && across != down))
    failTiled(facts, "how many slices share its tiles");
}

/// Sets the seconds per volume and the gradients, with notes on them.
void describeVolumes(RawImage& image, const SeriesFacts& facts, bool oneWeightingEach) {
  const double stated = facts.repetitionSeconds, found = image.secondsPerVolume;
  const bool several = image.series.count > 1 && !image.colors;
  image.secondsPerVolume = found > 0 ? found : stated;
  if (!several) image.secondsPerVolume = 0;
  if (several && stated > 0 && found > 0 && std::abs(found - stated) > 0.01 * stated)
    image.notes.push_back(text("By the acquisition times a volume takes ", found,
                               " s, which is used; the repetition time in the headers is ", stated, " s."));
  auto& [rows, source, files, stamps] = image.gradients;
  if (!oneWeightingEach && several) {
    image.notes.emplace_back(
        "The diffusion weighting differs between slices of one volume: gradients not used.");
    rows.clear();
  }
  const bool weighted =
      std::any_of(rows.begin(), rows.end(), [](const Gradient& g) { return g.b >= kB0Threshold; });
  if (!several || (!rows.empty() && !weighted)) image.gradients = {};
  if (several && weighted) source = "the DICOM headers (patient axes turned into RAS)";
  files.clear();
  stamps.clear();
}

/// How the images differ from the headers; "" if they agree.
std::string disagreement(const SeriesFacts& facts, const std::optional<DicomStack>& stack,
                         const std::vector<ConvertedImage>& images, int leftOut) {
  const int expected = stack ? stack->volumes : int(facts.frames.size());
  const int found = volumesOf(images, images.front().derived);
  if (stack)
    for (const ConvertedImage& one : images)
      if (const Grid& grid = one.image.series.grid; !(grid.size == stack->grid.size))
        return "dcm2niix makes " + describeGrid(grid) + " of it, and its headers say " +
               describeGrid(stack->grid);
  if (found + leftOut == expected) return "";
  return "dcm2niix makes " + counted(found, "volume") + " of it, and its headers say " +
         std::to_string(expected);
}

/// Reads the series by its headers alone, from the standard elements.
ConvertedImage readByHeaders(const SeriesFacts& facts, const DicomStack& stack, const DecodeFrame& decode,
                             const Progress& progress) {
  ConvertedImage one;
  Series<float>& series = one.image.series;
  series = Series<float>(stack.grid, stack.volumes);
  const std::size_t pixels = std::size_t(stack.grid.size.x) * std::size_t(stack.grid.size.y);
  const auto volumes = std::size_t(stack.volumes), slices = std::size_t(stack.grid.size.z);
  std::map<fs::path, std::vector<std::size_t>> framesOf;
  for (std::size_t i = 0; i < facts.frames.size(); ++i) framesOf[facts.frames[i].file].push_back(i);
  for (auto& [file, frames] : framesOf) {
    std::sort(frames.begin(), frames.end(),
              [&](std::size_t a, std::size_t b) { return facts.frames[a].inFile < facts.frames[b].inFile; });
    ByteSource source(file);
    const DicomHeader header = readDicomHeader(source, file);
    const DicomImage image = dicomImageOf(header, file);
    auto next = frames.begin();
    const auto take = [&](std::span<const char> numbers) {
      const std::size_t i = *next++, slice = i / volumes, volume = i % volumes;
      const auto at = series.values.begin() + std::ptrdiff_t((volume * slices + slice) * pixels);
      detail::convert<float>(image.type, numbers.data(), false, facts.frames[i].scaling,
                             std::span(&*at, pixels));
    };
    readDicomFrames(source, file, header, image, {decode, take}, progress);
  }
  auto& rows = one.image.gradients.rows;
  for (std::size_t v = 0; v < volumes; ++v)
    if (facts.frames[v].gradient) rows.push_back(*facts.frames[v].gradient);
  if (rows.size() < volumes) rows.clear();
  return one;
}

/// Assembles the result of a series, with notes.
RawImage assemble(const SeriesFacts& facts, const std::optional<DicomStack>& stack,
                  std::vector<ConvertedImage> images, int leftOut) {
  if (stack)
    for (ConvertedImage& one : images) place(one.image.series, *stack);
  RawImage image = joinImages(std::move(images));
  if (stack && !stack->origins.empty()) image.series = onEvenSlices(image.series, stack->origins);
  if (facts.tiles != Tiles::none) requireUnfolded(image, facts);
  const Grid& grid = image.series.grid;
  Notes notes = facts.stored;
  if (facts.frames.size() > 1 || facts.frames.front().missing.empty() || facts.tiles != Tiles::none)
    notes.push_back(Note("Orientation from the DICOM headers: " + counted(grid.size.z, "slice") + ", " +
                         counted(image.colors ? 1 : image.series.count, "volume") + ".")
                        .about(Subject::dicomHeaders));
  if (stack) notes.insert(notes.end(), stack->notes.begin(), stack->notes.end());
  if (shear(grid.worldFromVoxel) > 1e-3)
    notes.emplace_back("Slices are not stacked along their normal (tilted gantry); kept.");
  notes.push_back(handednessNote(grid));
  notes.insert(notes.end(), facts.notes.begin(), facts.notes.end());
  if (facts.tiles != Tiles::none)
    notes.push_back(text("Unfolded from pictures of ", facts.picture.x / grid.size.x, " × ",
                         facts.picture.y / grid.size.y, " tiles, a mosaic."));
  if (facts.scaled) notes.emplace_back("Numbers scaled as the DICOM headers say.");
  if (leftOut > 0)
    notes.push_back(counted(leftOut, "volume") + (leftOut == 1 ? " is" : " are") +
                    " left out: a mean over directions or a map (trace, ADC), which has no direction.");
  notes.insert(notes.end(), image.notes.begin(), image.notes.end());
  image.notes = std::move(notes);
  describeVolumes(image, facts, !stack || stack->oneWeightingEach);
  return image;
}

/// A file of the series whose header was read.
struct LookedAt {
  DicomHeader header;
  DicomImage image;
  bool asItIs = false, decoded = false;  ///< see DicomSource
  std::exception_ptr fault;              ///< what is wrong with it, if anything
  bool isNoImage = false;                ///< the fault is that it contains no image
};

LookedAt lookAt(const fs::path& file, const Progress& progress) {
  LookedAt one;
  try {
    ByteSource source(file);
    one.header = readDicomHeader(source, file);
    if (const std::string object = objectWithoutImage(one.header.sopClass); !object.empty())
      failWithoutImage(file, object);
    one.image = dicomImageOf(one.header, file);
    // Checked before memory is allocated for the image: no code stream is longer than its file.
    if (one.image.codec && !source.compressed())
      requirePlausibleCompression(one.image, fs::file_size(file), file);
    one.decoded = readsOtherwise(file, source, one.header, one.image, progress);
    one.asItIs = !one.decoded && !source.compressed() && !one.header.bare;
  } catch (const NoDicomImage&) {
    one.fault = std::current_exception();
    one.isNoImage = true;
  } catch (const Error&) {
    one.fault = std::current_exception();
  }
  return one;
}

/// Collects the header information; `files` are those that hold an image.
SeriesFacts factsOf(const std::vector<fs::path>& all, std::vector<DicomSource>& files,
                    const Progress& progress) {
  constexpr std::size_t kAtOnce = 256;  // files whose headers are held at a time
  SeriesFacts facts;
  std::uint64_t bytes = 0;
  std::exception_ptr noImage;
  for (std::size_t begin = 0; begin < all.size(); begin += kAtOnce) {
    std::vector<LookedAt> looked(std::min(kAtOnce, all.size() - begin));
    const double share = double(all.size());
    parallelFor(
        std::int64_t(looked.size()), 8,
        progress.part(double(begin) / share, double(begin + looked.size()) / share, "read"),
        [&](std::int64_t i) { looked[std::size_t(i)] = lookAt(all[begin + std::size_t(i)], progress); });
    for (std::size_t i = 0; i < looked.size(); ++i) {
      const LookedAt& one = looked[i];
      if (one.isNoImage) {
        noImage = one.fault;
        continue;
      }
      if (one.fault) std::rethrow_exception(one.fault);
      addFacts(all[begin + i], one.header, one.image, facts);
      const std::uint64_t needed = one.image.frameBytes() * std::uint64_t(one.image.frames);
      files.push_back({all[begin + i], one.asItIs, one.decoded,
                       needed / std::uint64_t(sampleBytes(one.image.type)), one.header.pixelsAt + needed});
      bytes += one.image.pixels() * std::uint64_t(one.image.frames) * 2 * sizeof(float);
    }
    if (!files.empty()) requireMemory(bytes, files.back().path);
  }
  if (files.empty() && noImage) std::rethrow_exception(noImage);
  if (const std::size_t others = all.size() - files.size())
    facts.notes.push_back(counted(std::int64_t(others), "file") + " of the series without an image skipped.");
  return facts;
}

/// Warns if a single picture was opened whose folder holds more of its series.
void noteLonePicture(const std::vector<DicomSource>& files, SeriesFacts& facts) {
  if (files.size() != 1 || facts.frames.size() != 1 || facts.tiles != Tiles::none) return;
  if (const auto [images, known] = seriesBeside(files.front().path); images > 1)
    facts.notes.push_back(
        Note::warning(text("this is one of ", known ? "" : "at least ", images,
                           " images of its series in this folder: open the folder for all of them.")));
}

/// The image that dcm2niix makes of the files. Throws ConversionFailed if it makes none or contradicts the
/// headers.
RawImage convert(const std::vector<DicomSource>& files, SeriesFacts& facts,
                 const std::optional<DicomStack>& stack, const DecodeFrame& decode,
                 const Progress& progress) {
  DicomConverter converter(std::ranges::all_of(files, &DicomSource::asItIs));
  const Progress copying = progress.part(0, 0.15, "read");
  for (std::size_t f = 0; f < files.size(); ++f) {
    copying.update(double(f) / double(files.size()));
    if (converter.add(files[f], decode, copying).otherSign)
      noteOnce(facts.notes,
               "The header and the compressed image do not agree on whether numbers are signed; the header "
               "is taken.");
  }
  std::vector<ConvertedImage> images = converter.convert(progress.part(0.15, 1, "convert"));
  if (facts.tiles != Tiles::none && !converter.sliceDirectionKnown())
    failTiled(facts, "in which direction the slices are ordered");
  const int leftOut = leaveOutDerived(images);
  if (const std::string why = disagreement(facts, stack, images, leftOut); !why.empty())
    throw ConversionFailed(why);
  RawImage image = assemble(facts, stack, std::move(images), leftOut);
  image.notes.push_back("Read by " + converter.version() + ".");
  return image;
}

RawImage byHeaders(const SeriesFacts& facts, const DicomStack& stack, const DecodeFrame& decode,
                   const Progress& progress) {
  std::vector<ConvertedImage> images;
  images.push_back(readByHeaders(facts, stack, decode, progress));
  return assemble(facts, stack, std::move(images), 0);
}

}  // namespace

std::string dicomText(const std::string& text) {
  std::string clean;
  for (const char c : text)
    if (std::isprint((unsigned char)c) && clean.size() < 80) clean += c;
  while (!clean.empty() && clean.back() == ' ') clean.pop_back();
  return clean;
}

RawImage readDicom(const std::vector<fs::path>& all, const Progress& progress) {
  std::vector<DicomSource> files;
  SeriesFacts facts = factsOf(all, files, progress.part(0, 0.3, "read"));
  noteLonePicture(files, facts);
  const std::optional<DicomStack> stack = placesOf(facts);
  DicomDecoder decoder;
  const DecodeFrame decode = std::bind_front(&DicomDecoder::decode, &decoder);
  const Progress converting = progress.part(0.3, 1, "convert");
  const bool isReadable = stack && !facts.colors;  // by the headers alone
  const bool isOrderOpen = stack && stack->isOrderOpen && facts.frames.size() == facts.files;
  if (isOrderOpen && facts.colors)
    failDicom(facts.frames.front().file, "its images are not numbered in the order of their slices",
              "export it again");
  std::string trouble = "its images are not numbered in the order of their slices";
  if (!isOrderOpen) try {
      return convert(files, facts, stack, decode, converting);
    } catch (const ConversionFailed& fault) {
      if (!isReadable) throw;
      trouble = fault.why;
    }
  RawImage image = byHeaders(facts, *stack, decode, converting);
  image.notes.push_back("Read by the standard's own elements, not by dcm2niix: " + trouble + ".");
  if (image.series.count > 1 && image.gradients.empty())
    image.notes.push_back(Note::warning(
        "Private elements of the scanner were not read: gradients, if it has any, are missing."));
  return image;
}

RawImage readDicomByHeaders(const std::vector<fs::path>& files, const DecodeFrame& decode,
                            const Progress& progress) {
  std::vector<DicomSource> images;
  SeriesFacts facts = factsOf(files, images, progress);
  const std::optional<DicomStack> stack = placesOf(facts);
  if (!stack || facts.colors)
    failDicom(images.front().path, "the standard's own elements do not say what it holds",
              "install dcm2niix");
  return byHeaders(facts, *stack, decode, progress);
}

}  // namespace sulcus::io
