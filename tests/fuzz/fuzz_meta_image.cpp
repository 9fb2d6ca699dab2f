#include "tests/fuzz/fuzz_main.h"
#include "tests/fuzz/fuzz_seeds.h"

// Next to the input is scan.raw, which headers of two files name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto numbers =
      sulcus::fuzz::memoryFile("scan.raw", "0123456789012345678901234567890123456789", 40);
  return sulcus::fuzz::parseOrError(
      [&] { sulcus::io::openVolume(sulcus::fuzz::memoryFile("scan.mha", data, size)); });
}

std::vector<std::string> sulcus::fuzz::seeds() {
  auto seeds = savedScans({".mha"});
  const std::string bytes(96, 'x'), cube = "NDims = 3\nDimSize = 2 2 2\n",
                                    local = "ElementDataFile = LOCAL\n";
  for (const std::string& lines :
       {// As written by ITK, elastix and older programs.
        "ObjectType = Image\n" + cube +
            "BinaryData = True\nBinaryDataByteOrderMSB = False\nCompressedData = False\n"
            "TransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = 1 2 3\nCenterOfRotation = 0 0 0\n"
            "AnatomicalOrientation = RAI\nElementSpacing = 1 2 3\nElementType = MET_SHORT\n" +
            local,
        cube +
            "ElementSize : 1 2 3\nPosition: 1 2 3\nRotation = 0 1 0 -1 0 0 0 0 1\nElementByteOrderMSB = "
            "True\n"
            "ElementType = MET_DOUBLE\nElementToIntensityFunctionSlope = 2\nDistanceUnits = um\n" +
            local,
        cube + "ElementNumberOfChannels = 3\nElementType = MET_FLOAT_ARRAY\nHeaderSize = -1\n" + local,
        "NDims = 4\nDimSize = 2 2 1 3\nElementSpacing = 1 2 3 2.5\nOffset = 1 2 3 4\n"
        "TransformMatrix = 0 1 0 0 -1 0 0 0 0 0 1 0 0 0 0 1\nElementType = MET_FLOAT\n" +
            local,
        "NDims = 2\nDimSize = 4 3\nElementType = MET_UINT\nImagePosition = 4 5\n" + local,
        // Files that crashed other readers.
        cube + "NDims : 200000\n" + local,
        cube + std::string(300, 'n') + " = 1\nElementType = MET_UCHAR\n" + local,
        cube + "Comment = " + std::string(3000, 'x') + "\nNDims = 200000\n" + local,
        cube + "ElementType = MET_UCHAR\n"})
    seeds.push_back(lines + bytes);
  for (const char* const name :
       {"scan.raw", "./scan.raw", "/etc/passwd", "/dev/zero", "LIST", "scan%d.raw 1 2 1"})
    for (const char* const compressed : {"True", "False"})
      seeds.push_back(cube + "ElementType = MET_UCHAR\nHeaderSize = 4\nCompressedData = " + compressed +
                      "\nElementDataFile = " + name + "\n");
  return seeds;
}
