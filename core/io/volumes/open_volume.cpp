#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/image/diffusion/diffusion_tensor.h"
#include "core/image/diffusion/harmonics_image.h"
#include "core/image/grids/value_check.h"
#include "core/image/labels/label_regions.h"
#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/formats.h"
#include "core/io/other_formats.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/zip_archive.h"
#include "core/io/tables/itk_composite.h"
#include "core/io/tables/label_tables.h"
#include "core/io/volumes/fixels.h"
#include "core/io/volumes/nifti_header.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <numbers>
#include <string_view>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

/// Endings of names by which BIDS and others mark images of labels.
constexpr std::string_view kLabelNames[] = {"_dseg",   "_mask", "_seg",  "_label",
                                            "_labels", "_parc", "+aseg", "_roi"};

enum class Format { nifti, mgh, mif, nrrd, metaImage, dicom };

/// The format of a file by its first bytes, or by its name if the format has no signature.
Format recognize(const fs::path& file) {
  const std::string extension = formatExtension(file);
  if (extension == ".img" && fs::exists(niftiPartner(file, ".hdr"))) return Format::nifti;
  std::array<char, 540> start{};
  ByteSource source(file);
  const std::size_t got = source.readSome(start);
  const std::string_view text(start.data(), got);
  if (looksLikeNifti(std::span(start).first(got))) return Format::nifti;
  if (text.starts_with("mrtrix image")) return Format::mif;
  if (text.starts_with("NRRD000")) return Format::nrrd;
  if (text.size() > 132 && text.substr(128, 4) == "DICM") return Format::dicom;
  if (text.starts_with(std::string_view("\0\0\0\1", 4)) && (extension == ".mgh" || extension == ".mgz"))
    return Format::mgh;
  if (looksLikeMetaImage(text)) return Format::metaImage;
  if ((extension == ".mha" || extension == ".mhd") && text.find_first_of("=:") != text.npos)
    return Format::metaImage;
  if (extension == ".img")
    throw Error("There is no header next to " + quoted(file),
                "the numbers of an .img file mean nothing without its .hdr file",
                "put " + quoted(niftiPartner(file, ".hdr")) + " into the same folder");
  refuseOtherFormat(file, text);
  if (extension == ".annot")
    throw Error(quoted(file) + " contains labels, not an image", "they belong to the points of a surface",
                "open its surface (lh.white, lh.pial, …) and load them as values of the surface");
  throw Error(quoted(file) + " cannot be read by Sulcus",
              "its content is none of NIfTI, Analyze, NRRD, MetaImage, MGH, MRtrix and DICOM",
              "check that it is the right file and complete");
}

/// A note on a file whose name suggests a format other than its own; "" for all others.
std::string nameNote(const fs::path& file, Format format) {
  static constexpr struct {
    Format format;
    const char* name;
    std::array<std::string_view, 3> extensions;
  } kNames[] = {{Format::nifti, "NIfTI or Analyze", {".nii", ".hdr", ".img"}},
                {Format::mgh, "MGH", {".mgh", ".mgz"}},
                {Format::mif, "an image of MRtrix", {".mif", ".mih"}},
                {Format::nrrd, "NRRD", {".nrrd", ".nhdr"}},
                {Format::metaImage, "MetaImage", {".mha", ".mhd"}},
                {Format::dicom, "DICOM", {".dcm"}}};
  const std::string extension = formatExtension(file);
  const auto named = std::find_if(std::begin(kNames), std::end(kNames), [&](const auto& one) {
    return !extension.empty() && std::count(one.extensions.begin(), one.extensions.end(), extension) > 0;
  });
  if (named == std::end(kNames) || named->format == format) return "";
  const auto is = std::find_if(std::begin(kNames), std::end(kNames),
                               [&](const auto& one) { return one.format == format; });
  return std::string("The file is ") + is->name + ", whatever its name says.";
}

RawImage readRaw(const fs::path& file, Format format, ReadAs as, const Sidecar& sidecar,
                 const Progress& progress, const TellFirst& first = {}) {
  switch (format) {
    case Format::nifti:
      return readNifti(file, as, progress, first);
    case Format::mgh:
      return readMgh(file, as, progress, first);
    case Format::mif:
      return readMif(file, as, progress, first);
    case Format::nrrd:
      return readNrrd(file, as, sidecar.kind, progress, first);
    case Format::metaImage:
      return readMetaImage(file, as, sidecar.kind, progress, first);
    case Format::dicom:
      return readDicom({file}, progress);
  }
  return {};
}

