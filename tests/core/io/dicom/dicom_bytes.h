#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sulcus::test {

/// The bytes of a number in little-endian order.
template <class T>
std::string littleEndian(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}
inline std::string us(unsigned value) { return littleEndian(std::uint16_t(value)); }

/// One DICOM element in explicit little-endian encoding; `type` has two letters.
inline std::string dicomElement(unsigned group, unsigned number, const std::string& type, std::string value) {
  if (value.size() % 2) value += type == "UI" ? '\0' : ' ';
  const bool wide = type == "OW" || type == "OB" || type == "SQ" || type == "UN";
  return us(group) + us(number) + type +
         (wide ? std::string(2, '\0') + littleEndian(std::uint32_t(value.size()))
               : us(unsigned(value.size()))) +
         value;
}

/// The value of a sequence with items of explicit length.
inline std::string dicomItems(const std::vector<std::string>& items) {
  std::string value;
  for (const auto& item : items)
    value += us(0xfffe) + us(0xe000) + littleEndian(std::uint32_t(item.size())) + item;
  return value;
}

/// The pixel data of compressed frames: an empty table of offsets, then one fragment per frame.
inline std::string dicomFragments(const std::vector<std::string>& streams) {
  std::vector<std::string> even{""};
  for (std::string stream : streams) even.push_back(stream + std::string(stream.size() % 2, '\0'));
  return us(0x7fe0) + us(0x0010) + "OB" + std::string(2, '\0') + "\xff\xff\xff\xff" + dicomItems(even) +
         us(0xfffe) + us(0xe0dd) + std::string(4, '\0');
}

