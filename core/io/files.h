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
  std::vector<std::string> notes;  ///< of files that were left out: damaged, or there twice
};

/// Opens a volume, series, labels or peaks file, recognized by content: NIfTI-1/2 (.nii, .nii.gz, .hdr/.img),
/// Analyze, NRRD, MetaImage, MGH/MGZ, one DICOM file. Gradients, JSON sidecar and the like beside it are
/// picked up. Layer::notes say which orientation and which gradients were used. Throws Error for anything it
/// cannot trust.
/// Gradients beside it that do not fit are no reason to refuse a scan: a note and GradientTable::source say
/// why there are none. `unlabeled`: what numbers are that could be peaks, where no sidecar says so.
enum class Unlabeled { mayBePeaks, areMeasurements };
Layer openVolume(const std::filesystem::path& file, const Progress& progress = {},
                 Unlabeled unlabeled = Unlabeled::mayBePeaks);

/// Opens a table, recognized by content: FSL's design.mat, tab-, comma- or semicolon-separated values, or
/// numbers parted by blanks; with or without a header, quoted cells, comments (# or %), a byte-order mark and
/// any line ends; gzip too. Columns without names are reg1, reg2, …. Layer::notes say what it was taken for.
/// Throws Error for binary files, lines of different lengths and files without rows, and above 64 MB, 5
/// million cells or 10 000 columns.
Layer openTable(const std::filesystem::path& file, const Progress& progress = {});

/// Opens a surface, recognized by content: VTP, PLY, STL, GIFTI, OBJ (by its name). Layer::notes say which
/// space its coordinates were taken to be in: as the JSON sidecar says ("CoordinateSpace": "LPS"), else the
/// file (SPACE=LPS, as 3D Slicer writes it; the spaces of GIFTI), else RAS+ mm. Polygons and strips become
/// triangles. Throws Error for anything damaged, without triangles, and above 20 million points or 40 million
/// triangles.
Layer openMesh(const std::filesystem::path& file, const Progress& progress = {});
/// Whether openMesh() is the one to open it.
bool holdsMesh(const std::filesystem::path& file);

/// Opens whatever it is: surfaces as openMesh does, other text as a table, all else as openVolume does.
Layer openLayer(const std::filesystem::path& file, const Progress& progress = {},
                Unlabeled unlabeled = Unlabeled::mayBePeaks);

/// Tables that lie beside a scan and by their names belong to it; empty paths where there is none.
struct TablesBeside {
  std::filesystem::path design;     ///< design.mat, or NAME_design.mat (.tsv, .csv) of NAME_….nii.gz
  std::filesystem::path events;     ///< BIDS: …_events.tsv of …_bold.nii.gz, from its folder or above
  std::filesystem::path confounds;  ///< fMRIPrep: …_desc-confounds_timeseries.tsv
};
TablesBeside findTablesBeside(const std::filesystem::path& scan);

std::vector<DicomSeries> findDicomSeries(const std::filesystem::path& folder, const Progress& progress = {});
Layer openDicomSeries(const DicomSeries& series, const Progress& progress = {});

/// FSL pair, in either layout. The directions are turned into scanner axes by the image's own axes; the first
/// component is negated when the determinant of grid.worldFromVoxel is positive (BIDS). Rows with NaN are b =
/// 0. `volumes`: how many rows there must be.
GradientTable readFslGradients(const std::filesystem::path& bval, const std::filesystem::path& bvec,
                               const Grid& grid, int volumes);
/// MRtrix table: rows of x y z b, already in scanner axes.
GradientTable readMrtrixGradients(const std::filesystem::path& file, int volumes);
/// Any of these by its content: an MRtrix table, or one file of an FSL pair, whose other file is found by
/// name.
GradientTable readGradients(const std::filesystem::path& file, const Grid& grid, int volumes);
/// Puts `gradients`, and the note that says where they are from, in place of those that `scan` has. Throws
/// Error when it is no volume or series.
void replaceGradients(Layer& scan, GradientTable gradients);
/// The gradients that lie beside a scan, or an empty table: NAME.bval/.bvec (also .bvals/.bvecs), BIDS
/// inheritance, NAME.b.
GradientTable findGradients(const std::filesystem::path& scan, const Grid& grid, int volumes);

/// Writes a volume, series, labels, peaks or displacement layer as NIfTI (.nii, .nii.gz), NRRD (.nrrd) or
/// MetaImage (.mha), a table or curves as .tsv or .csv, a surface as .vtp, .ply, .gii (which keep its
/// scalars), .stl or .obj, by extension, with the JSON sidecar and the gradients beside it; a displacement in
/// NIfTI by its own convention, else by ITK's; all of them together, as StagedFiles says. Throws Error when
/// one of the files exists and `overwrite` is false. With `overwrite`, what others wrote into the JSON file
/// is kept, and gradients of the series that was there do not stay beside one without. Can be cancelled at
/// every megabyte of a scan.
void saveLayer(const Layer& layer, const std::filesystem::path& file, bool overwrite = false,
               const Progress& progress = {});

/// Throws the Error that saveLayer() would because of `file` itself: to be called before the work that makes
/// the layer.
void requirePlace(const std::filesystem::path& file, bool overwrite);
/// The same for an image, whose format and JSON file are known.
void requireImagePlace(const std::filesystem::path& file, bool overwrite);

/// Writes a text or binary file atomically.
void writeFile(const std::filesystem::path& file, const std::string& bytes, bool overwrite = false);

std::string sha256OfFile(const std::filesystem::path& file, const Progress& progress = {});
/// Provenance as a JSON object with BIDS-derivative keys.
std::string provenanceJson(const Provenance& provenance);
std::string optionsJson(const OptionValues& values);
/// Throws Error (bad input) when the text is no flat JSON object of booleans, numbers and strings, or names a
/// parameter twice.
OptionValues optionsFromJson(const std::string& text);
OptionValues openOptions(const std::filesystem::path& file);

}  // namespace sulcus::io