/// Whether a file without a sidecar looks like peaks as MRtrix writes them, with NaN for missing directions.
/// Images with as many volumes as a tensor or spherical harmonics do not count, nor do images that are NaN in
/// whole voxels only.
bool looksLikePeaks(const RawImage& raw) {
  const auto& series = raw.series;
  if (!raw.storedAsFloat || series.count < 3 || series.count % 3 != 0 || series.count > 30) return false;
  if (series.count == 6 || series.count == 15) return false;
  bool anyMissing = false, anyPresent = false, anyPartly = series.count == 3;
  for (std::int64_t voxel = 0; voxel < series.grid.voxels(); ++voxel) {
    int present = 0;
    for (int v = 0; v < series.count; v += 3) {
      const int missing = std::isnan(series.at(voxel, v)) + std::isnan(series.at(voxel, v + 1)) +
                          std::isnan(series.at(voxel, v + 2));
      if (missing == 1 || missing == 2) return false;
      present += missing == 0;
    }
    anyPresent = anyPresent || present > 0;
    anyMissing = anyMissing || 3 * present < series.count;
    anyPartly = anyPartly || (present > 0 && 3 * present < series.count);
  }
  return anyMissing && anyPresent && anyPartly;
}

/// One volume of plain numbers.
bool isOneNumberEach(const RawImage& raw) {
  return !raw.labels && !raw.displacement && !raw.phase && raw.series.count == 1;
}

bool isWhole(const Series<float>& series) {
  return std::ranges::all_of(series.values, [](float v) { return v == std::floor(v); });
}

/// Whether a file without a sidecar holds labels: its name says so and its numbers are whole, or they look
/// like labels.
bool holdsLabels(const RawImage& raw, const fs::path& file) {
  const std::string stem = stemOf(file);
  const bool named = std::any_of(std::begin(kLabelNames), std::end(kLabelNames),
                                 [&](std::string_view name) { return stem.ends_with(name); });
  return isOneNumberEach(raw) && ((named && isWhole(raw.series)) || looksLikeLabels(raw.series));
}

/// The gradients in the header or next to the file. If they cannot be used, the table is empty and says why.
GradientTable gradientsOf(RawImage& raw, const fs::path& file) try {
  if (!raw.gradients.empty() || !raw.gradients.source.empty()) return std::move(raw.gradients);
  return findGradients(file, raw.series.grid, raw.series.count);
} catch (const Error& fault) {
  GradientTable none;
  none.source = fault.what();
  return none;
}

/// The time between volumes: that of the sidecar, if it states one, with a note if it differs from the
/// image's.
double takenSeconds(double stated, const Sidecar& sidecar, Notes& notes) {
  const double taken = sidecar.repetitionTime > 0 ? sidecar.repetitionTime : stated;
  if (stated > 0 && std::abs(taken - stated) > 0.01 * stated)
    notes.push_back(
        Note::warning(text(quoted(sidecar.file), " says ", taken, " s per volume, the image itself ", stated,
                           " s; the former is taken.")));
  else if (std::abs(taken - stated) > 1e-3)
    notes.push_back("Seconds per volume from " + quoted(sidecar.file) + ".");
  return taken;
}

LayerContent contentOf(RawImage& raw, const Sidecar& sidecar, UnlabeledData unstated,
                       const GradientTable& gradients, Notes& notes) {
  if (raw.labels) return LabelsLayer{std::make_shared<const Volume<Label>>(std::move(*raw.labels))};
  const bool peaksByName = sidecar.kind == "peaks" && raw.series.count % 3 == 0;
  const bool peaksByLook = !peaksByName && unstated == UnlabeledData::judged && sidecar.kind.empty() &&
                           !raw.displacement && !raw.colors && gradients.source.empty() &&
                           looksLikePeaks(raw);
  if (peaksByLook) notes.push_back("Taken as peaks: triples of numbers, nan where there is none.");
  auto series = std::make_shared<const Series<float>>(std::move(raw.series));
  if (raw.displacement) return DisplacementLayer{series, raw.convention};
  if (raw.tensor && unstated == UnlabeledData::judged)
    return PeaksLayer{std::make_shared<const Series<float>>(principalDirections(*series)), series};
  if (peaksByName || peaksByLook) return PeaksLayer{series, nullptr};
  if (sidecar.kind == kHarmonicsKind && unstated == UnlabeledData::judged && mayBeHarmonics(series->count))
    return functionLayer("", std::make_shared<const Series<float>>(functionsOf(*series))).content;
  VolumeLayer volume;
  volume.series = series;
  volume.colors = raw.colors;
  if (series->count > 1 && gradients.source.empty())
    volume.secondsPerVolume = takenSeconds(raw.secondsPerVolume, sidecar, notes);
  if (int(sidecar.volumeNames.size()) == series->count) volume.volumeNames = sidecar.volumeNames;
  return volume;
}

/// Makes a layer of the first volume if the others take long enough to be waited for.
TellFirst firstAsLayer(const fs::path& file, const Sidecar& sidecar, const FirstVolume& first) {
  constexpr std::int64_t kLarge = 16'000'000;  // numbers
  const bool image = sidecar.kind.empty() || sidecar.kind == "volume";
  if (!first || !image) return {};
  return [file, sidecar, first](const Grid& grid, std::span<const float> values, int count) {
    if (grid.voxels() * count < kLarge) return;
    Series<float> series;
    series.grid = grid;
    series.count = 1;
    series.values.assign(values.begin(), values.end());
    Layer layer;
    layer.name = stemOf(file);
    layer.unit = sidecar.unit;
    layer.source = file.string();
    layer.display = sidecar.display;
    layer.notes = {"The first of " + std::to_string(count) + " volumes; the others are being read."};
    layer.content = VolumeLayer{std::make_shared<const Series<float>>(std::move(series))};
    first(std::move(layer));
  };
}

