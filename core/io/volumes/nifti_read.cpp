#include "core/base/error.h"
#include "core/image/diffusion/diffusion_tensor.h"
#include "core/image/display/statistic_map.h"
#include "core/image/warp.h"
#include "core/io/companions.h"
#include "core/io/formats.h"
#include "core/io/streams/file_end.h"
#include "core/io/volumes/geometry.h"
#include "core/io/volumes/nifti_header.h"
#include "core/io/volumes/series_samples.h"

#include <array>
#include <climits>
#include <cmath>
#include <cstdio>
#include <memory>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

/// What the volumes of a file represent.
struct NiftiVolumes {
  enum class Kind { images, displacement, deformation, tensor, colors };
  int count = 1;
  Kind kind = Kind::images;
};

[[noreturn]] void refuseDimensions(const NiftiHeader& h, const fs::path& file) {
  std::string sizes;
  for (int i = 1; i <= h.dim[0]; ++i) sizes += (i > 1 ? " × " : "") + std::to_string(h.dim[i]);
  throw Error(quoted(file) + " has " + std::to_string(h.dim[0]) + " dimensions (" + sizes + ", intent " +
                  std::to_string(h.intent) + ")",
              "Sulcus reads scans of up to 5 dimensions", "split it into 4D files");
}

/// The type of a NiftyReg transform, from the first intent parameter.
NiftiVolumes niftyRegVolumes(const NiftiHeader& h, const fs::path& file) {
  constexpr double positions = 0, displacements = 1;
  if (h.intentParameter == positions) return {3, NiftiVolumes::Kind::deformation};
  if (h.intentParameter == displacements) return {3, NiftiVolumes::Kind::displacement};
  throw Error(quoted(file) + " holds a spline or a velocity of NiftyReg",
              "it says nothing of a point by itself",
              "turn it into a deformation field by reg_transform -def");
}

/// The kinds of 5D files by their number of components and intent.
struct ComponentKind {
  int count, intent;
  NiftiVolumes::Kind kind;
};
constexpr ComponentKind kComponentKinds[] = {{3, kIntentDisplacement, NiftiVolumes::Kind::displacement},
                                             {3, kIntentVector, NiftiVolumes::Kind::displacement},
                                             {6, kIntentTensor, NiftiVolumes::Kind::tensor},
                                             {3, kIntentRgb, NiftiVolumes::Kind::colors},
                                             {4, kIntentRgba, NiftiVolumes::Kind::colors}};

NiftiVolumes volumesOf(const NiftiHeader& h, const fs::path& file) {
  if (h.intent >= kIntentCiftiFirst && h.intent <= kIntentCiftiLast)
    throw Error(quoted(file) + " is a file of CIFTI",
                "it holds numbers of surfaces and voxels together, of which Sulcus reads the parts",
                "split it with wb_command -cifti-separate");
  if (h.dim[6] != 1 || h.dim[7] != 1) refuseDimensions(h, file);
  if (h.dim[5] == 1) return {int(h.dim[4])};
  if (h.dim[4] != 1) {  // such as the echoes of each volume, stored consecutively
    if (h.dim[4] * h.dim[5] > INT_MAX) refuseDimensions(h, file);
    return {int(h.dim[4] * h.dim[5])};
  }
  const int count = int(h.dim[5]);
  if (count == 3 && h.intentName == "NREG_TRANS") return niftyRegVolumes(h, file);
  if (count == 3 && h.intent == kIntentVector && h.intentName == "Mapping")  // SPM's y_ files
    return {count, NiftiVolumes::Kind::deformation};
  for (const ComponentKind& known : kComponentKinds)
    if (count == known.count && h.intent == known.intent) return {count, known.kind};
  return {count};  // components of something, or statistics as in AFNI's buckets
}

/// The size of the numbers in bytes; throws Error if it does not fit into 63 bits.
std::uint64_t bytesOf(const Grid& grid, int count, int each, const fs::path& file) {
  std::uint64_t bytes = std::uint64_t(each);
  for (const int factor : {grid.size.x, grid.size.y, grid.size.z, count})
    if (__builtin_mul_overflow(bytes, std::uint64_t(factor), &bytes) || bytes > LLONG_MAX / 8)
      throw Error(quoted(file) + " says it is larger than any file can be", describeGrid(grid),
                  "the header is damaged; convert the scan again");
  return bytes;
}

void flipComponents(Series<float>& displacement) {
  for (int component = 0; component < 2; ++component) {
    const auto volume = displacement.volume(component);
    for (std::int64_t i = 0; i < volume.voxels(); ++i) volume.data[i] = -volume.data[i];
  }
}

