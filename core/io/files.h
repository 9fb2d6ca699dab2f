#pragma once

#include "core/base/progress.h"
#include "core/image/layer.h"

#include <filesystem>
#include <string>
#include <vector>

/// Files in and out. The only place that knows ITK, DICOM and on-disk frames: everything handed out is RAS+
/// mm.
namespace sulcus::io {

/// One DICOM series found in a folder.
struct DicomSeries {
  std::string uid;
  std::string description;  ///< e.g. "ep2d_diff 64 dir, 66 images"; no patient data
  std::vector<std::filesystem::path> files;
};

/// Opens a volume, series, labels or peaks file, recognized by content: NIfTI-1/2 (.nii, .nii.gz, .hdr/.img),
/// Analyze, NRRD, MetaImage, MGH/MGZ, one DICOM file. Gradients, JSON sidecar and the like beside it are
/// picked up. Layer::notes say which orientation and which gradients were used. Throws Error for anything it
/// cannot trust.
Layer openVolume(const std::filesystem::path& file, const Progress& progress = {});

std::vector<DicomSeries> findDicomSeries(const std::filesystem::path& folder, const Progress& progress = {});
Layer openDicomSeries(const DicomSeries& series, const Progress& progress = {});

/// FSL pair, in either layout. The directions are turned into scanner axes by the image's own axes; the first
/// component is negated when the determinant of grid.worldFromVoxel is positive (BIDS). Rows with NaN are b =
/// 0. `volumes`: how many rows there must be.
GradientTable readFslGradients(const std::filesystem::path& bval, const std::filesystem::path& bvec,
                               const Grid& grid, int volumes);
/// MRtrix table: rows of x y z b, already in scanner axes.
GradientTable readMrtrixGradients(const std::filesystem::path& file, int volumes);
/// The gradients that lie beside a scan, or an empty table: NAME.bval/.bvec (also .bvals/.bvecs), BIDS
/// inheritance, NAME.b.
GradientTable findGradients(const std::filesystem::path& scan, const Grid& grid, int volumes);

/// Writes a volume, series, labels, peaks or displacement layer as NIfTI (.nii, .nii.gz), NRRD (.nrrd) or
/// MetaImage (.mha), by extension, with the JSON sidecar beside it; atomically: a temporary file in the same
/// folder, then rename. Throws Error when the file exists and `overwrite` is false.
void saveLayer(const Layer& layer, const std::filesystem::path& file, bool overwrite = false);

/// Writes a text or binary file atomically.
void writeFile(const std::filesystem::path& file, const std::string& bytes, bool overwrite = false);

std::string sha256OfFile(const std::filesystem::path& file);
/// Provenance as a JSON object with BIDS-derivative keys.
std::string provenanceJson(const Provenance& provenance);
std::string optionsJson(const OptionValues& values);
/// Throws Error (bad input) when the text is no flat JSON object of booleans, numbers and strings.
OptionValues optionsFromJson(const std::string& text);

}  // namespace sulcus::io
