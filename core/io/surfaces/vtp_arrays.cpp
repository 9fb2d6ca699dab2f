#include "core/io/surfaces/vtp_arrays.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/io/streams/byte_source.h"

#include <algorithm>
#include <map>

namespace sulcus::io {
namespace {

constexpr std::uint64_t kBlockBytes = 1 << 16;  // bytes of an array compressed together
constexpr std::uint64_t kLongestText = 1 << 22;

}  // namespace

VtpFile openedVtp(std::string_view bytes, const std::string& name) {
  VtpFile file{name, {}, {}};
  std::string xml;
  const std::size_t tag = bytes.find("<AppendedData");
  if (tag != bytes.npos) {
    const std::size_t mark = bytes.find('_', bytes.find('>', tag)), end = bytes.rfind("</AppendedData>");
    if (mark == bytes.npos || end == bytes.npos || end <= mark)
      failMesh(name, "its appended data have no end");
    file.appended = bytes.substr(mark + 1, end - mark - 1);
    xml.append(bytes.substr(0, mark)).append(bytes.substr(end));
    bytes = xml;
  }
  file.root = parseXml(bytes, name);
  const XmlElement& root = file.root;
  if (root.name != "VTKFile" || root.attribute("type") != "PolyData")
    throw Error(name + " is not a VTK surface",
                "it holds " + quotedWord(root.name == "VTKFile" ? root.attribute("type") : root.name) +
                    " instead of PolyData",
                "save the surface as PolyData (.vtp)");
  if (const XmlElement* const data = root.child("AppendedData"))
    file.appendedBase64 = data->attribute("encoding") != "raw";
  file.bigEndian = root.attribute("byte_order") == "BigEndian";
  file.headerBytes = root.attribute("header_type") == "UInt64" ? 8 : 4;
  const std::string compressor = root.attribute("compressor");
  file.compressed = !compressor.empty();
  if (file.compressed && compressor != "vtkZLibDataCompressor")
    throw Error(name + " is compressed by " + quotedWord(compressor), "only zlib can be read",
                "save it with zlib or without compression");
  return file;
}

SampleType vtpType(const XmlElement& array, const std::string& name) {
  static const std::map<std::string, SampleType> types{
      {"Int8", SampleType::i8},    {"UInt8", SampleType::u8},   {"Int16", SampleType::i16},
      {"UInt16", SampleType::u16}, {"Int32", SampleType::i32},  {"UInt32", SampleType::u32},
      {"Int64", SampleType::i64},  {"UInt64", SampleType::u64}, {"Float32", SampleType::f32},
      {"Float64", SampleType::f64}};
  const auto found = types.find(array.attribute("type"));
  if (found == types.end()) failMesh(name, quotedWord(array.attribute("type")) + " is not a number type");
  return found->second;
}

std::uint64_t vtpCount(const std::string& text, const std::string& name) {
  if (text.empty()) return 0;
  Words words(text, name);
  const std::int64_t count = words.wholeNumber();
  if (count < 0) failMesh(name, "it declares an implausible size of " + std::to_string(count));
  return std::uint64_t(count);
}

std::string vtpBytes(const XmlElement& array, std::uint64_t least, std::uint64_t most, const VtpFile& file) {
  const bool appended = array.attribute("format") == "appended";
  const std::uint64_t offset = appended ? vtpCount(array.attribute("offset"), file.name) : 0;
  if (appended && offset > file.appended.size())
    failMesh(file.name, "an array starts after the end of the data");
  EncodedBytes source(appended ? file.appended.substr(std::size_t(offset)) : std::string_view(array.text),
                      !appended || file.appendedBase64, file.name);
  const auto number = [&] {
    const std::string bytes = source.take(file.headerBytes);
    return file.headerBytes == 8 ? load<std::uint64_t>(bytes.data(), file.bigEndian)
                                 : load<std::uint32_t>(bytes.data(), file.bigEndian);
  };
  const auto require = [&](std::uint64_t announced) {
    if (announced < least || announced > most)
      failMesh(file.name,
               "an array has " + std::to_string(announced) + " bytes instead of " + std::to_string(least));
  };
  if (!file.compressed) {
    const std::uint64_t count = number();
    require(count);
    return source.take(count);
  }
  // The header has the number of blocks, their size, the size of the last block if it differs, else 0, and
  // then the compressed sizes of all blocks.
  const std::uint64_t blocks = number(), size = number(), last = number();
  if (blocks == 0) {
    require(0);
    return {};
  }
  if (blocks > source.room() / file.headerBytes || size > std::max<std::uint64_t>(most, 1) << 32)
    failMesh(file.name,
             "an array has " + std::to_string(blocks) + " blocks of " + std::to_string(size) + " bytes");
  const double total = double(size) * double(last == 0 ? blocks : blocks - 1) + double(last);
  require(std::uint64_t(std::min(total, 1e18)));
  std::vector<std::uint64_t> stored;
  for (std::uint64_t i = 0; i < blocks; ++i) stored.push_back(number());
  std::string bytes;
  for (std::uint64_t i = 0; i < blocks; ++i)
    bytes += inflated(source.take(stored[i]), i + 1 == blocks && last > 0 ? last : size, file.name);
  return bytes;
}

const XmlElement* vtpArrayNamed(const XmlElement& parent, const std::string& name) {
  for (const XmlElement& array : parent.children)
    if (array.attribute("Name") == name) return &array;
  return nullptr;
}

std::string vtpText(const XmlElement& array, const VtpFile& file) {
  if (array.attribute("format") != "ascii") return vtpBytes(array, 0, kLongestText, file);
  std::string text;
  Words words(array.text, file.name);
  for (auto word = words.next(); !word.empty() && text.size() < kLongestText; word = words.next()) {
    Words one(word, file.name);
    text += char(one.wholeNumber());
  }
  return text;
}

MeshSpace vtpSpace(const XmlElement& poly, const VtpFile& file) {
  const XmlElement* const fields = poly.child("FieldData");
  const XmlElement* const space = fields ? vtpArrayNamed(*fields, "SPACE") : nullptr;
  return space ? spaceIn("SPACE=" + vtpText(*space, file)) : MeshSpace::unstated;
}

std::string vtpArray(const char* type, const std::string& name, int components, std::string_view bytes) {
  const std::size_t blocks = (bytes.size() + kBlockBytes - 1) / kBlockBytes;
  std::vector<std::string> packed(blocks);
  parallelFor(std::int64_t(blocks), 1, Progress(), [&](std::int64_t block) {
    packed[std::size_t(block)] = deflated(bytes.substr(std::size_t(block) * kBlockBytes, kBlockBytes));
  });
  // The number of blocks, their size, that of the last one if it differs, and the compressed sizes.
  std::vector<std::uint64_t> head{blocks};
  if (blocks > 0) head.insert(head.end(), {kBlockBytes, bytes.size() % kBlockBytes});
  std::string data;
  for (const std::string& block : packed) {
    head.push_back(block.size());
    data += block;
  }
  return std::string("<DataArray type=\"") + type + "\" Name=\"" + xmlText(name) +
         "\" NumberOfComponents=\"" + std::to_string(components) + "\" format=\"binary\">" +
         base64Of(vtpBytesOf(head)) + base64Of(data) + "</DataArray>\n";
}

std::string vtpTextArray(const std::string& name, std::string_view text) {
  std::string array =
      "<Array type=\"String\" Name=\"" + xmlText(name) + "\" NumberOfTuples=\"1\" format=\"ascii\">";
  for (const char letter : text) array += std::to_string(int(letter)) + ' ';
  return array + "0</Array>\n";
}

}  // namespace sulcus::io