/// The phase of complex numbers, as a layer beside their magnitude. It has no file of its own.
Layer phaseLayer(Series<float> phase, const fs::path& file) {
  Layer layer = mapLayer(stemOf(file) + "_phase", "rad", "cool-warm", std::move(phase));
  layer.display.range = Range{-std::numbers::pi, std::numbers::pi};
  layer.notes = {"Phase of the complex numbers of " + quoted(file) + "."};
  return layer;
}

/// Whether a file that was read as measurements is to be read again as labels.
bool areLabels(const RawImage& raw, const Sidecar& sidecar, UnlabeledData unstated, bool haveFixels,
               const fs::path& file) {
  if (unstated == UnlabeledData::areLabels) return isOneNumberEach(raw) && isWhole(raw.series);
  return unstated == UnlabeledData::judged && sidecar.kind.empty() && !haveFixels && holdsLabels(raw, file);
}

/// What is known of a layer from its file and sidecar, besides its content.
Layer describedLayer(const RawImage& raw, const Sidecar& sidecar, Format format, const fs::path& file) {
  Layer layer;
  layer.name = stemOf(file);
  layer.unit = sidecar.unit.empty() ? raw.unit : sidecar.unit;
  layer.source = file.string();
  layer.notes = raw.notes;
  addNotes(sidecar, layer);
  if (std::string note = nameNote(file, format); !note.empty())
    layer.notes.insert(layer.notes.begin(), std::move(note));
  return layer;
}

/// Whether an image may have gradients.
bool mayBeDiffusion(const RawImage& raw, const Sidecar& sidecar) {
  const bool isPeaks = sidecar.kind == "peaks" && raw.series.count % 3 == 0;
  return !raw.labels && !raw.displacement && !raw.colors && !raw.tensor && !isPeaks;
}

/// Chooses how the content is displayed and adds notes on its values.
void finish(Layer& layer, const Sidecar& sidecar, const fs::path& file) {
  Note note;
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) {
    layer.display = sidecar.display;
    note = valuesNote(checkValues(volume->series->values));
  }
  if (auto* labels = std::get_if<LabelsLayer>(&layer.content)) {
    labels->names = labelNamesOf(file, note);
    showLabelsAtFirst(layer.display, *labels->labels);
  }
  if (!note.text.empty()) layer.notes.push_back(std::move(note));
}

}  // namespace

std::vector<Layer> openVolumes(const fs::path& file, const Progress& progress, UnlabeledData unstated,
                               const FirstVolume& first) try {
  requireReadable(file);
  const FileStamp stamp = stampOf(file);
  std::array<char, 8> start;
  if (isHdf5({start.data(), ByteSource(file).readSome(start)})) return {openItkComposite(file, progress)};
  if (isZip(file) || isDicomIndex(file)) return {openDicomPlace(file, "", progress)};
  const Format format = recognize(file);
  const Sidecar sidecar = readSidecar(file);
  RawImage raw = readRaw(file, format, sidecar.kind == "labels" ? ReadAs::labels : ReadAs::measurements,
                         sidecar, progress, firstAsLayer(file, sidecar, first));
  const fs::path index =
      unstated == UnlabeledData::judged && areFixels(raw) ? fixelIndexOf(file) : fs::path();
  // Read again as integers, since a float cannot hold large ones.
  if (format != Format::dicom && areLabels(raw, sidecar, unstated, !index.empty(), file))
    raw = readRaw(file, format, ReadAs::labels, sidecar, progress);
  Layer layer = describedLayer(raw, sidecar, format, file);
  layer.stamp = stamp;
  GradientTable gradients;
  if (index.empty() && mayBeDiffusion(raw, sidecar)) gradients = gradientsOf(raw, file);
  const auto open = [&](const fs::path& other) {
    return readRaw(other, recognize(other), ReadAs::measurements, {}, progress.part(0, 0, ""));
  };
  layer.content = index.empty() ? contentOf(raw, sidecar, unstated, gradients, layer.notes)
                                : fixelsOf(raw, file, index, open, layer.notes);
  if (!gradients.source.empty()) replaceGradients(layer, std::move(gradients));
  finish(layer, sidecar, file);
  std::vector<Layer> layers{std::move(layer)};
  if (raw.phase) layers.push_back(phaseLayer(std::move(*raw.phase), file));
  return layers;
} catch (const std::bad_alloc&) {
  throw Error(quoted(file) + " does not fit into memory", "the machine has no room for all of it",
              "close other scans or programs", ErrorKind::unavailable);
}

Layer openVolume(const fs::path& file, const Progress& progress, UnlabeledData unstated) {
  return std::move(openVolumes(file, progress, unstated).front());
}

}  // namespace sulcus::io
