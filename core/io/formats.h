#pragma once

#include "core/base/progress.h"
#include "core/image/layer.h"
#include "core/io/dicom_decoder.h"
#include "core/io/raw_image.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// One reader and one writer per format; openVolume and saveLayer choose among them.
namespace sulcus::io {

/// NIfTI-1/2 and Analyze, any of the two files of a pair. Throws Error, Cancelled.
RawImage readNifti(const std::filesystem::path& file, ReadAs as, const Progress& progress);
/// NIfTI-1 (NIfTI-2 where a side exceeds 32 767 voxels), gzip when the name ends in .gz. Writes `to`; errors
/// name `file`. Reports progress; throws Cancelled.
void writeNifti(const Layer& layer, const std::filesystem::path& to, const std::filesystem::path& file,
                const Progress& progress);

/// MGH and MGZ.
RawImage readMgh(const std::filesystem::path& file, ReadAs as, const Progress& progress);

/// NRRD and MetaImage. `kind` is the sidecar's: float images of three components are displacements unless it
/// says otherwise.
RawImage readNrrd(const std::filesystem::path& file, ReadAs as, const std::string& kind,
                  const Progress& progress);
RawImage readMetaImage(const std::filesystem::path& file, ReadAs as, const std::string& kind,
                       const Progress& progress);
/// Whether a file that starts so is a MetaImage, whatever its name.
bool looksLikeMetaImage(std::string_view start);
/// NRRD and MetaImage with compressed numbers; displacements in LPS. Write `to`; errors name `file`. Report
/// progress; throw Cancelled.
void writeNrrd(const Layer& layer, const std::filesystem::path& to, const std::filesystem::path& file,
               const Progress& progress);
void writeMetaImage(const Layer& layer, const std::filesystem::path& to, const std::filesystem::path& file,
                    const Progress& progress);

/// One series: files of one picture in any order, or of one volume each (mosaics, enhanced multi-frame).
RawImage readDicom(const std::vector<std::filesystem::path>& files, const Progress& progress);
/// The same with another decoder of compressed frames.
RawImage readDicom(const std::vector<std::filesystem::path>& files, const DecodeFrame& decode,
                   const Progress& progress);

/// The other file of a pair: NAME.hdr of NAME.img (also with .gz).
std::filesystem::path niftiPartner(const std::filesystem::path& file, const char* extension);

}  // namespace sulcus::io
