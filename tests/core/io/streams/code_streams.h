#pragma once

#include <string>

namespace sulcus::test {

/// A compressed picture of 8 × 6 pixels of 12 bits in 16, with the values 3 x + 200 y.
struct CodeStream {
  std::string name, syntax, bytes;
};

inline std::string fromHex(const std::string& digits) {
  std::string bytes;
  for (std::size_t at = 0; at + 2 <= digits.size(); at += 2)
    bytes += char(std::stoi(digits.substr(at, 2), nullptr, 16));
  return bytes;
}

/// The picture, compressed losslessly by each supported codec of DICOM.
inline const CodeStream kCodeStreams[] = {
    {"jpegLossless", "1.2.840.10008.1.2.4.70",
     fromHex(
         "ffd8ffc3000b100006000801011100ffc400160001010100000000000000000000000000020810ffda00080101000100"
         "00cdb6dbb21b6db76436db6ec86db6dd90db6dbb21b6db7fffd9")},
    {"jpegLs", "1.2.840.10008.1.2.4.80",
     fromHex(
         "ffd8fff7000b100006000801011100fff8000d01ffff0012004301140040ffda0008010100000000a02c0580700c0301"
         "80b6420340480a02804020359080402020202020258e80808080810202e32040810204080b8a81020408102000ffd900")},
    {"jpeg2000", "1.2.840.10008.1.2.4.90",
     fromHex(
         "ff4fff5100290000000000080000000600000000000000000000000800000006000000000000000000010f0101ff5200"
         "0c00000001000104040001ff5c00074080888890ff64002a000143726561746564206279204744434d2f4f70656e4a50"
         "45472076657273696f6e20322e352e30ff90000a0000000000380001ff93dff890b806a5fccd7f68a0d9ccb17f4580e5"
         "45704ea97acdff4ccfc0003a1400fc01401beb0cbdb31e8fffd9")},
    {"rle", "1.2.840.10008.1.2.5",
     fromHex(
         "02000000400000004c000000000000000000000000000000000000000000000000000000000000000000000000000000"
         "00000000000000000000000000000000f900f900f901f902f903f90307000306090c0f121507c8cbced1d4d7dadd0790"
         "9396999c9fa2a507585b5e6164676a6d07202326292c2f323507e8ebeef1f4f7fafd")},
};

}  // namespace sulcus::test
