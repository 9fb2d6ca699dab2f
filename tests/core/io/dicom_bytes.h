#pragma once

#include <cstring>
#include <string>

namespace sulcus::test {

/// A number as its bytes, little-endian.
template <class T>
std::string littleEndian(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// One DICOM element in explicit little-endian; `type` of two letters.
inline std::string dicomElement(unsigned group, unsigned number, const std::string& type, std::string value) {
  if (value.size() % 2) value += type == "UI" ? '\0' : ' ';
  const bool wide = type == "OW" || type == "OB" || type == "SQ" || type == "UN";
  return littleEndian(std::uint16_t(group)) + littleEndian(std::uint16_t(number)) + type +
         (wide ? std::string(2, '\0') + littleEndian(std::uint32_t(value.size()))
               : littleEndian(std::uint16_t(value.size()))) +
         value;
}

/// An axial 2 × 2 MR slice of 1 mm at height z (mm); every voxel holds `value`. `extra` are elements of group
/// 0018 behind (0018,0050).
inline std::string dicomSlice(int instance, double z, std::uint16_t value, const std::string& extra = "") {
  const auto us = [](unsigned v) { return littleEndian(std::uint16_t(v)); };
  const std::string uid = "1.2.3." + std::to_string(instance);
  const std::string meta = dicomElement(2, 2, "UI", "1.2.840.10008.5.1.4.1.1.4") +
                           dicomElement(2, 3, "UI", uid) + dicomElement(2, 0x10, "UI", "1.2.840.10008.1.2.1");
  std::string pixels;
  for (int i = 0; i < 4; ++i) pixels += us(value);
  return std::string(128, '\0') + "DICM" +
         dicomElement(2, 0, "UL", littleEndian(std::uint32_t(meta.size()))) + meta +
         dicomElement(8, 0x16, "UI", "1.2.840.10008.5.1.4.1.1.4") + dicomElement(8, 0x18, "UI", uid) +
         dicomElement(8, 0x60, "CS", "MR") + dicomElement(0x18, 0x50, "DS", "3") + extra +
         dicomElement(0x20, 0xe, "UI", "1.2.3") + dicomElement(0x20, 0x13, "IS", std::to_string(instance)) +
         dicomElement(0x20, 0x32, "DS", "1\\2\\" + std::to_string(z)) +
         dicomElement(0x20, 0x37, "DS", "1\\0\\0\\0\\1\\0") + dicomElement(0x28, 2, "US", us(1)) +
         dicomElement(0x28, 4, "CS", "MONOCHROME2") + dicomElement(0x28, 0x10, "US", us(2)) +
         dicomElement(0x28, 0x11, "US", us(2)) + dicomElement(0x28, 0x30, "DS", "1\\1") +
         dicomElement(0x28, 0x100, "US", us(16)) + dicomElement(0x28, 0x101, "US", us(16)) +
         dicomElement(0x28, 0x102, "US", us(15)) + dicomElement(0x28, 0x103, "US", us(0)) +
         dicomElement(0x7fe0, 0x10, "OW", pixels);
}

}  // namespace sulcus::test
