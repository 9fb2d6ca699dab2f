#pragma once

#include "core/base/progress.h"
#include "core/image/layer.h"
#include "core/io/dicom_decoder.h"
#include "core/io/raw_image.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// One reader and one writer per format; openVolume and saveLayer choose among them.
namespace sulcus::io {

/// NIfTI-1/2 and Analyze, any of the two files of a pair. Throws Error, Cancelled.
RawImage readNifti(const std::filesystem::path& file, ReadAs as, const Progress& progress);
/// NIfTI-1 (NIfTI-2 where a side exceeds 32 767 voxels), gzip when the name ends in .gz. Writes `to`; errors
/// name `file`. Reports progress; throws Cancelled.
void writeNifti(const Layer& layer, const std::filesystem::path& to, const std::filesystem::path& file,
                const Progress& progress = {});

/// MGH and MGZ.
RawImage readMgh(const std::filesystem::path& file, ReadAs as, const Progress& progress);

enum class ItkFormat { nrrd, metaImage };
/// NRRD and MetaImage. `kind` is the sidecar's: float images of three components are displacements unless it
/// says otherwise.
RawImage readItk(const std::filesystem::path& file, ItkFormat format, ReadAs as, const std::string& kind,
                 const Progress& progress);
/// Compressed. Writes `to`; errors name `file`.
void writeItk(const Layer& layer, const std::filesystem::path& to, const std::filesystem::path& file,
              ItkFormat format);

/// Throws Error unless dimensions and size in a MetaImage header are plain: ITK takes millions of dimensions
/// at their word.
void requireMetaImageHeader(const std::filesystem::path& file);
/// The numbers of a MetaImage as they are stored, decompressed: exactly `bytes`. Read here because ITK fills
/// up what is missing with zeros and only prints that it did.
std::vector<char> readMetaImageNumbers(const std::filesystem::path& file, std::uint64_t bytes);

/// The diffusion weighting in an NRRD header (DWMRI_b-value, DWMRI_gradient_0000, …); empty when there is
/// none.
GradientTable readNrrdGradients(const std::filesystem::path& file, int volumes);

/// One series: files of one picture in any order, or of one volume each (mosaics, enhanced multi-frame).
RawImage readDicom(const std::vector<std::filesystem::path>& files, const Progress& progress);
/// The same with another decoder of compressed frames.
RawImage readDicom(const std::vector<std::filesystem::path>& files, const DecodeFrame& decode,
                   const Progress& progress);

/// The other file of a pair: NAME.hdr of NAME.img (also with .gz).
std::filesystem::path niftiPartner(const std::filesystem::path& file, const char* extension);

}  // namespace sulcus::io
