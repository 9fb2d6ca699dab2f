#include "core/io/streams/sink.h"
#include "core/io/surfaces/vtp_arrays.h"
#include "core/io/tracts/line_cells.h"

#include <numeric>

// Lines in VTK PolyData in XML (.vtp).
namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

std::vector<CellValues> vtpValues(const XmlElement* data, std::uint64_t skip, std::uint64_t count,
                                  const VtpFile& file) {
  std::vector<CellValues> all;
  if (!data || count == 0) return all;
  for (const XmlElement& array : data->children) {
    const std::string stated = array.attribute("NumberOfComponents");
    const std::uint64_t components = stated.empty() ? 1 : vtpCount(stated, file.name);
    if (array.name != "DataArray" || array.attribute("Name").empty() || components < 1 || components > 1000)
      continue;
    auto numbers = vtpNumbers<float>(array, (skip + count) * components, file);
    numbers.erase(numbers.begin(), numbers.begin() + std::ptrdiff_t(skip * components));
    all.push_back({dataName(array.attribute("Name"), {}), int(components), std::move(numbers)});
  }
  return all;
}

void addPiece(const XmlElement& piece, const VtpFile& xml, const fs::path& file, LineBuilder& builder) {
  const auto number = [&](const char* key) { return vtpCount(piece.attribute(key), xml.name); };
  const std::uint64_t points = number("NumberOfPoints"), lines = number("NumberOfLines"),
                      verts = number("NumberOfVerts");
  requireTractPoints(points, file);
  requireTractLines(lines, file);
  if (lines == 0) return;
  const XmlElement* const places = piece.child("Points");
  const XmlElement* const cells = piece.child("Lines");
  const XmlElement* const ends = cells ? vtpArrayNamed(*cells, "offsets") : nullptr;
  const XmlElement* const corners = cells ? vtpArrayNamed(*cells, "connectivity") : nullptr;
  if (!ends || !corners || !places || places->children.empty())
    failTracts(file, "its lines or points are missing");
  LineCells all;
  all.ends = vtpNumbers<std::int64_t>(*ends, lines, xml);
  if (all.ends.back() < 0) failTracts(file, "the offsets of its lines do not increase");
  requireTractPoints(std::uint64_t(all.ends.back()), file);
  all.points = vtpNumbers<std::int64_t>(*corners, std::uint64_t(all.ends.back()), xml);
  builder.add(vtpNumbers<float>(places->children.front(), 3 * points, xml), all,
              vtpValues(piece.child("PointData"), 0, points, xml),
              vtpValues(piece.child("CellData"), verts, lines, xml));
}

std::vector<std::int32_t> endsOf(const Tracts& tracts) {
  std::vector<std::int32_t> ends(tracts.lines());
  for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = std::int32_t(tracts.first[i + 1]);
  return ends;
}

std::vector<std::int32_t> numbersFromZero(std::size_t count) {
  std::vector<std::int32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace

TractFile readVtpLines(const fs::path& file, const Progress& progress) {
  const std::string bytes = wholeTractFile(file), name = quoted(file);
  progress.update(0.3);
  const VtpFile xml = openedVtp(bytes, name);
  const XmlElement* const poly = xml.root.child("PolyData");
  if (!poly) failTracts(file, "it has no PolyData");
  LineBuilder builder(file);
  for (const XmlElement& piece : poly->children)
    if (piece.name == "Piece") addPiece(piece, xml, file, builder);
  return builder.finished(vtpSpace(*poly, xml));
}

void writeVtpLines(const Tracts& tracts, const fs::path& to, const fs::path& file, const Progress& progress) {
  Sink sink(to, file, progress);
  sink.write(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n<FieldData>\n" +
      vtpTextArray("SPACE", "RAS") + "</FieldData>\n<Piece NumberOfPoints=\"" +
      std::to_string(tracts.points.size()) + "\" NumberOfVerts=\"0\" NumberOfLines=\"" +
      std::to_string(tracts.lines()) + "\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<PointData>\n");
  for (const auto& data : tracts.perPoint)
    sink.write(vtpArray("Float32", data.name, data.components, vtpBytesOf(data.values)));
  sink.write(std::string_view("</PointData>\n<CellData>\n"));
  for (const auto& data : tracts.perLine)
    sink.write(vtpArray("Float32", data.name, data.components, vtpBytesOf(data.values)));
  sink.write("</CellData>\n<Points>\n" + vtpArray("Float32", "Points", 3, vtpBytesOf(tracts.points)));
  sink.write("</Points>\n<Lines>\n" +
             vtpArray("Int32", "connectivity", 1, vtpBytesOf(numbersFromZero(tracts.points.size()))));
  sink.write(vtpArray("Int32", "offsets", 1, vtpBytesOf(endsOf(tracts))) +
             "</Lines>\n</Piece>\n</PolyData>\n</VTKFile>\n");
  sink.close();
}

}  // namespace sulcus::io
