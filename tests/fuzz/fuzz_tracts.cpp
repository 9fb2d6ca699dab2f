#include "core/io/streams/zip_archive.h"
#include "core/io/tracts/tract_files.h"
#include "tests/fuzz/fuzz_main.h"
#include "tests/fuzz/fuzz_seeds.h"
#include "tests/support/some_tracts.h"

#include <zlib.h>

/// The first byte selects the file name under which the others are opened.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr const char* kNames[] = {"a.tck", "a.trk", "a.trx", "a.vtp", "a.vtk", "a.tt"};
  if (size < 1) return 0;
  return sulcus::fuzz::parseOrError([&] {
    sulcus::io::openTractFile(
        sulcus::fuzz::memoryFile(kNames[data[0] % std::size(kNames)], data + 1, size - 1));
  });
}

namespace {

template <class T>
std::string raw(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string deflated(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
  std::string out(bytes.size() + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data()), stream.avail_out = uInt(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// A TRX with compressed files.
std::string deflatedTrx() {
  std::string all, directory;
  std::uint16_t count = 0;
  const auto add = [&](const std::string& name, const std::string& bytes) {
    const std::string packed = deflated(bytes);
    const std::string facts =
        raw(std::uint16_t(0)) + raw(std::uint16_t(8)) + raw(std::uint32_t(0)) +
        raw(std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), uInt(bytes.size())))) +
        raw(std::uint32_t(packed.size())) + raw(std::uint32_t(bytes.size())) +
        raw(std::uint16_t(name.size())) + raw(std::uint16_t(0));
    directory += "PK\1\2" + raw(std::uint16_t(20)) + raw(std::uint16_t(20)) + facts + std::string(10, '\0') +
                 raw(std::uint32_t(all.size())) + name;
    all += "PK\3\4" + raw(std::uint16_t(20)) + facts + name + packed;
    ++count;
  };
  add("header.json",
      "{\"DIMENSIONS\":[4,4,4],\"VOXEL_TO_RASMM\":[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]],"
      "\"NB_STREAMLINES\":2,\"NB_VERTICES\":4}");
  add("positions.3.float16", std::string(24, '\x3c'));
  add("offsets.uint32", raw(std::uint32_t(0)) + raw(std::uint32_t(2)));
  add("dps/w.float64", raw(1.5) + raw(2.5));
  return all + directory + "PK\5\6" + raw(std::uint32_t(0)) + raw(count) + raw(count) +
         raw(std::uint32_t(directory.size())) + raw(std::uint32_t(all.size())) + raw(std::uint16_t(0));
}

std::string tt() {
  std::string bytes;
  const auto array = [&](std::uint32_t type, std::uint32_t columns, const std::string& name) {
    for (const std::uint32_t word : {type, 1u, columns, 0u, std::uint32_t(name.size() + 1)})
      bytes += raw(word);
    bytes += name + '\0';
  };
  array(20, 3, "dimension");
  for (const std::int32_t side : {10, 12, 14}) bytes += raw(side);
  array(10, 3, "voxel_size");
  for (int i = 0; i < 3; ++i) bytes += raw(2.0f);
  array(10, 16, "trans_to_mni");
  for (int i = 0; i < 16; ++i) bytes += raw(i % 5 == 0 ? 1.0f : 0.0f);
  array(50, 19, "track");
  bytes += raw(std::uint32_t(6)) + raw(std::int32_t(32)) + raw(std::int32_t(64)) + raw(std::int32_t(96)) +
           "\1\2\3";
  return bytes;
}

}  // namespace

std::vector<std::string> sulcus::fuzz::seeds() {
  const Grid grid = test::slantedGrid();
  const Tracts tracts = test::someTracts(grid, 4);
  const test::TemporaryFolder folder;
  std::vector<std::string> seeds;
  char kind = 0;
  for (const char* name : {"a.tck", "a.trk", "a.trx", "a.vtp", "a.vtk"}) {
    const auto file = folder / name;
    io::writeTracts(tracts, tracts.groups, {file, file, grid, false}, {});
    seeds.push_back(kind++ + bytesOf(file));
  }
  seeds.push_back(char(2) + deflatedTrx());
  seeds.push_back(
      char(4) +
      std::string("# vtk DataFile Version 5.1\nSPACE=LPS\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n1 2 3 4 5 "
                  "6\n7 8 9\n"
                  "LINES 3 4\nOFFSETS vtktypeint64\n0 2 4\nCONNECTIVITY vtktypeint64\n2 0 0 1\nCELL_DATA 2\n"
                  "SCALARS weight float 1\nLOOKUP_TABLE default\n0.5 0.25\nPOINT_DATA 3\nFIELD FieldData 1\n"
                  "fa 1 3 double\n.1 .2 .3\nVECTORS v float\n1 2 3 4 5 6 7 8 9\n"));
  seeds.push_back(char(5) + tt());
  return seeds;
}
