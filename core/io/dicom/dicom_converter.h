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

/// One image that dcm2niix made from a series.
struct ConvertedImage {
  RawImage image;          ///< with the gradients beside it; rows from the top, as in the pictures
  std::string kind;        ///< "echo time 10 ms, image type ORIGINAL\PRIMARY\M"
  double echoSeconds = 0;  ///< 0 if not stated
  bool derived = false;    ///< has the data of another image plus means over directions
};

/// A file of a series that holds an image.
struct DicomSource {
  std::filesystem::path path;
  bool asItIs = false;        ///< dcm2niix gets the file itself
  bool decoded = false;       ///< dcm2niix gets its pictures decoded, see readsOtherwise()
  std::uint64_t numbers = 0;  ///< numbers in its pictures
  std::uint64_t bytes = 0;    ///< up to the end of the pictures, if they are not compressed
};

/// Thrown for a series that dcm2niix does not convert.
struct ConversionFailed : Error {
  explicit ConversionFailed(const std::string& reason);
  std::string why;
};

/// Whether dcm2niix would read the pictures of a file differently from Sulcus. `source` is positioned at the
/// pictures, which `header` and `image` describe. Throws Error if the file ends before they do.
bool readsOtherwise(const std::filesystem::path& file, ByteSource& source, const DicomHeader& header,
                    const DicomImage& image, const Progress& progress);

/// Converts the files of one series by dcm2niix, the program that knows the private elements of all vendors,
/// in a GuardedChild with its own folder: it sees links to the files, or copies of those that it would read
/// differently from Sulcus, with their frames decoded.
class DicomConverter {
 public:
  /// Throws Error if dcm2niix is not installed or there is no room for temporary files.
  ///
  /// @param linksOnly  all files are read as they are: the links to them lie in memory, where thousands of
  ///                   them are created and removed faster
  explicit DicomConverter(bool linksOnly);

  /// Adds a file; returns what was found while reading its pictures, unless it is passed as it is. Throws
  /// Error if they are damaged.
  FramesRead add(const DicomSource& file, const DecodeFrame& decode, const Progress& progress);

  /// Converts the added files to images in the order of their echo times, each with its rows as in the
  /// pictures. Throws ConversionFailed if dcm2niix fails, produces nothing, or uses too much time, memory or
  /// disk space; Cancelled within a twentieth of a second.
  std::vector<ConvertedImage> convert(const Progress& progress);

  /// The version as the program states it, "dcm2niix v1.0.20220720"; "" before convert().
  const std::string& version() const { return version_; }
  /// Whether it knew the direction in which the slices of a mosaic follow each other.
  bool sliceDirectionKnown() const { return sliceDirectionKnown_; }

 private:
  std::filesystem::path program_;
  Temporary folder_;  ///< its output, and copies of files
  std::optional<Temporary> links_;
  std::filesystem::path in_;  ///< its input
  int files_ = 0;
  std::uint64_t numbers_ = 0, largestFile_ = 0;
  std::string version_;
  bool sliceDirectionKnown_ = true;
};

}  // namespace sulcus::io
