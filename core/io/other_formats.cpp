#include "core/io/other_formats.h"

#include "core/base/error.h"
#include "core/io/companions.h"
#include "core/io/streams/byte_source.h"
#include "core/io/volumes/header_text.h"

#include <algorithm>
#include <string>

namespace sulcus::io {
namespace {

/// A kind of file that is recognized by its first bytes, by the end of its name, or by either.
struct OtherFormat {
  std::string_view start, end, is, why, remedy;
};

constexpr std::string_view kNotRead = "Sulcus does not read these";
constexpr std::string_view kOfASurface = "its numbers belong to the points of a surface";
constexpr std::string_view kPacked = "a scan is read from a file of its own";
constexpr std::string_view kPicture = "a picture has no voxel size and no position in the scanner";

constexpr OtherFormat kOthers[] = {
    {"", ".head", "a data set of AFNI", kNotRead, "turn it into NIfTI by 3dAFNItoNIFTI"},
    {"", ".brik", "a data set of AFNI", kNotRead, "turn it into NIfTI by 3dAFNItoNIFTI"},
    {"", ".mnc", "an image of MINC", kNotRead, "turn it into NIfTI by mnc2nii"},
    {"CDF\1", "", "an image of MINC or other NetCDF", kNotRead, "turn it into NIfTI by mnc2nii"},
    {"# === DATA DESCRIPTION FILE", "", "a PAR/REC scan of Philips", kNotRead,
     "convert it to NIfTI with dcm2niix or parrec2nii"},
    {"", ".rec", "a PAR/REC scan of Philips", kNotRead, "convert it to NIfTI with dcm2niix or parrec2nii"},
    {"#!ascii label", "", "a label of FreeSurfer", "it lists points of a surface",
     "convert it to an annotation with mris_label2annot, or to an image with mri_label2vol"},
    {"\xff\xff\xff", "", "a file of values of FreeSurfer", kOfASurface,
     "open its surface (lh.white, lh.pial, …) and load them as values of the surface"},
    {"\xfd"
     "7zXZ",
     ".xz", "packed with xz", kPacked, "unpack it with unxz, or compress it with gzip"},
    {"7z\xbc\xaf\x27\x1c", ".7z", "a 7z archive", kPacked, "unpack it, and open what is in it"},
    {"Rar!\x1a", ".rar", "a RAR archive", kPacked, "unpack it, and open what is in it"},
    {"\x1f\x9d", ".z", "packed by compress", kPacked, "unpack it with uncompress, or compress it with gzip"},
    {"\x89PNG", "", "a picture (PNG)", kPicture, "open the scan that it was made of"},
    {"\xff\xd8\xff", "", "a picture (JPEG)", kPicture, "open the scan that it was made of"},
    {"%PDF", "", "a page (PDF)", "it is not a scan", "open the scan that it was made of"},
};

}  // namespace

void refuseOtherFormat(const std::filesystem::path& file, std::string_view start) {
  const std::string name = lowered(withoutPacking(file).filename().string());
  const bool isTar = start.size() > 262 && start.substr(257, 5) == "ustar";
  const auto refuse = [&](const OtherFormat& is) {
    throw Error(quoted(file) + " is " + std::string(is.is), std::string(is.why), std::string(is.remedy));
  };
  if (isTar) refuse({"", "", "a TAR archive", kPacked, "unpack it, and open what is in it"});
  for (const OtherFormat& other : kOthers)
    if (!other.start.empty() && start.starts_with(other.start)) refuse(other);
  for (const OtherFormat& other : kOthers)
    if (!other.end.empty() && name.ends_with(other.end)) refuse(other);
}

}  // namespace sulcus::io
