// hostile_dicom_files FOLDER: the DICOM files that tests/commands/hostile_dicom.txt opens.
#include "tests/core/io/dicom/dicom_bytes.h"
#include "tests/core/io/streams/code_streams.h"

#include <filesystem>
#include <fstream>

using namespace sulcus::test;

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  const auto write = [&](const std::string& name, const DicomFile& file) {
    std::filesystem::create_directories((folder / name).parent_path());
    const std::string bytes = file.bytes();
    std::ofstream(folder / name, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
  };
  write("plain.dcm", DicomFile().pixels({1, 2, 3, 4}));
  for (const CodeStream& stream : kCodeStreams) {
    const auto coded = [&](unsigned columns, unsigned rows, unsigned stored) {
      return DicomFile().size(columns, rows).bits(16, stored).compressed(stream.syntax, {stream.bytes});
    };
    write(stream.name + ".dcm", coded(8, 6, 12));
    for (const unsigned size : {1u, 7u, 12u}) {
      write(stream.name + "-columns" + std::to_string(size) + ".dcm", coded(size, 6, 12));
      write(stream.name + "-rows" + std::to_string(size) + ".dcm", coded(8, size, 12));
    }
    for (const unsigned stored : {1u, 7u})
      write(stream.name + "-stored" + std::to_string(stored) + ".dcm", coded(8, 6, stored));
  }
  for (int v = 1; v <= 5; ++v) write("mosaics/" + std::to_string(v) + ".dcm", mosaicFile(v, mosaicCsa()));
  write("mosaic-uncounted.dcm", mosaicFile(1, csaHeader({})));
  write("enhanced.dcm", enhancedFile({0, 3, 6}));
  write("enhanced-uneven.dcm", enhancedFile({0, 3, 7}));
  write("enhanced-nowhere.dcm", enhancedFile({0, 3, 6}).remove(0x52009230));
  write("unoriented.dcm", DicomFile().set(0x00200037, "DS", "0\\0\\0\\0\\0\\0"));
  write("unspaced.dcm", DicomFile().set(0x00280030, "DS", "0\\0"));
  for (int slice = 1; slice <= 16; ++slice)
    write("unplaced/" + std::to_string(slice) + ".dcm", DicomFile(slice).remove(0x00200032));
  for (int image = 0; image < 6; ++image) {
    const std::string name = "/" + std::to_string(image) + ".dcm";
    const auto at = [&](double x) { return DicomFile(image + 1).position(x, 2, 3 * (image % 3)); };
    write("unnumbered" + name, at(1).remove(0x00200013));
    write("shifted" + name, at(image < 3 ? 1 : 51));
    write("modalities" + name, at(1).set(0x00080060, "CS", image < 3 ? "MR" : "CT"));
    write("echoes" + name, at(1).set(0x00180081, "DS", image < 3 ? "10" : "30"));
  }
  write("short.dcm", DicomFile().pixels({1, 2, 3}));
  write("frames0.dcm", DicomFile().set(0x00280008, "IS", "0"));
  write("frames-5.dcm", DicomFile().set(0x00280008, "IS", "-5"));
}
