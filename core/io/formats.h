#pragma once

#include "core/base/progress.h"
#include "core/image/layer.h"
#include "core/io/dicom/dicom_decoder.h"
#include "core/io/volumes/raw_image.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// One reader and one writer per format, among which openVolume() and saveLayer() choose. All readers throw
// Error and Cancelled, and call `first` if the volumes of a file are stored consecutively. Writers write to
// the path `to`, name `file` in errors, report progress and throw Cancelled.
namespace sulcus::io {

/// Reads NIfTI-1/2 and Analyze, given either file of a pair.
RawImage readNifti(const std::filesystem::path& file, ReadAs as, const Progress& progress,
                   const TellFirst& first = {});
/// Writes NIfTI-1, or NIfTI-2 when a side exceeds 32 767 voxels, in gzip when the name ends in .gz.
void writeNifti(const Layer& layer, const std::filesystem::path& to, const std::filesystem::path& file,
                const Progress& progress);

/// Reads MGH and MGZ.
RawImage readMgh(const std::filesystem::path& file, ReadAs as, const Progress& progress,
                 const TellFirst& first = {});

/// Reads images of MRtrix (.mif, .mif.gz, .mih), including the gradients in their header.
RawImage readMif(const std::filesystem::path& file, ReadAs as, const Progress& progress,
                 const TellFirst& first = {});
/// The table of rows x y z b in scanner axes, as MRtrix writes them; errors name `file`.
GradientTable mrtrixGradients(const std::vector<std::vector<double>>& rows, int volumes,
                              const std::filesystem::path& file, std::string source,
                              std::vector<std::string> files);

/// Read NRRD and MetaImage. `kind` is that of the sidecar; float images of three components are displacements
/// unless it says otherwise.
RawImage readNrrd(const std::filesystem::path& file, ReadAs as, const std::string& kind,
                  const Progress& progress, const TellFirst& first = {});
RawImage readMetaImage(const std::filesystem::path& file, ReadAs as, const std::string& kind,
                       const Progress& progress, const TellFirst& first = {});
/// Whether a file that begins with `start` is a MetaImage, whatever its name is.
bool looksLikeMetaImage(std::string_view start);
/// Write NRRD and MetaImage with compressed numbers, displacements in LPS.
void writeNrrd(const Layer& layer, const std::filesystem::path& to, const std::filesystem::path& file,
               const Progress& progress);
void writeMetaImage(const Layer& layer, const std::filesystem::path& to, const std::filesystem::path& file,
                    const Progress& progress);

/// Reads one series by dcm2niix, see DicomConverter, from files of one picture in any order or of one volume
/// each (mosaics, enhanced multi-frame). The result is compared with the headers, which determine the
/// positions of the slices.
RawImage readDicom(const std::vector<std::filesystem::path>& files, const Progress& progress);

/// Reads a series by the standard elements alone, without dcm2niix, for tests: gray values, their positions
/// and weightings. Throws Error if these do not determine the positions of the slices.
RawImage readDicomByHeaders(const std::vector<std::filesystem::path>& files, const DecodeFrame& decode,
                            const Progress& progress);

/// The other file of a pair, such as NAME.hdr for NAME.img, also with .gz.
std::filesystem::path niftiPartner(const std::filesystem::path& file, const char* extension);

}  // namespace sulcus::io
