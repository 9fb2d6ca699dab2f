#pragma once

#include "core/io/surfaces/mesh_files.h"
#include "core/io/surfaces/xml_tree.h"
#include "core/io/volumes/encoded_numbers.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Arrays of VTK PolyData in XML (VTP), which hold surfaces or lines. `name` is the file's name in messages.
namespace sulcus::io {

/// The XML of a file, and the appended data, cut out because it need not be XML.
struct VtpFile {
  const std::string& name;
  XmlElement root;
  std::string_view appended;  ///< after the "_"
  bool appendedBase64 = true, bigEndian = false, compressed = false;
  std::uint64_t headerBytes = 4;  ///< size of each integer in the header of an array
};

/// Throws Error for anything but PolyData and for compressors other than zlib.
VtpFile openedVtp(std::string_view bytes, const std::string& name);
/// The integer in an attribute, 0 for an empty one.
std::uint64_t vtpCount(const std::string& text, const std::string& name);
const XmlElement* vtpArrayNamed(const XmlElement& parent, const std::string& name);
/// A text that is stored as character codes.
std::string vtpText(const XmlElement& array, const VtpFile& file);
/// The space stated by the field SPACE.
MeshSpace vtpSpace(const XmlElement& poly, const VtpFile& file);

/// The type of an array's numbers.
SampleType vtpType(const XmlElement& array, const std::string& name);
/// The bytes of an array that is not ASCII. Throws Error unless their number is between `least` and `most`.
std::string vtpBytes(const XmlElement& array, std::uint64_t least, std::uint64_t most, const VtpFile& file);
/// The numbers of an array. Throws Error before allocating anything if their count differs.
template <class T>
std::vector<T> vtpNumbers(const XmlElement& array, std::uint64_t count, const VtpFile& file) {
  if (count == 0) return {};
  const SampleType type = vtpType(array, file.name);
  if (array.attribute("format") == "ascii") return numbersIn<T>(array.text, count, file.name);
  const std::uint64_t bytes = count * std::uint64_t(sampleBytes(type));
  requireMemory(bytes + 2 * count * sizeof(T),
                file.name);  // compression may reach a factor of a thousand
  return numbersOf<T>(vtpBytes(array, bytes, bytes, file), type, file.bigEndian);
}

template <class T>
std::string_view vtpBytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
/// An array as independently compressed blocks, on all threads.
std::string vtpArray(const char* type, const std::string& name, int components, std::string_view bytes);
/// A text as character codes with a terminating zero.
std::string vtpTextArray(const std::string& name, std::string_view text);

}  // namespace sulcus::io