/// A DICOM file whose elements can be set and removed. Initially it is an axial 2 × 2 MR slice of 1 × 1 × 3
/// mm at (1, 2, 0) mm.
class DicomFile {
 public:
  explicit DicomFile(int instance = 1) : uid_("1.2.3." + std::to_string(instance)) {
    set(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.4").set(0x00080018, "UI", uid_);
    set(0x00080060, "CS", "MR").set(0x00180050, "DS", "3").set(0x0020000e, "UI", "1.2.3");
    set(0x00200013, "IS", std::to_string(instance)).set(0x00200032, "DS", "1\\2\\0");
    set(0x00200037, "DS", "1\\0\\0\\0\\1\\0").set(0x00280002, "US", us(1));
    set(0x00280004, "CS", "MONOCHROME2").size(2, 2).set(0x00280030, "DS", "1\\1");
    bits(16, 16).set(0x00280103, "US", us(0)).set(0x7fe00010, "OW", std::string(8, '\0'));
  }
  DicomFile& set(std::uint32_t tag, const std::string& type, const std::string& value) {
    elements_[tag] = dicomElement(tag >> 16, tag & 0xffff, type, value);
    return *this;
  }
  DicomFile& remove(std::uint32_t tag) {
    elements_.erase(tag);
    return *this;
  }
  DicomFile& size(unsigned columns, unsigned rows) {
    return set(0x00280010, "US", us(rows)).set(0x00280011, "US", us(columns));
  }
  DicomFile& bits(unsigned allocated, unsigned stored) {
    set(0x00280100, "US", us(allocated)).set(0x00280101, "US", us(stored));
    return set(0x00280102, "US", us(stored - 1));
  }
  DicomFile& position(double x, double y, double z) {
    return set(0x00200032, "DS", std::to_string(x) + "\\" + std::to_string(y) + "\\" + std::to_string(z));
  }
  DicomFile& pixels(const std::vector<std::uint16_t>& values) {
    std::string bytes;
    for (const auto value : values) bytes += us(value);
    return set(0x7fe00010, "OW", bytes);
  }
  DicomFile& compressed(const std::string& syntax, const std::vector<std::string>& streams) {
    syntax_ = syntax;
    elements_[0x7fe00010] = dicomFragments(streams);
    return *this;
  }
  std::string bytes() const {
    const std::string meta = dicomElement(2, 2, "UI", "1.2.840.10008.5.1.4.1.1.4") +
                             dicomElement(2, 3, "UI", uid_) + dicomElement(2, 0x10, "UI", syntax_);
    std::string all = std::string(128, '\0') + "DICM" +
                      dicomElement(2, 0, "UL", littleEndian(std::uint32_t(meta.size()))) + meta;
    for (const auto& [tag, element] : elements_) all += element;
    return all;
  }

 private:
  std::string uid_, syntax_ = "1.2.840.10008.1.2.1";
  std::map<std::uint32_t, std::string> elements_;
};

/// An enhanced multi-frame file of 2 × 2 voxels of 2 × 2 × 3 mm. Frame f has 10 f in all voxels and is at
/// `heights[f]` mm; `measures` are the shared pixel measures.
inline DicomFile enhancedFile(const std::vector<double>& heights,
                              const std::string& measures = dicomElement(0x18, 0x50, "DS", "3") +
                                                            dicomElement(0x28, 0x30, "DS", "2\\2")) {
  const auto group = [](unsigned number, unsigned element, const std::string& value) {
    return dicomElement(number, element, "SQ", dicomItems({value}));
  };
  std::vector<std::string> frames;
  std::vector<std::uint16_t> values;
  for (std::size_t f = 0; f < heights.size(); ++f) {
    frames.push_back(
        group(0x20, 0x9113, dicomElement(0x20, 0x32, "DS", "1\\2\\" + std::to_string(heights[f]))));
    values.insert(values.end(), 4, std::uint16_t(10 * f));
  }
  const std::string shared =
      group(0x20, 0x9116, dicomElement(0x20, 0x37, "DS", "1\\0\\0\\0\\1\\0")) + group(0x28, 0x9110, measures);
  DicomFile file;
  for (const std::uint32_t tag : {0x00180050, 0x00200032, 0x00200037, 0x00280030}) file.remove(tag);
  return file.set(0x00280008, "IS", std::to_string(heights.size()))
      .set(0x52009229, "SQ", dicomItems({shared}))
      .set(0x52009230, "SQ", dicomItems(frames))
      .pixels(values);
}

/// A CSA header of Siemens with names and their values.
inline std::string csaHeader(const std::vector<std::pair<std::string, std::vector<std::string>>>& tags) {
  std::string bytes = "SV10" + std::string("\4\3\2\1") + littleEndian(std::uint32_t(tags.size())) +
                      littleEndian(std::uint32_t(77));
  for (const auto& [name, values] : tags) {
    bytes += name + std::string(64 - name.size(), '\0') + littleEndian(std::uint32_t(values.size())) +
             std::string("DS\0\0", 4) + littleEndian(std::uint32_t(3)) +
             littleEndian(std::uint32_t(values.size())) + littleEndian(std::uint32_t(77));
    for (const auto& value : values) {
      const auto length = std::uint32_t(value.size() + 1);
      for (const std::uint32_t number : {length, length, std::uint32_t(77), length})
        bytes += littleEndian(number);
      bytes += value + std::string(1 + (4 - length % 4) % 4, '\0');
    }
  }
  return bytes;
}

/// A mosaic of 2 × 2 tiles of 3 × 2 voxels of 2 × 1.5 mm for three slices 4 mm apart, the first at (10, 20,
/// 30) mm (LPS). Voxel (x, y) of slice s has 100 s + 10 y + x; `csa` is the CSA header.
inline DicomFile mosaicFile(int instance, const std::string& csa) {
  std::vector<std::uint16_t> values;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 6; ++x) {
      const int slice = y / 2 * 2 + x / 3;
      values.push_back(slice < 3 ? std::uint16_t(100 * slice + 10 * (y % 2) + x % 3) : 0);
    }
  DicomFile file(instance);
  // The position is that of the corner of a slice of 6 × 4 voxels with the same center.
  return file.set(0x00080008, "CS", "ORIGINAL\\PRIMARY\\M\\ND\\MOSAIC")
      .size(6, 4)
      .position(10 - 1.5 * 2, 20 - 1 * 1.5, 30)
      .set(0x00280030, "DS", "1.5\\2")
      .set(0x00180088, "DS", "4")
      .set(0x00080070, "LO", "SIEMENS")
      .set(0x00290010, "LO", "SIEMENS CSA HEADER")
      .set(0x00291010, "OB", csa)
      .pixels(values);
}
/// The CSA header for mosaicFile(), with a normal along ±z and a weighting of b = 1000 along y.
inline std::string mosaicCsa(const std::string& slices = "3", const std::string& normal = "1") {
  return csaHeader({{"NumberOfImagesInMosaic", {slices}},
                    {"SliceNormalVector", {"0.0", "0.0", normal}},
                    {"B_value", {"1000"}},
                    {"DiffusionGradientDirection", {"0.0", "1.0", "0.0"}}});
}

}  // namespace sulcus::test