/// Separates interleaved volumes, `each` numbers per voxel.
Series<float> deinterleaved(const Series<float>& interleaved, int each) {
  Series<float> volumes(interleaved.grid, each);
  const std::int64_t voxels = interleaved.grid.voxels();
  for (std::int64_t i = 0; i < voxels; ++i)
    for (int c = 0; c < each; ++c) volumes.at(i, c) = interleaved.values[std::size_t(i * each + c)];
  return volumes;
}

/// Magnitude and phase of complex numbers stored as pairs.
void partsOf(RawImage& image, int count) {
  const Series<float> pairs = std::move(image.series);
  image.series = Series<float>(pairs.grid, count);
  image.phase = Series<float>(pairs.grid, count);
  for (std::size_t i = 0; i < image.series.values.size(); ++i) {
    image.series.values[i] = pairs.values[2 * i];
    image.phase->values[i] = pairs.values[2 * i + 1];
  }
  toPolar(image.series, *image.phase, image.notes);
}

/// Interprets the volumes of a 5D file or color channels.
void interpret(RawImage& image, const NiftiHeader& header, NiftiVolumes::Kind kind) {
  using Kind = NiftiVolumes::Kind;
  image.displacement = kind == Kind::displacement || kind == Kind::deformation;
  image.colors = kind == Kind::colors;
  if (kind == Kind::tensor) {
    image.series = diffusionTensor(image.series, TensorOrder::ants);
    image.tensor = true;
    image.notes.emplace_back(
        "Diffusion tensor of NIfTI (intent 1005: xx, xy, yy, xz, yz, zz), taken along the axes of the voxels "
        "as ANTs does.");
  }
  if (!image.displacement) return;
  const double millimeters = niftiMillimeters(header.units);
  for (float& value : image.series.values) value = float(value * millimeters);
  if (kind == Kind::deformation) {
    image.series = displacementOf(image.series, WarpFormat::deformation);
    image.notes.emplace_back("Positions in mm, RAS, of NiftyReg or SPM (" + header.intentName +
                             "), turned into displacements.");
    return;
  }
  const bool lps = header.intent == kIntentVector && header.intentName != "NREG_TRANS";
  image.convention = lps ? FieldConvention::itk : FieldConvention::slicer;
  if (lps) flipComponents(image.series);
  const char* const ofRas =
      header.intent == kIntentVector
          ? "Displacement of NiftyReg, read as RAS mm."
          : "Displacement by the convention of 3D Slicer (intent 1006), read as RAS mm.";
  image.notes.push_back(
      lps ? "Displacement by the convention of ITK and ANTs (intent 1007, LPS mm), turned into RAS." : ofRas);
}

/// Whether numbers are labels, which those that are scaled cannot be.
bool areLabels(const NiftiHeader& header, const NiftiNumbers& numbers, ReadAs as) {
  if (!header.scaling.identity()) return false;
  if (header.intent == kIntentLabel && !isFloat(numbers.type)) return true;
  return as == ReadAs::labels && numbers.kind == NiftiNumbers::Kind::measurements;
}

/// The bytes of the numbers of an image in its file and in memory.
struct NiftiBytes {
  std::uint64_t stored = 0, inMemory = 0;
};

/// Opens the file that holds the numbers, if it is not that of the header, and moves to their start.
void goToNumbers(const NiftiHeader& header, const fs::path& headerFile, NiftiBytes bytes,
                 std::unique_ptr<ByteSource>& source, const Progress& progress) {
  const bool single = header.singleFile && header.form != NiftiForm::analyze;
  fs::path dataFile = headerFile;
  if (!single) {
    dataFile = niftiPartner(headerFile, ".img");
    if (!fs::exists(dataFile))
      throw Error(quoted(headerFile) + " is a header without data",
                  "they should be in " + quoted(dataFile) + ", which is missing",
                  "put both files into one folder");
    source = std::make_unique<ByteSource>(dataFile);
  }
  const double afterHeader = header.form == NiftiForm::nifti2 ? 544 : 352;
  const double lowest = single ? afterHeader : 0;
  const double offset = header.voxOffset == 0 ? lowest : header.voxOffset;
  if (!(offset >= (single ? 348 : 0) && offset < 1e15))
    throw Error(quoted(headerFile) + " says its numbers start at byte " + std::to_string(header.voxOffset),
                "that is not a position after the header", "the header is damaged; convert the scan again");
  source->requireRoomFor(std::uint64_t(offset) + bytes.stored);
  requireMemory(bytes.inMemory, dataFile);
  // The numbers start before the end of what was read as a header, so the file is read again from its start.
  if (source->position() > std::uint64_t(offset)) source = std::make_unique<ByteSource>(dataFile);
  source->skipTo(std::uint64_t(offset), progress);
}

