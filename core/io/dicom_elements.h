#pragma once

#include "core/io/byte_source.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::io {

/// Group and element number of a DICOM element: 0x00280010 is (0028,0010).
using DicomTag = std::uint32_t;
constexpr DicomTag kDicomPixels = 0x7fe00010;

/// Those elements of a data set that Sulcus asks for (part 6 of the standard); of the others only the lengths
/// are looked at.
class DicomSet {
 public:
  struct Element {
    std::string bytes;            ///< of texts without the padding; of private elements as they are
    std::vector<double> numbers;  ///< of the elements that hold numbers: all finite
    std::vector<DicomSet> items;  ///< of sequences
  };

  /// "" where there is none.
  const std::string& text(DicomTag tag) const;
  /// Empty where there are none.
  const std::vector<double>& numbers(DicomTag tag) const;
  /// The first number.
  std::optional<double> number(DicomTag tag) const;
  const std::vector<DicomSet>& items(DicomTag tag) const;
  /// The bytes of element `number` of the private block that `creator` reserved in `group`; "" without one.
  const std::string& privateBytes(unsigned group, const std::string& creator, unsigned number) const;

  std::map<DicomTag, Element> elements;

 private:
  const Element& find(DicomTag tag) const;
};

/// What stands before the pixels.
struct DicomHeader {
  DicomSet set;
  std::string syntax;                       ///< transfer syntax
  bool swapped = false;                     ///< numbers are big-endian
  std::string pixelType;                    ///< "OB", "OW"; "" where the file does not say
  std::optional<std::uint64_t> pixelBytes;  ///< none: pixels in fragments
};

/// Reads the elements below `end`; with the tag of the pixels `source` is left at their first byte, or at
/// their first fragment. Throws Error for a file that is cut, damaged or without pixels, for values that are
/// not what their elements hold, and for a data set that is deflated as a whole.
DicomHeader readDicomHeader(ByteSource& source, const std::filesystem::path& file,
                            DicomTag end = kDicomPixels);

/// The fragments behind the header, joined to one piece per frame. `most`: bytes that all of them may have.
/// Throws Error when they cannot be told apart.
std::vector<std::string> readDicomFragments(ByteSource& source, const std::filesystem::path& file,
                                            std::size_t frames, std::uint64_t most);

/// Throws Error: the file, why it cannot be read, what to do.
[[noreturn]] void failDicom(const std::filesystem::path& file, const std::string& why,
                            const std::string& whatToDo = "copy or export it again");

}  // namespace sulcus::io
