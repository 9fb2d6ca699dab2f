#pragma once

#include "core/base/note.h"
#include "core/base/progress.h"
#include "core/image/layer.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

/// Reading and writing of files. Only this folder knows the axes and units of files: everything that is
/// opened is in mm, RAS+.
namespace sulcus::io {

/// One DICOM series found in a folder.
struct DicomSeries {
  std::string uid;
  std::string description;  ///< such as "ep2d_diff 64 dir, 66 images", without patient data
  std::vector<std::filesystem::path> files;
  Notes notes;  ///< about files that were left out as damaged or duplicate
};

/// How to interpret numbers if neither the header nor a sidecar says what they are: as peaks or labels if
/// they look like it, always as measurements, or as labels if they are whole.
enum class UnlabeledData { judged, asImage, areLabels };

/// Opens a volume, a series, labels, peaks or a displacement field. The format is recognized by the content:
/// NIfTI-1/2 (.nii, .nii.gz, .hdr/.img), Analyze, NRRD, MetaImage, MGH/MGZ, MRtrix (.mif), one DICOM file, or
/// ITK transforms in HDF5, which become a table if all are linear.
/// The gradients and the JSON sidecar next to the file are read, too. Layer::notes say which orientation and
/// which gradients were used. Gradients that do not fit do not keep the scan from being opened; a note and
/// GradientTable::source say why there are none. Throws Error for a file that is damaged or ambiguous.
Layer openVolume(const std::filesystem::path& file, const Progress& progress = {},
                 UnlabeledData unstated = UnlabeledData::judged);

/// Receives the first volume of a large series, or some lines of large tracts, as a layer to show while the
/// rest is being read; called on the reading thread. The final layer may be of another kind.
using FirstVolume = std::function<void(Layer)>;

/// Opens all volumes of a file; for complex numbers the first layer is the magnitude, the second the phase.
std::vector<Layer> openVolumes(const std::filesystem::path& file, const Progress& progress = {},
                               UnlabeledData unstated = UnlabeledData::judged, const FirstVolume& first = {});

/// Opens names of labels: a table with the columns index, name and optionally color (BIDS), or lines as
/// FreeSurfer, ITK-SNAP, MRtrix and AAL write them. Throws Error for a file that holds none.
LabelTable openLabelNames(const std::filesystem::path& file);

/// Opens a table. The format is recognized by the content: FSL's design.mat, values separated by tabs, commas
/// or semicolons, or numbers separated by blanks, optionally in gzip; and linear transforms, which become a
/// transformTable(): our affine.txt, and those of ITK and ANTs as text or as MATLAB file. There may be a
/// header, quoted cells, comments (after # or %), a byte-order mark and any line endings. Columns without
/// names are called reg1, reg2, …. Layer::notes say which format it was. Throws Error for binary files, lines
/// of different lengths and files without rows, and above 64 MB, 5 million cells or 10 000 columns.
Layer openTable(const std::filesystem::path& file, const Progress& progress = {});

/// Opens a surface. The format is recognized by the content, VTP, PLY, STL, GIFTI or FreeSurfer, or for OBJ
/// by the name. Values and labels of FreeSurfer are opened on their surface, see surfaceOfValues(). The space
/// of its coordinates is what the JSON sidecar says ("CoordinateSpace": "LPS"), else what the file says
/// (SPACE=LPS, as 3D Slicer writes it, or the spaces of GIFTI), else mm, RAS+; Layer::notes say which was
/// used. Polygons and strips become triangles. Throws Error for damaged files, for surfaces without
/// triangles, and above 20 million points or 40 million triangles.
Layer openMesh(const std::filesystem::path& file, const Progress& progress = {});
/// Adds a file's data for the points of a surface to its scalars: curv, thickness and similar files of
/// FreeSurfer, .shape.gii and .func.gii, or labels with their names, .annot and .label.gii. Throws Error
/// unless there is one value per point.
void addPointValues(Mesh& mesh, const std::filesystem::path& file);
/// Whether openMesh() can open a file: a surface, or FreeSurfer values beside their surface.
bool holdsMesh(const std::filesystem::path& file);

/// Opens lines along fibers. The format is recognized by the content: TRX, TCK, TRK, VTP or VTK with lines
/// alone, TT of DSI Studio. Layer::notes say which space and which half-voxel convention were used and why,
/// and how far the lines extend beyond the scan that the file names. Throws Error for damaged files, see
/// openTractFile() (core/io/tracts/tract_files.h).
Layer openTracts(const std::filesystem::path& file, const Progress& progress = {},
                 const FirstVolume& first = {});
/// Whether a file holds tracts, which openTracts() opens.
bool holdsTracts(const std::filesystem::path& file);

/// Opens tracts and surfaces as openTracts() and openMesh() do, text without the extension of a scan as
/// openTable() does, and all other files as openVolume() does.
Layer openLayer(const std::filesystem::path& file, const Progress& progress = {},
                UnlabeledData unstated = UnlabeledData::judged);
/// Like openLayer(), but with all other content of the file, see openVolumes().
std::vector<Layer> openLayers(const std::filesystem::path& file, const Progress& progress = {},
                              UnlabeledData unstated = UnlabeledData::judged, const FirstVolume& first = {});

/// The tables that belong to a scan by their names. A path is empty if there is none.
struct TablesBeside {
  std::filesystem::path design;     ///< design.mat, or NAME_design.mat (.tsv, .csv) for NAME_….nii.gz
  std::filesystem::path events;     ///< …_events.tsv of BIDS, in the scan's folder or above
  std::filesystem::path confounds;  ///< …_desc-confounds_timeseries.tsv of fMRIPrep
};
TablesBeside findTablesBeside(const std::filesystem::path& scan);

/// The file to open in a folder of MRtrix fixels: the directions. Empty for other folders.
std::filesystem::path fixelDirectionsIn(const std::filesystem::path& folder);

/// Whether a file begins as DICOM; a file that cannot be read does not.
bool isDicom(const std::filesystem::path& file);
/// Whether a file is a DICOMDIR, which lists the files of a medium and is opened as the folder that contains
/// it.
bool isDicomIndex(const std::filesystem::path& file);
/// The series below a folder; one with pictures in several directions, such as a localizer, is split by
/// direction.
std::vector<DicomSeries> findDicomSeries(const std::filesystem::path& folder, const Progress& progress = {});
/// The series that these files belong to.
std::vector<DicomSeries> dicomSeriesOf(const std::vector<std::filesystem::path>& files,
                                       const Progress& progress = {});
Layer openDicomSeries(const DicomSeries& series, const Progress& progress = {});
/// Opens the DICOM series in a folder, in the folder of a DICOMDIR, or in a ZIP archive. Of several series,
/// opens the one with the number `wanted` or with `wanted` in its description. Throws Error that lists them
/// unless exactly one matches.
Layer openDicomPlace(const std::filesystem::path& place, const std::string& wanted = {},
                     const Progress& progress = {});

/// Reads an FSL pair with the values of a volume in a row or in a column. The directions are converted to
/// scanner axes by the axes of the image; the first component is negated when the determinant of
/// grid.worldFromVoxel is positive (BIDS). Volumes with NaN have b = 0. Throws Error unless there are
/// `volumes` of them.
GradientTable readFslGradients(const std::filesystem::path& bval, const std::filesystem::path& bvec,
                               const Grid& grid, int volumes);
/// Reads an MRtrix table, whose rows are x y z b in scanner axes.
GradientTable readMrtrixGradients(const std::filesystem::path& file, int volumes);
/// Reads an MRtrix table or an FSL pair, by the content of the file. The other file of a pair is found by its
/// name.
GradientTable readGradients(const std::filesystem::path& file, const Grid& grid, int volumes);
/// Replaces the gradients of a scan and the note on their origin. Throws Error if it is not a volume or
/// series.
void replaceGradients(Layer& scan, GradientTable gradients);
/// The gradients of a scan: NAME.bval/.bvec (also .bvals/.bvecs), those inherited by BIDS, or NAME.b. The
/// table is empty if there are none.
GradientTable findGradients(const std::filesystem::path& scan, const Grid& grid, int volumes);

/// Writes a layer in the format of the extension, with the JSON sidecar and the gradients next to it:
///   NIfTI (.nii, .nii.gz), NRRD (.nrrd), MetaImage (.mha)  volume, series, labels, peaks or displacement
///   .tsv, .csv                                             table or curves
///   .vtp, .ply, .gii                                       surface with its scalars
///   .stl, .obj                                             surface
///   .trx, .tck, .trk, .vtp, .vtk                           tracts
/// A displacement is written in its own convention in NIfTI and in that of ITK in the other formats. The
/// files appear together, see StagedFiles. Throws Error if one of them exists and `overwrite` is false. With
/// `overwrite`, keys that other programs wrote to the sidecar are kept, and old gradients next to a layer
/// without gradients are removed. Can be cancelled after every megabyte (compressed: 16) of a scan.
///
/// @param halfPositions  of tracts: store positions in 16 bits, which only .trx supports
void saveLayer(const Layer& layer, const std::filesystem::path& file, bool overwrite = false,
               const Progress& progress = {}, bool halfPositions = false);

/// Throws the Error that saveLayer() would throw because of `file` itself. Called before the work that makes
/// the layer.
void requirePlace(const std::filesystem::path& file, bool overwrite);
/// requirePlace() for an image, which also checks the format and the sidecar.
void requireImagePlace(const std::filesystem::path& file, bool overwrite);
/// requirePlace() or requireImagePlace(), whichever the format requires, by the file's name.
void requireLayerPlace(const std::filesystem::path& file, bool overwrite);

/// Writes a file that appears only when complete.
void writeFile(const std::filesystem::path& file, const std::string& bytes, bool overwrite = false);

std::string sha256OfFile(const std::filesystem::path& file, const Progress& progress = {});
std::string sha256OfText(const std::string& text);
/// The checksum of a file, computed once for each state of the file as identified by its time and size.
std::string rememberedSha256(const std::filesystem::path& file, const Progress& progress = {});
/// Provenance as a JSON object with BIDS-derivative keys.
std::string provenanceJson(const Provenance& provenance);
std::string optionsJson(const OptionValues& values);
/// The options in a JSON text. Throws Error (bad input) unless the text is a flat JSON object of booleans,
/// numbers and strings that names no option twice.
OptionValues optionsFromJson(const std::string& text);
OptionValues openOptions(const std::filesystem::path& file);

}  // namespace sulcus::io