void noteScaling(const NiftiHeader& header, Notes& notes) {
  if (!header.scaling.identity()) {
    char text[80];
    std::snprintf(text, sizeof text, "Values scaled by the header: × %.6g + %.6g.", header.scaling.slope,
                  header.scaling.intercept);
    notes.push_back(text);
  }
  if (header.scalingIsInfinite)
    notes.push_back(Note::warning("the header scales by a number that is infinite; values are as stored."));
}

void noteFnirt(const NiftiHeader& header, Notes& notes) {
  if (header.intent >= kIntentFnirtFirst && header.intent <= kIntentFnirtLast)
    notes.push_back(Note::warning(
        "spline coefficients of FNIRT, not a displacement: turn them into one by fnirtfileutils."));
  if (header.intent == kIntentFnirtField)
    notes.emplace_back("A warp of FNIRT: Layer, Interpret as makes it a displacement.");
}

/// Reads the time between volumes.
void readTime(const NiftiHeader& header, RawImage& image) {
  if (header.dim[4] <= 1) return;
  if (header.dim[5] > 1) {
    image.notes.push_back(
        Note::warning("5 dimensions, read as " + std::to_string(header.dim[5]) + " series of " +
                      std::to_string(header.dim[4]) +
                      " volumes, such as echoes, one after the other: they are not a single time series."));
    return;
  }
  const double seconds = header.pixdim[4] * niftiSeconds(header.units);
  if (std::isfinite(seconds) && seconds > 0) image.secondsPerVolume = seconds;
}

}  // namespace

fs::path niftiPartner(const fs::path& file, const char* extension) {
  fs::path stem = file;
  const bool zipped = file.extension() == ".gz";
  if (zipped) stem.replace_extension();
  const fs::path plain = fs::path(stem).replace_extension(extension);
  const fs::path gz = plain.string() + ".gz";
  const fs::path& first = zipped ? gz : plain;
  const fs::path& second = zipped ? plain : gz;
  return fs::exists(first) || !fs::exists(second) ? first : second;
}

RawImage readNifti(const fs::path& file, ReadAs as, const Progress& progress, const TellFirst& first) {
  const std::string stemEnd = withoutPacking(file).extension().string();
  const fs::path headerFile = stemEnd == ".img" ? niftiPartner(file, ".hdr") : file;
  auto source = std::make_unique<ByteSource>(headerFile);
  std::array<char, 540> start{};
  const std::size_t got = source->readSome(start);
  const NiftiHeader header = parseNiftiHeader(std::span(start).first(got), headerFile);
  const NiftiNumbers numbers = niftiNumbers(header, headerFile);
  const SampleType type = numbers.type;

  RawImage image;
  NiftiVolumes volumes = volumesOf(header, headerFile);
  if (numbers.kind == NiftiNumbers::Kind::colors) {
    if (volumes.count != 1)
      throw Error(quoted(headerFile) + " holds " + std::to_string(volumes.count) + " color images",
                  "Sulcus shows one", "save them one by one");
    volumes.kind = NiftiVolumes::Kind::colors;
  }
  const Grid grid = niftiGrid(header, headerFile, image.notes);
  const std::uint64_t bytes = bytesOf(grid, volumes.count, sampleBytes(type) * numbers.each, headerFile);
  const int count = volumes.count * numbers.each;
  // Interleaved numbers are copied when separated.
  const int copies = numbers.kind == NiftiNumbers::Kind::measurements ? 1 : 2;
  goToNumbers(header, headerFile, {bytes, bytes / sampleBytes(type) * sizeof(float) * copies}, source,
              progress);

  image.storedAsFloat = isFloat(type) || !header.scaling.identity();
  image.notes.push_back(storedNote(type));
  const NumberFormat format{type, header.swapped, header.scaling};
  if (count == 1 && areLabels(header, numbers, as)) {
    image.labels.emplace(grid);
    if (!readSamples<Label>(*source, format, image.labels->values, progress))
      image.notes.push_back(Note::warning(kRoundedNote<Label>));
  } else {
    const bool plain = numbers.each == 1 && volumes.kind == NiftiVolumes::Kind::images;
    image.series.grid = grid;
    image.series.count = count;
    readSeries(*source, format, plain ? first : TellFirst(), image, progress);
  }
  finishNumbers(*source, image.notes);
  noteScaling(header, image.notes);
  if (numbers.kind == NiftiNumbers::Kind::colors) image.series = deinterleaved(image.series, numbers.each);
  if (numbers.kind == NiftiNumbers::Kind::complex) partsOf(image, volumes.count);
  interpret(image, header, volumes.kind);
  noteFnirt(header, image.notes);
  image.unit = statisticOfIntent(header.intent);
  readTime(header, image);
  return image;
}

}  // namespace sulcus::io
