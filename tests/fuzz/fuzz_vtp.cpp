#include "core/io/volumes/encoded_numbers.h"
#include "tests/fuzz/fuzz_meshes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return sulcus::fuzz::openAsMesh("surface.vtp", data, size);
}

namespace {

template <class T>
std::string bytesOf(const std::vector<T>& values) {
  const auto size = std::uint32_t(values.size() * sizeof(T));
  std::string bytes(reinterpret_cast<const char*>(&size), sizeof size);
  return bytes.append(reinterpret_cast<const char*>(values.data()), size);
}

/// With appended data, raw or as base64.
std::string appended(bool base64) {
  const std::string places = bytesOf(std::vector<float>{0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 3}),
                    corners = bytesOf(std::vector<std::int64_t>{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}),
                    ends = bytesOf(std::vector<std::int64_t>{3, 6, 9, 12});
  std::string data, text =
                        "<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\">\n<PolyData>\n"
                        "<Piece NumberOfPoints=\"4\" NumberOfPolys=\"4\">\n";
  const auto array = [&](const char* type, const char* name, const std::string& bytes) {
    text += std::string("<DataArray type=\"") + type + "\" Name=\"" + name +
            "\" format=\"appended\" offset=\"" + std::to_string(data.size()) + "\"/>";
    data += base64 ? sulcus::io::base64Of(bytes) : bytes;
  };
  text += "<Points>";
  array("Float32", "Points", places);
  text += "</Points><Polys>";
  array("Int64", "connectivity", corners);
  array("Int64", "offsets", ends);
  return text + "</Polys>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"" + (base64 ? "base64" : "raw") +
         "\">_" + data + "</AppendedData></VTKFile>\n";
}

}  // namespace

std::vector<std::string> sulcus::fuzz::seeds() {
  return {
      sulcus::io::vtpBytes(seedMesh()), appended(false), appended(true),
      "<VTKFile type=\"PolyData\"><PolyData><FieldData><Array type=\"String\" Name=\"SPACE\" "
      "format=\"ascii\">"
      "76 80 83 0</Array></FieldData><Piece NumberOfPoints=\"4\" NumberOfPolys=\"2\" NumberOfStrips=\"1\">"
      "<PointData><DataArray type=\"Int16\" Name=\"a\" format=\"ascii\">1 2 3 4</DataArray></PointData>"
      "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">"
      "0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Polys>"
      "<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 2 1 0 1 3 2</DataArray>"
      "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">3 7</DataArray></Polys><Strips>"
      "<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>"
      "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray></Strips>"
      "</Piece></PolyData></VTKFile>"};
}
