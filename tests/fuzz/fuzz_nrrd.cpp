#include "tests/fuzz/fuzz_main.h"
#include "tests/fuzz/fuzz_seeds.h"

// Next to the input is scan.raw, which headers of two files name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto numbers =
      sulcus::fuzz::memoryFile("scan.raw", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", 38);
  return sulcus::fuzz::parseOrError(
      [&] { sulcus::io::openVolume(sulcus::fuzz::memoryFile("scan.nrrd", data, size)); });
}

namespace {

/// "NRRD000…" and these lines.
std::string nrrd(const std::string& lines, const std::string& numbers) {
  return "NRRD0005\n" + lines + "\n" + numbers;
}

}  // namespace

std::vector<std::string> sulcus::fuzz::seeds() {
  auto seeds = savedScans({".nrrd"});
  const std::string bytes(96, 'x'),
      words = "1 2 3 4 5 6 7 8\n", cube = "dimension: 3\nsizes: 2 2 2\n",
      space =
          "space: left-posterior-superior\nspace directions: (1,0.5,0) (0,2,0) (0,0,3)\n"
          "space origin: (4,5,6)\n",
      raw = "encoding: raw\nendian: little\n";
  for (const std::string& lines :
       {"type: short\n" + cube + space + raw,
        "type: unsigned char\n" + cube +
            "spacings: 1 nan 3\naxis mins: 4 5 6\naxis maxs: 5 6 7\ncenters: cell node ???\n" + raw,
        "type: double\n" + cube + "space: RAS\nspace units: \"um\" \"um\" \"um\"\n" + raw + "byte skip: -1\n",
        "type: uint16\n" + cube + raw + "line skip: 0\nbyte skip: 3\nendian: big\n",
        // As written by 3D Slicer for diffusion, displacements and segmentations, and by ITK for series.
        std::string(
            "# Complete NRRD\ntype: short\ndimension: 4\nspace: left-posterior-superior\nsizes: 3 2 2 1\n"
            "space directions: none (2,0,0) (0,2,0) (0,0,3)\nkinds: list domain domain domain\n"
            "endian: little\nencoding: raw\nspace origin: (0,0,0)\n"
            "measurement frame: (0,1,0) (1,0,0) (0,0,1)\nmodality:=DWMRI\nDWMRI_b-value:=2000\n"
            "DWMRI_gradient_0000:=0 0 0\nDWMRI_gradient_0001:=1 0 0\nDWMRI_gradient_0002:=0 0 0.7\n"),
        "type: float\ndimension: 4\nsizes: 3 2 2 1\nspace: LPS\nspace directions: none (1,0,0) (0,2,0) "
        "(0,0,3)\n"
        "kinds: vector domain domain domain\n" +
            raw,
        "type: float\ndimension: 4\nsizes: 2 1 2 3\nspace: RAST\nspace directions: (1,0,0,0) (0,2,0,0) "
        "(0,0,3,0) "
        "(0,0,0,2.5)\nspace units: \"mm\" \"mm\" \"mm\" \"ms\"\nkinds: space space space time\n" +
            raw,
        "type: float\ndimension: 4\nsizes: 2 7 1 1\nkinds: domain 3D-masked-symmetric-matrix domain "
        "domain\n" +
            raw,
        "type: int\ndimension: 2\nsizes: 4 3\nspace dimension: 2\nspace directions: (1,0) (0,2)\n"
        "space origin: (3,4)\ncontent: a\nthicknesses: 1 2\nlabels: \"a\" \"b\"\nsample units: mm\n" +
            raw})
    seeds.push_back(nrrd(lines, bytes));
  for (const char* const text : {"ascii", "text"})
    seeds.push_back(nrrd("type: short\n" + cube + "encoding: " + text + "\n", words));
  for (const char* const encoding : {"raw", "ascii", "gzip"})
    seeds.push_back(nrrd("type: uchar\n" + cube + "encoding: " + encoding +
                             "\nline skip: 0\nbyte skip: 1\ndata file: scan.raw\n",
                         ""));
  // Files that crashed other readers.
  seeds.push_back(
      nrrd("type: uchar\n" + cube + "space: " + std::string(1100, 'x') + "\nencoding: raw\n", bytes));
  seeds.push_back(
      nrrd("type: uchar\n" + cube + "units: \"" + std::string(1100, 'x') + "\"\nencoding: raw\n", bytes));
  seeds.push_back(nrrd("type: uchar\n" + cube + "encoding: ascii\n", std::string(1100, '1')));
  for (const char* const name : {"/dev/zero", "/etc/passwd", "../scan.raw", "LIST", "scan%d.raw 1 2 1"})
    seeds.push_back(nrrd("type: uchar\n" + cube + "encoding: ascii\ndata file: " + name + "\n", ""));
  return seeds;
}
