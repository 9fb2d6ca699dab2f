#pragma once

#include "core/base/progress.h"
#include "core/io/dicom/dicom_image.h"
#include "core/io/streams/temporary.h"
#include "core/io/volumes/raw_image.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::io {

/// One image that dcm2niix made of a series.
struct ConvertedImage {
  RawImage image;          ///< with the gradients beside it; rows from the top, as the pictures have them
  std::string kind;        ///< "echo time 10 ms, image type ORIGINAL\PRIMARY\M"
  double echoSeconds = 0;  ///< 0 where it says none
  bool derived = false;    ///< holds what another image has, and more: means over directions
};

/// A file of a series that holds an image.
struct DicomSource {
  std::filesystem::path path;
  bool asItIs = false;        ///< dcm2niix is given the file itself
  bool decoded = false;       ///< dcm2niix is given its pictures decoded, see readsOtherwise()
  std::uint64_t numbers = 0;  ///< in its pictures
  std::uint64_t bytes = 0;    ///< up to their end, when they are not compressed
};

/// Whether dcm2niix would read the pictures of a file otherwise than we do. `source` stands at them, of which
/// `header` and `image` tell. Throws Error where the file ends before they do.
bool readsOtherwise(const std::filesystem::path& file, ByteSource& source, const DicomHeader& header,
                    const DicomImage& image, const Progress& progress);

/// Converts the files of one series by dcm2niix, the program that knows the private elements of all vendors,
/// as a GuardedChild in a folder of its own: it sees links to the files, or copies of those that it would
/// read otherwise than we do, whose frames are handed decoded.
class DicomConverter {
 public:
  /// Throws Error when dcm2niix is not installed or there is no place for temporary files.
  ///
  /// @param linksOnly  all files are to be read as they are: the links to them lie in memory, where thousands
  ///                   of them are made and removed sooner
  explicit DicomConverter(bool linksOnly);

  /// Values of top level that are given to the converter in place of those in the file, by their tags:
  /// numbers of the image as text.
  using Changes = std::map<DicomTag, std::string>;

  /// Adds a file; returns what reading its pictures found out, where it is not read as it is. Throws Error
  /// where they are damaged.
  FramesRead add(const DicomSource& file, Changes changes, const DecodeFrame& decode,
                 const Progress& progress);

  /// Converts what was added: the images in the order of their echo times, each with the rows of the
  /// pictures. Throws Error when dcm2niix fails, makes nothing, or takes too much time, memory or room;
  /// Cancelled within a twentieth of a second.
  ///
  /// @param merge  makes one image of all pictures of the same size, whatever else their headers say
  std::vector<ConvertedImage> convert(bool merge, const Progress& progress);

  /// The version as the program states it, "dcm2niix v1.0.20220720"; "" before convert().
  const std::string& version() const { return version_; }
  /// Whether it knew in which direction the slices of a mosaic follow each other.
  bool sliceDirectionKnown() const { return sliceDirectionKnown_; }

 private:
  std::filesystem::path program_;
  Temporary folder_;  ///< what it writes, and copies of files
  std::optional<Temporary> links_;
  std::filesystem::path in_;  ///< what it reads
  int files_ = 0;
  std::uint64_t numbers_ = 0, largestFile_ = 0;
  std::string version_;
  bool sliceDirectionKnown_ = true;
};

}  // namespace sulcus::io
