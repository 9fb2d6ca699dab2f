#pragma once

#include "tests/core/io/dicom/dicom_bytes.h"
#include "tests/core/io/streams/code_streams.h"

#include <string>
#include <vector>

namespace sulcus::fuzz {

/// A picture by every codec, with a header that claims `columns` and `rows`.
inline std::vector<std::string> compressedDicom(unsigned columns = 8, unsigned rows = 6) {
  std::vector<std::string> seeds;
  for (const auto& stream : test::kCodeStreams)
    seeds.push_back(
        test::DicomFile().size(columns, rows).bits(16, 12).compressed(stream.syntax, {stream.bytes}).bytes());
  return seeds;
}

/// Each supported kind of file, and those that were once read incorrectly or crashed the program.
inline std::vector<std::string> dicomSeeds() {
  using test::DicomFile;
  std::vector<std::string> seeds{DicomFile().bytes(),
                                 test::mosaicFile(1, test::mosaicCsa()).bytes(),
                                 test::enhancedFile({0, 3, 6}).bytes(),
                                 test::enhancedFile({0, 3, 7}).bytes(),
                                 DicomFile().remove(0x00200032).remove(0x00200037).remove(0x00280030).bytes(),
                                 DicomFile().set(0x00280030, "DS", "0\\0").bytes(),
                                 DicomFile().set(0x00280008, "IS", "-5").bytes(),
                                 DicomFile().bits(16, 12).set(0x00280103, "US", test::us(1)).bytes()};
  for (const unsigned size : {1u, 7u, 12u})
    for (const auto& seed : compressedDicom(size, 6)) seeds.push_back(seed);
  for (const auto& seed : compressedDicom()) seeds.push_back(seed);
  for (const unsigned stored : {1u, 7u}) {
    const auto& stream = test::kCodeStreams[2];
    seeds.push_back(
        DicomFile().size(8, 6).bits(16, stored).compressed(stream.syntax, {stream.bytes}).bytes());
  }
  return seeds;
}

}  // namespace sulcus::fuzz
