#pragma once

#include "core/base/error.h"
#include "core/io/streams/byte_source.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sulcus::io {

/// The group and element number of a DICOM element; 0x00280010 is (0028,0010).
using DicomTag = std::uint32_t;

inline constexpr DicomTag kPerFrame = 0x52009230;  ///< functional groups of each frame of an enhanced file
constexpr DicomTag kDicomSeries = 0x0020000e, kDicomPixels = 0x7fe00010;

/// The elements of a data set that Sulcus uses (part 6 of the standard). Only the lengths of the others are
/// read.
class DicomSet {
 public:
  struct Element {
    std::string bytes;            ///< text without padding
    std::vector<double> numbers;  ///< of elements that hold numbers; all are finite
    std::vector<DicomSet> items;  ///< of sequences
  };

  /// The text of an element; "" if missing.
  const std::string& text(DicomTag tag) const;
  /// The numbers of an element; empty if missing.
  const std::vector<double>& numbers(DicomTag tag) const;
  /// The first number of an element.
  std::optional<double> number(DicomTag tag) const;
  const std::vector<DicomSet>& items(DicomTag tag) const;

  std::map<DicomTag, Element> elements;

 private:
  const Element& find(DicomTag tag) const;
};

/// The arrangement of a volume's slices in one picture: as many across as down, as by Siemens (mosaic), or in
/// any grid, as by United Imaging.
enum class Tiles { none, square, any };
Tiles tilesOf(const DicomSet& set);

/// The elements that precede the pixels.
struct DicomHeader {
  DicomSet set;
  std::string syntax;                        ///< UID of the transfer syntax
  std::string sopClass;                      ///< class of the object, from the file or its meta group
  bool swapped = false;                      ///< numbers are big-endian
  std::string pixelType;                     ///< "OB" or "OW"; "" if not stated
  std::optional<std::uint64_t> pixelBytes;   ///< nullopt if the pixels are in fragments
  bool bare = false;                         ///< the file begins with its first element, without a preamble
  std::uint64_t pixelsAt = 0;                ///< offset of the pixel element
  std::map<DicomTag, std::uint64_t> begins;  ///< offsets of the top-level elements
};

/// Whether a file that starts with `start` is DICOM: by its signature, or without preamble by its first
/// element.
bool startsAsDicom(std::string_view start);
inline constexpr std::size_t kDicomStart = 132;  ///< bytes needed for this test

/// Thrown for a file that does not begin as DICOM.
struct NotDicom : Error {
  explicit NotDicom(const Error& why) : Error(why) {}
};

/// Reads the elements whose tags are below `end`. When `end` is the tag of the pixels, `source` is left at
/// their first byte or at their first fragment. Throws NotDicom, and Error for a file that is truncated,
/// damaged or without pixels, for values of the wrong kind, and for a data set that is deflated as a whole.
///
/// @param texts  elements that are kept besides those that Sulcus uses
DicomHeader readDicomHeader(ByteSource& source, const std::filesystem::path& file,
                            DicomTag end = kDicomPixels, const std::set<DicomTag>& texts = {});

/// The code streams of the frames, joined from the fragments after the header. Throws Error if the fragments
/// cannot be assigned to frames or have more than `most` bytes in total.
std::vector<std::string> readDicomFragments(ByteSource& source, const std::filesystem::path& file,
                                            std::size_t frames, std::uint64_t most);

/// Thrown for a DICOM file without pixels.
struct NoDicomImage : Error {
  using Error::Error;
};

/// The class of DICOMDIR, the file index of a medium.
inline constexpr const char* kDicomIndex = "1.2.840.10008.1.3.10";
/// A DICOM object that is not an image, in words, by its class (part 4, B.5): "a structured report"; "" for
/// all others.
std::string objectWithoutImage(const std::string& sopClass);
/// Throws NoDicomImage with the name of such an object and what to do instead.
[[noreturn]] void failWithoutImage(const std::filesystem::path& file, const std::string& object);

/// Throws the Error for a DICOM file that cannot be read, with the reason and what to do.
[[noreturn]] void failDicom(const std::filesystem::path& file, const std::string& why,
                            const std::string& whatToDo = "copy or export it again");

}  // namespace sulcus::io
