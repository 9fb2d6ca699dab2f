#include "core/io/streams/file_json.h"
#include "core/io/surfaces/mesh_files.h"
#include "core/io/volumes/encoded_numbers.h"
#include "tests/core/io/io_test_support.h"
#include "tests/core/io/surfaces/meshes.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> largestRequest{0};
}  // namespace

// All allocations of this test are counted here, to see how much memory a damaged file can request.
[[gnu::noinline]] void* operator new(std::size_t size) {
  std::size_t before = largestRequest;
  while (before < size && !largestRequest.compare_exchange_weak(before, size)) {
  }
  if (void* const memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
// As in the standard library: the operators below could not free what the address sanitizer's allocates.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept try {
  return operator new(size);
} catch (const std::bad_alloc&) {
  return nullptr;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace sulcus::io {
namespace {

using namespace test;

constexpr std::size_t kSmall = 4'000'000;  // bytes; none of these files has more than a few thousand

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  EXPECT_NE(at, text.npos) << what;
  return at == text.npos ? text : text.replace(at, what.size(), with);
}

template <class T>
std::string raw(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// A VTP file of four points with numbers as text.
std::string vtpText(const std::string& points = "0 0 0 1 0 0 0 1 0 0 0 1",
                    const std::string& corners = "0 2 1 0 1 3", const std::string& ends = "3 6",
                    const std::string& more = "") {
  return "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"4\" NumberOfPolys=\"2\">" + more +
         "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">" + points +
         "</DataArray></Points><Polys><DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">" +
         corners + "</DataArray><DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">" + ends +
         "</DataArray></Polys></Piece></PolyData></VTKFile>";
}

std::string giftiText(const std::string& dim0 = "4", const std::string& encoding = "ASCII",
                      const std::string& places = "0 0 0 1 0 0 0 1 0 0 0 1",
                      const std::string& corners = "0 2 1 0 1 3", const std::string& more = "") {
  const auto array = [&](const char* intent, const char* type, const std::string& rows,
                         const std::string& coding, const std::string& data) {
    return std::string("<DataArray Intent=\"") + intent + "\" DataType=\"" + type +
           "\" Dimensionality=\"2\" Dim0=\"" + rows + "\" Dim1=\"3\" Endian=\"LittleEndian\" Encoding=\"" +
           coding + "\">" + more + "<Data>" + data + "</Data></DataArray>";
  };
  return "<?xml version=\"1.0\"?><GIFTI Version=\"1.0\">" +
         array("NIFTI_INTENT_POINTSET", "NIFTI_TYPE_FLOAT32", dim0, encoding, places) +
         array("NIFTI_INTENT_TRIANGLE", "NIFTI_TYPE_INT32", "2", "ASCII", corners) + "</GIFTI>";
}

std::string plyText(const std::string& vertices = "3", const std::string& faces = "1",
                    const std::string& face = "3 0 1 2") {
  return "ply\nformat ascii 1.0\nelement vertex " + vertices + "\nproperty float x\nproperty float y\n" +
         "property float z\nelement face " + faces +
         "\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n" + face + "\n";
}

class HostileMeshes : public testing::Test {
 protected:
  void open(const std::string& bytes, const std::string& name) {
    writeBytes(folder_ / name, bytes);
    io::openLayer(folder_ / name);
  }
  /// Expects an Error with these words, no output, and no memory allocated for what is only announced.
  void expectRefused(const std::string& bytes, const std::string& name,
                     const std::vector<std::string>& words) {
    SCOPED_TRACE(name + ": " + words.front());
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    largestRequest = 0;
    expectError([&] { open(bytes, name); }, words);
    EXPECT_LT(largestRequest, kSmall);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  }
  TemporaryFolder folder_;
};

TEST_F(HostileMeshes, ThatArePlainAreRead) {
  EXPECT_NO_THROW(open(vtpText(), "a.vtp"));
  EXPECT_NO_THROW(open(giftiText(), "a.gii"));
  EXPECT_NO_THROW(open(plyText(), "a.ply"));
}

TEST_F(HostileMeshes, EmptyOrOfAnotherKind) {
  for (const char* name : {"a.vtp", "a.ply", "a.stl", "a.obj", "a.gii"}) {
    expectRefused("", name, {"is empty"});
    expectRefused(std::string(3000, '\0'), name, {name});
    expectRefused("onset\tduration\n1\t2\n", name, {name});
  }
  expectRefused("<html><body>404 not found</body></html>", "a.vtp", {"is not a VTK surface", "html"});
  expectRefused("<html><body>404 not found</body></html>", "a.gii", {"is not a GIFTI"});
  expectRefused(replaced(vtpText(), "PolyData", "UnstructuredGrid"), "a.vtp",
                {"UnstructuredGrid", "PolyData"});
  expectRefused("<GIFTI><DataArray Intent=\"NIFTI_INTENT_SHAPE\"/></GIFTI>", "a.gii",
                {"holds no surface", ".surf.gii"});
  expectRefused("\x1f\x8b\x08garbage", "a.vtp.gz", {"gunzip"});
}

TEST_F(HostileMeshes, CutShortAnywhere) {
  const Mesh mesh = ballMesh(3, 1);
  const std::pair<const char*, std::string> files[] = {{"a.vtp", vtpBytes(mesh)},
                                                       {"a.ply", plyBytes(mesh)},
                                                       {"a.stl", stlBytes(mesh)},
                                                       {"a.gii", giftiBytes(mesh)}};
  for (const auto& [name, bytes] : files)
    for (std::size_t length = 1; length + 12 < bytes.size(); length += 37)
      expectRefused(bytes.substr(0, length), name, {name});
}

TEST_F(HostileMeshes, WithCountsThatCannotBe) {
  std::string stl = stlBytes(boxMesh({0, 0, 0}, {1, 1, 1}));
  for (const std::uint32_t count : {13u, 1'000'000u, 39'000'000u, 0xffffffffu}) {
    stl.replace(80, 4, raw(count));
    expectRefused(stl, "a.stl", {"declares"});
  }
  expectRefused(plyText("4000000000"), "a.ply", {"declares"});
  expectRefused(plyText("19000000"), "a.ply", {"ends before"});
  expectRefused(plyText("-3"), "a.ply", {"declares -3"});
  expectRefused(plyText("3.5"), "a.ply", {"not an integer"});
  expectRefused(plyText("3", "99999999999999"), "a.ply", {"ends before"});
  expectRefused(plyText("3", "1", "4000000000 0 1 2"), "a.ply", {"ends before"});
  expectRefused(plyText("3", "1", "-7 0 1 2"), "a.ply", {"-7 corners"});
  expectRefused(replaced(plyBytes(ballMesh(1, 0)), "vertex 6", "vertex 6000000"), "a.ply", {"ends before"});
  expectRefused(replaced(vtpText(), "NumberOfPoints=\"4\"", "NumberOfPoints=\"19000000\""), "a.vtp",
                {"ends before"});
  expectRefused(replaced(vtpText(), "NumberOfPoints=\"4\"", "NumberOfPoints=\"1e300\""), "a.vtp",
                {"not an integer"});
  expectRefused(replaced(vtpText(), "NumberOfPoints=\"4\"", "NumberOfPoints=\"-4\""), "a.vtp",
                {"implausible size of -4"});
  expectRefused(replaced(vtpText(), "NumberOfPolys=\"2\"", "NumberOfPolys=\"39000000\""), "a.vtp",
                {"ends before"});
  expectRefused(vtpText("0 0 0 1 0 0 0 1 0 0 0 1", "0 2 1 0 1 3", "3 2000000000"), "a.vtp", {"declares"});
  expectRefused(giftiText("19000000"), "a.gii", {"ends before"});
  expectRefused(giftiText("99999999999"), "a.gii", {"declares"});
  expectRefused(giftiText("-1"), "a.gii", {"implausible size of -1"});
}

TEST_F(HostileMeshes, WithIndicesOfNoPoint) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (const char* face : {"f 1 2 4", "f 1 2 -4", "f 1 2 99999999999"})
    expectRefused(points + face + "\n", "a.obj", {"a triangle refers to point"});
  for (const char* face : {"f 1 2 0", "f 1 2 x", "f 1 2 1.5", "f 1 2 999999999999999999999"})
    expectRefused(points + face + "\n", "a.obj", {"not a corner of a face"});
  expectRefused(points + "f 1 2\n", "a.obj", {"2 corners"});
  expectRefused(plyText("3", "1", "3 0 1 3"), "a.ply", {"a triangle refers to point 3", "only 3"});
  expectRefused(plyText("3", "1", "3 0 1 -1"), "a.ply", {"a triangle refers to point -1"});
  const std::string places = "0 0 0 1 0 0 0 1 0 0 0 1";
  expectRefused(vtpText(places, "0 2 1 0 1 4"), "a.vtp", {"a triangle refers to point 4"});
  expectRefused(vtpText(places, "0 2 1 0 1 -9"), "a.vtp", {"a triangle refers to point -9"});
  for (const char* ends : {"6 3", "-3 6", "3 -1", "7 6"})
    expectRefused(vtpText(places, "0 2 1 0 1 3", ends), "a.vtp", {"a.vtp"});
  expectRefused(giftiText("4", "ASCII", places, "0 2 1 0 1 2147483647"), "a.gii",
                {"a triangle refers to point"});
  expectRefused(giftiText("4", "ASCII", places, "0 2 1 0 1 -1"), "a.gii", {"a triangle refers to point -1"});
}

TEST_F(HostileMeshes, WithPointsThatLieNowhere) {
  for (const char* bad : {"nan", "inf", "-inf", "1e30", "1e300"}) {
    const std::string places = std::string("0 0 0 1 0 0 0 ") + bad + " 0 0 0 1";
    expectRefused(vtpText(places), "a.vtp", {"an invalid point", "point 2"});
    expectRefused(giftiText("4", "ASCII", places), "a.gii", {"an invalid point"});
    expectRefused(std::string("v 0 0 0\nv 1 0 0\nv 0 0 ") + bad + "\nf 1 2 3\n", "a.obj",
                  {"an invalid point"});
    expectRefused(replaced(plyText(), "0 1 0", std::string(bad) + " 1 0"), "a.ply", {"an invalid point"});
  }
  std::string stl = stlBytes(boxMesh({0, 0, 0}, {1, 1, 1}));
  stl.replace(84 + 12 + 4, 4, raw(NAN));
  expectRefused(stl, "a.stl", {"an invalid point"});
  expectRefused("v 0 0 zero\nf 1 1 1\n", "a.obj", {"'zero' is not a number"});
}

TEST_F(HostileMeshes, WithoutTriangles) {
  expectRefused("v 0 0 0\nv 1 0 0\nl 1 2\n", "a.obj", {"no triangles", "points and lines"});
  expectRefused("v 0 0 0\nv 1 0 0\nf 1 2 1\n", "a.obj", {"no triangles", "same corner twice"});
  expectRefused("solid x\nendsolid x facet\n", "a.stl", {"no triangles"});
  expectRefused(stlBytes({}), "a.stl", {"no triangles"});
}

TEST_F(HostileMeshes, ThatSwellWhenUnpacked) {
  // 40 MB of zeros are compressed to 40 kB, and announced once as a few numbers and once correctly.
  const std::string zeros(40'000'000, '\0'), packed = deflated(zeros);
  const std::string bomb = base64Of(packed);
  ASSERT_LT(bomb.size(), 100'000u);
  expectRefused(giftiText("4", "GZipBase64Binary", bomb), "a.gii", {"compressed data"});
  expectRefused(giftiText("18000000", "GZipBase64Binary", bomb), "a.gii", {"do not fit into"});
  const auto header = [](std::uint32_t size, std::uint32_t stored) {
    return base64Of(raw(std::uint32_t(1)) + raw(size) + raw(std::uint32_t(0)) + raw(stored));
  };
  const auto vtp = [&](const std::string& data, const char* points) {
    std::string text = replaced(vtpText(), "<VTKFile", "<VTKFile compressor=\"vtkZLibDataCompressor\"");
    text = replaced(text, "format=\"ascii\"", "format=\"binary\"");
    text = replaced(text, "NumberOfPoints=\"4\"", std::string("NumberOfPoints=\"") + points + "\"");
    return replaced(text, "0 0 0 1 0 0 0 1 0 0 0 1", data);
  };
  expectRefused(vtp(header(48, std::uint32_t(packed.size())) + bomb, "4"), "a.vtp", {"compressed data"});
  expectRefused(vtp(header(40'000'000, std::uint32_t(packed.size())) + bomb, "4"), "a.vtp",
                {"40000000 bytes instead of 48"});
  expectRefused(vtp(header(228'000'000, std::uint32_t(packed.size())) + bomb, "19000000"), "a.vtp",
                {"do not fit into"});
  expectRefused(vtp(header(48, 0xffffffffu) + bomb, "4"), "a.vtp", {"ends before"});
  expectRefused(vtp(base64Of(raw(0xffffffffu) + raw(1u) + raw(0u)), "4"), "a.vtp", {"a.vtp"});
}

TEST_F(HostileMeshes, ThatAreXmlBombs) {
  std::string text = "<?xml version=\"1.0\"?><!DOCTYPE GIFTI [<!ENTITY a \"aaaaaaaaaa\">";
  for (char c = 'b'; c < 'l'; ++c) {
    text += std::string("<!ENTITY ") + c + " \"";
    for (int i = 0; i < 10; ++i) text += std::string("&") + char(c - 1) + ";";
    text += "\">";
  }
  expectRefused(text + "]><GIFTI>&k;</GIFTI>", "a.gii", {"defines entities"});
  expectRefused(
      "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><GIFTI>&e;</GIFTI>",
      "a.gii", {"defines entities"});
  std::string deep = "<GIFTI>", many = "<VTKFile>";
  for (int i = 0; i < 200'000; ++i) deep += "<a>";
  for (int i = 0; i < 200'000; ++i) many += "<a/>";
  largestRequest = 0;
  expectError([&] { open(deep, "a.gii"); }, {"nested too deeply"});
  expectError([&] { open(many, "a.vtp"); }, {"too many elements"});
}

TEST_F(HostileMeshes, WithMoreAttributesThanAnyFormatHas) {
  std::string many = "<GIFTI";
  for (int i = 0; i < 200'000; ++i) many += " a" + std::to_string(i) + "=\"\"";
  expectError([&] { open(many + "/>", "a.gii"); }, {"too many attributes"});
}

// A name of a hundred thousand letters would block a window.
TEST_F(HostileMeshes, WithNamesThatAreFarTooLong) {
  const std::string longName(100'000, 'n');
  // The ellipsis has three bytes.
  const auto scalarOf = [&](const std::string& bytes, const std::string& name) {
    writeBytes(folder_ / name, bytes);
    const Layer layer = io::openMesh(folder_ / name);
    return std::get<MeshLayer>(layer.content).mesh->pointScalars.begin()->first;
  };
  Mesh mesh = ballMesh(3, 1);
  mesh.pointScalars[longName].resize(mesh.points.size());
  EXPECT_LE(scalarOf(vtpBytes(mesh), "a.vtp").size(), kLongestName + 3);
  EXPECT_LE(scalarOf(giftiBytes(mesh), "a.gii").size(), kLongestName + 3);
  EXPECT_LE(scalarOf(plyBytes(mesh), "a.ply").size(), kLongestName + 3);
}

// A linear search for each would take 1.25 · 10⁹ comparisons.
TEST_F(HostileMeshes, WithFiftyThousandValuesOfOneName) {
  const std::string one =
      "<DataArray Intent=\"NIFTI_INTENT_SHAPE\" DataType=\"NIFTI_TYPE_UINT8\" Dimensionality=\"1\" "
      "Dim0=\"4\" "
      "Encoding=\"ASCII\"><Data>1 2 3 4</Data></DataArray>";
  std::string all;
  for (int i = 0; i < 49'990; ++i) all += one;
  writeBytes(folder_ / "a.gii", replaced(giftiText(), "</GIFTI>", all + "</GIFTI>"));
  const Layer layer = io::openMesh(folder_ / "a.gii");
  const auto& values = std::get<MeshLayer>(layer.content).mesh->pointScalars;
  EXPECT_EQ(values.size(), 49'990u);
  EXPECT_TRUE(values.contains("values 2") && values.contains("values 49990"));
}

TEST_F(HostileMeshes, ThatPointElsewhere) {
  expectRefused(replaced(giftiText(), "Encoding=\"ASCII\"",
                         "Encoding=\"ExternalFileBinary\" ExternalFileName=\"/etc/passwd\""),
                "a.gii", {"in another file", "/etc/passwd"});
  const std::string text = replaced(vtpText(), "format=\"ascii\"", "format=\"appended\" offset=\"99\"");
  expectRefused(replaced(text, "</VTKFile>", "<AppendedData encoding=\"raw\">_abc</AppendedData></VTKFile>"),
                "a.vtp", {"starts after the end of the data"});
  expectRefused(replaced(text, "</VTKFile>", "<AppendedData encoding=\"raw\">_abc"), "a.vtp",
                {"have no end"});
  expectRefused(text, "a.vtp", {"starts after the end of the data"});
}

TEST_F(HostileMeshes, InEncodingsThatAreUnknown) {
  expectRefused(replaced(vtpText(), "Float32", "Bit"), "a.vtp", {"'Bit' is not a number type"});
  expectRefused(replaced(vtpText(), "<VTKFile", "<VTKFile compressor=\"vtkLZ4DataCompressor\""), "a.vtp",
                {"LZ4", "zlib"});
  expectRefused(giftiText("4", "Morse"), "a.gii", {"'Morse' is not a GIFTI encoding"});
  expectRefused(giftiText("4", "Base64Binary", std::string(100, '!')), "a.gii", {"base64"});
  expectRefused(replaced(plyText(), "ascii", "binary_middle_endian"), "a.ply", {"not a PLY format"});
  expectRefused(replaced(plyText(), "uchar int", "uchar complex"), "a.ply", {"'complex' is not a PLY type"});
  expectRefused(replaced(plyText(), "list uchar", "list float"), "a.ply", {"length of a list"});
  expectRefused(replaced(plyText(), "property float y\n", ""), "a.ply", {"no x, y and z"});
  expectRefused(replaced(plyText(), "end_header\n", ""), "a.ply", {"header"});
}

// Its cells would take 1 GB.
TEST(HostileTable, OfOneLongLineTakesNoMoreMemoryThanTheCellsThatAreAllowed) {
  TemporaryFolder folder;
  writeBytes(folder / "a.csv", std::string(32'000'000, ','));
  largestRequest = 0;
  expectError([&] { io::openTable(folder / "a.csv"); }, {"more than 5000000 cells"});
  EXPECT_LT(largestRequest, 400'000'000u);
}

// Each list takes twenty times the memory of its text.
TEST(HostileJson, OfManyEmptyListsIsRefused) {
  std::string lists = "[[]";
  for (int i = 0; i < 10'000'000; ++i) lists += ",[]";
  expectError([&] { parseJson(lists + "]", "'a.json'"); }, {"'a.json' is not valid JSON", "too many values"});
}

TEST_F(HostileMeshes, WithBitsTurned) {
  const Mesh mesh = ballMesh(3, 1);
  const std::pair<const char*, std::string> files[] = {{"a.vtp", vtpBytes(mesh)},
                                                       {"a.ply", plyBytes(mesh)},
                                                       {"a.stl", stlBytes(mesh)},
                                                       {"a.obj", objBytes(mesh)},
                                                       {"a.gii", giftiBytes(mesh)}};
  for (const auto& [name, bytes] : files)
    for (std::size_t at = 0; at < bytes.size(); at += 11) {
      std::string damaged = bytes;
      damaged[at] = char(damaged[at] ^ (1 << at % 8));
      largestRequest = 0;
      try {  // only the number of a coordinate may have changed
        open(damaged, name);
      } catch (const Error& fault) {
        EXPECT_EQ(fault.kind(), ErrorKind::badInput) << fault.what();
      }
      EXPECT_LT(largestRequest, kSmall) << name << " at " << at;
    }
}

}  // namespace
}  // namespace sulcus::io
