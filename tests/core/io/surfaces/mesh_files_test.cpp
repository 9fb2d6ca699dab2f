#include "tests/core/io/io_test_support.h"
#include "tests/core/io/surfaces/meshes.h"
#include "tests/core/io/surfaces/vtk_meshes.h"

#include <fstream>
#include <limits>

#include <vtkCellArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkOBJReader.h>
#include <vtkOBJWriter.h>
#include <vtkPLYReader.h>
#include <vtkPLYWriter.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSTLReader.h>
#include <vtkSTLWriter.h>
#include <vtkStringArray.h>
#include <vtkTypeInt64Array.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLPolyDataWriter.h>

namespace sulcus::io {
namespace {

using namespace test;

const Mesh& meshOf(const Layer& layer) { return *std::get<MeshLayer>(layer.content).mesh; }

Layer layerOf(Mesh mesh) {
  Layer layer;
  layer.name = "surface";
  layer.content = MeshLayer{std::make_shared<const Mesh>(std::move(mesh))};
  return layer;
}

/// A mesh whose coordinates are not short decimals, and with two scalars.
Mesh ballWithScalars() {
  Mesh mesh = ballMesh(7.3f, 2, {1.1f, -20.7f, 33.3f});
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    mesh.pointScalars["displacement"].push_back(std::sin(float(i)));
    mesh.pointScalars["thickness <mm>"].push_back(i == 3 ? std::numeric_limits<float>::quiet_NaN()
                                                         : float(i) / 7);
  }
  return mesh;
}

void expectSamePlaces(const Mesh& a, const Mesh& b) {
  ASSERT_EQ(a.triangles.size(), b.triangles.size());
  for (std::size_t t = 0; t < a.triangles.size(); ++t)
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_EQ(a.points[std::size_t(a.triangles[t][c])], b.points[std::size_t(b.triangles[t][c])])
          << "corner " << c << " of triangle " << t;
}

vtkNew<vtkPolyData> withScalars(const Mesh& mesh) {
  auto poly = test::polyDataOf(mesh);
  for (const auto& [name, values] : mesh.pointScalars) {
    vtkNew<vtkFloatArray> array;
    array->SetName(name.c_str());
    for (const float value : values) array->InsertNextValue(value);
    poly->GetPointData()->AddArray(array);
  }
  return poly;
}

Mesh meshOf(vtkPolyData* poly) {
  Mesh mesh;
  for (vtkIdType i = 0; i < poly->GetNumberOfPoints(); ++i) {
    const double* const p = poly->GetPoint(i);
    mesh.points.push_back({float(p[0]), float(p[1]), float(p[2])});
  }
  vtkCellArray* const cells = poly->GetPolys();
  cells->InitTraversal();
  vtkIdType count = 0;
  const vtkIdType* corners = nullptr;
  while (cells->GetNextCell(count, corners))
    mesh.triangles.push_back({int(corners[0]), int(corners[1]), int(corners[2])});
  return mesh;
}

class MeshFiles : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& name) const { return folder_ / name; }
  Layer open(const std::string& bytes, const std::string& name) {
    writeBytes(file(name), bytes);
    return io::openLayer(file(name));
  }
  void expectRefused(const std::string& bytes, const std::string& name,
                     const std::vector<std::string>& words) {
    expectError([&] { open(bytes, name); }, words);
  }
  std::string saved(const Mesh& mesh, const std::string& name) {
    io::saveLayer(layerOf(mesh), file(name), true);
    std::string bytes = readBytes(file(name));
    std::filesystem::remove(file(name + ".json"));
    return bytes;
  }
  TemporaryFolder folder_;
};

TEST_F(MeshFiles, KeepEveryPointAndTriangle) {
  const Mesh mesh = ballWithScalars();
  for (const char* name : {"surface.vtp", "surface.ply", "surface.obj", "surface.gii"}) {
    io::saveLayer(layerOf(mesh), file(name), true);
    const Layer layer = io::openLayer(file(name));
    EXPECT_EQ(meshOf(layer).points, mesh.points) << name;
    EXPECT_EQ(meshOf(layer).triangles, mesh.triangles) << name;
    EXPECT_EQ(layer.name, "surface");
    EXPECT_EQ(layer.source, file(name).string());
    const std::string sidecar = "'" + std::string(name) + ".json'";
    EXPECT_NE(allNotes(layer).find("RAS+ mm by " + sidecar), std::string::npos) << allNotes(layer);
  }
}

TEST_F(MeshFiles, KeepScalarsWhereTheFormatCan) {
  const Mesh mesh = ballWithScalars();
  for (const char* name : {"surface.vtp", "surface.ply", "surface.gii"}) {
    const Layer layer = open(saved(mesh, name), name);
    const auto& scalars = meshOf(layer).pointScalars;
    ASSERT_EQ(scalars.size(), 2u) << name;
    EXPECT_EQ(scalars.at("displacement"), mesh.pointScalars.at("displacement"));
    const auto& thickness = scalars.rbegin()->second;
    EXPECT_TRUE(std::isnan(thickness[3]));
    EXPECT_EQ(thickness[5], mesh.pointScalars.at("thickness <mm>")[5]);
  }
  for (const char* name : {"surface.vtp", "surface.gii"})
    EXPECT_EQ(meshOf(open(saved(mesh, name), name)).pointScalars.count("thickness <mm>"), 1u) << name;
}

TEST_F(MeshFiles, KeepScalarsApartWhoseNamesAreTakenInPly) {
  Mesh mesh = ballWithScalars();
  mesh.pointScalars.clear();
  float value = 0;
  for (const char* name : {"x", "u", "a b", "a_b"})
    mesh.pointScalars[name] = std::vector<float>(mesh.points.size(), ++value);
  const Layer layer = open(saved(mesh, "surface.ply"), "surface.ply");
  EXPECT_EQ(meshOf(layer).points, mesh.points);
  const auto& scalars = meshOf(layer).pointScalars;
  ASSERT_EQ(scalars.size(), 4u);
  EXPECT_EQ(scalars.at("x_")[0], 1);
  EXPECT_EQ(scalars.at("u_")[0], 2);
  EXPECT_EQ(scalars.at("a_b")[0], 3);
  EXPECT_EQ(scalars.at("a_b_")[0], 4);
}

TEST_F(MeshFiles, KeepNamesAndColorsOfLabelsInVtpAndGifti) {
  const float none = std::numeric_limits<float>::quiet_NaN();
  Mesh mesh = ballMesh(5, 0);
  const auto table = [](LabelTable entries) {
    return std::make_shared<const LabelTable>(std::move(entries));
  };
  mesh.pointScalars["lh.aparc.annot"] = {0, 1, 2, 2, 7, none};
  mesh.labelTables["lh.aparc.annot"] = table({{0, {"unknown", {{25, 5, 25}}}},
                                              {1, {"Gyrus <präzentral>, oben", {{220, 60, 20}}}},
                                              {2, {"", {{1, 2, 3}}}}});
  mesh.pointScalars["parts"] = {1, 1, 2, 2, 3, 3};
  mesh.labelTables["parts"] =
      table({{1, {"front", {}}}, {2, {"", {{1, 2, 3}}}}, {3, {"back", {{0, 255, 9}}}}});
  mesh.pointScalars["thickness"] = {1, 2, 3, 4, 5, 6};
  for (const char* name : {"labels.vtp", "labels.gii"}) {
    SCOPED_TRACE(name);
    io::saveLayer(layerOf(mesh), file(name));
    const Mesh read = meshOf(io::openMesh(file(name)));
    EXPECT_FALSE(read.labelTables.contains("thickness"));
    for (const auto& [scalars, names] : mesh.labelTables) {
      ASSERT_TRUE(read.labelTables.contains(scalars));
      for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        const float before = mesh.pointScalars.at(scalars)[i], now = read.pointScalars.at(scalars)[i];
        const auto entry = names->find(std::int32_t(before));
        if (std::isnan(before)) {
          EXPECT_TRUE(std::isnan(now) || now == 0);
        } else if (entry == names->end()) {
          EXPECT_EQ(now, before) << "a number without a name";
        } else {
          EXPECT_EQ(read.labelTables.at(scalars)->at(std::int32_t(now)), entry->second)
              << scalars << ' ' << i;
        }
      }
    }
  }
  EXPECT_EQ(*meshOf(io::openMesh(file("labels.vtp"))).labelTables.at("parts"), *mesh.labelTables.at("parts"));
  EXPECT_NE(readBytes(file("labels.gii")).find("<Label Key=\"1\" Red=\"0.862745\""), std::string::npos);
  EXPECT_NE(readBytes(file("labels.gii")).find("NIFTI_INTENT_LABEL"), std::string::npos);
}

TEST_F(MeshFiles, OfStlShareThePointsThatAreTheSame) {
  const Mesh mesh = ballMesh(3, 2);
  const Layer layer = open(saved(mesh, "surface.stl"), "surface.stl");
  EXPECT_EQ(meshOf(layer).points.size(), mesh.points.size());
  expectSamePlaces(meshOf(layer), mesh);
  EXPECT_NE(allNotes(layer).find("binary STL"), std::string::npos) << allNotes(layer);
}

TEST_F(MeshFiles, AreReadByVtkAsTheyWereWritten) {
  const Mesh mesh = ballWithScalars();
  const auto check = [&](auto* reader, const std::string& name) {
    io::saveLayer(layerOf(mesh), file(name), true);
    reader->SetFileName(file(name).c_str());
    reader->Update();
    expectSamePlaces(meshOf(reader->GetOutput()), mesh);
  };
  vtkNew<vtkXMLPolyDataReader> vtp;
  check(vtp.Get(), "surface.vtp");
  auto* const scalars = vtp->GetOutput()->GetPointData()->GetArray("displacement");
  ASSERT_NE(scalars, nullptr);
  EXPECT_EQ(float(scalars->GetTuple1(4)), mesh.pointScalars.at("displacement")[4]);
  auto* const space =
      vtkStringArray::SafeDownCast(vtp->GetOutput()->GetFieldData()->GetAbstractArray("SPACE"));
  ASSERT_NE(space, nullptr);
  EXPECT_EQ(space->GetValue(0), "RAS");
  vtkNew<vtkPLYReader> ply;
  check(ply.Get(), "surface.ply");
  vtkNew<vtkSTLReader> stl;
  check(stl.Get(), "surface.stl");
  vtkNew<vtkOBJReader> obj;
  check(obj.Get(), "surface.obj");
}

TEST_F(MeshFiles, OfManyBlocksAreReadByVtkAndByUs) {
  const Mesh mesh = ballMesh(20, 6);
  ASSERT_GT(mesh.triangles.size() * sizeof(mesh.triangles[0]), 3u << 16);  // an array of several blocks
  io::saveLayer(layerOf(mesh), file("large.vtp"), true);
  expectSamePlaces(meshOf(open(saved(mesh, "large.vtp"), "large.vtp")), mesh);
  vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName(file("large.vtp").c_str());
  reader->Update();
  expectSamePlaces(meshOf(reader->GetOutput()), mesh);
}

TEST_F(MeshFiles, ThatVtkWroteAreReadInEveryEncoding) {
  Mesh mesh = ballWithScalars();
  mesh.pointScalars.erase("thickness <mm>");  // VTK does not escape such names, which gives invalid XML
  for (const int mode : {vtkXMLWriter::Ascii, vtkXMLWriter::Binary, vtkXMLWriter::Appended})
    for (const bool zlib : {false, true})
      for (const bool wide : {false, true})
        for (const bool base64 : {false, true}) {
          vtkNew<vtkXMLPolyDataWriter> writer;
          writer->SetInputData(withScalars(mesh));
          writer->SetFileName(file("vtk.vtp").c_str());
          writer->SetDataMode(mode);
          writer->SetCompressorType(zlib ? vtkXMLWriter::ZLIB : vtkXMLWriter::NONE);
          writer->SetHeaderType(wide ? vtkXMLWriter::UInt64 : vtkXMLWriter::UInt32);
          writer->SetBlockSize(1024);
          writer->SetEncodeAppendedData(base64);
          if (wide) writer->SetByteOrderToBigEndian();
          writer->Write();
          const Layer layer = io::openLayer(file("vtk.vtp"));
          EXPECT_EQ(meshOf(layer).triangles, mesh.triangles) << mode << zlib << wide << base64;
          expectSamePlaces(meshOf(layer), mesh);
          EXPECT_EQ(meshOf(layer).pointScalars.at("displacement"), mesh.pointScalars.at("displacement"));
          EXPECT_NE(allNotes(layer).find("Nothing says in which space"), std::string::npos)
              << allNotes(layer);
        }
}

TEST_F(MeshFiles, StateTheirSpaceInFieldDataAs3dSlicerWritesThem) {
  const Mesh mesh = boxMesh({1, 2, 3}, {4, 6, 8});
  for (const int mode : {vtkXMLWriter::Ascii, vtkXMLWriter::Binary, vtkXMLWriter::Appended})
    for (const int compressor : {vtkXMLWriter::NONE, vtkXMLWriter::ZLIB}) {
      const auto poly = withScalars(mesh);
      vtkNew<vtkStringArray> space;
      space->SetName("SPACE");
      space->InsertNextValue("LPS");
      poly->GetFieldData()->AddArray(space);
      vtkNew<vtkXMLPolyDataWriter> writer;
      writer->SetInputData(poly);
      writer->SetFileName(file("slicer.vtp").c_str());
      writer->SetDataMode(mode);
      writer->SetCompressorType(compressor);
      writer->Write();
      const Layer layer = io::openLayer(file("slicer.vtp"));
      EXPECT_EQ(meshOf(layer).points[0], (Vec3<float>{-1, -2, 3})) << mode << compressor;
      EXPECT_NE(allNotes(layer).find("LPS+, turned"), std::string::npos) << allNotes(layer);
    }
}

TEST_F(MeshFiles, ThatVtkWroteAsPlyStlAndObjAreRead) {
  const Mesh mesh = ballMesh(7.3f, 2, {1.5f, -20.25f, 33});
  const auto check = [&](auto* writer, const std::string& name) {
    writer->SetInputData(withScalars(mesh));
    writer->SetFileName(file(name).c_str());
    writer->Write();
    const Mesh read = meshOf(io::openLayer(file(name)));
    ASSERT_EQ(read.triangles.size(), mesh.triangles.size()) << name;
    EXPECT_EQ(read.points.size(), mesh.points.size()) << name;
    EXPECT_NEAR(volumeOf(read), volumeOf(mesh), 1e-3 * volumeOf(mesh)) << name;
  };
  for (const int type : {VTK_ASCII, VTK_BINARY}) {
    vtkNew<vtkPLYWriter> ply;
    ply->SetFileType(type);
    check(ply.Get(), "vtk.ply");
    ply->SetDataByteOrderToBigEndian();
    check(ply.Get(), "vtk.ply");
    vtkNew<vtkSTLWriter> stl;
    stl->SetFileType(type);
    check(stl.Get(), "vtk.stl");
  }
  vtkNew<vtkOBJWriter> obj;
  check(obj.Get(), "vtk.obj");
}

TEST_F(MeshFiles, AreRecognizedWhateverTheyAreCalled) {
  const Mesh mesh = boxMesh({0, 0, 0}, {1, 2, 3});
  for (const char* name : {"surface.vtp", "surface.ply", "surface.stl", "surface.gii"})
    expectSamePlaces(meshOf(open(saved(mesh, name), "renamed.dat")), mesh);
  expectSamePlaces(meshOf(open(saved(mesh, "surface.ply"), "renamed.stl")), mesh);
}

TEST_F(MeshFiles, InLpsAreTurnedAndStayOutsideOut) {
  const Mesh mesh = boxMesh({1, 2, 3}, {4, 6, 8});
  for (const char* name : {"surface.vtp", "surface.ply", "surface.stl", "surface.obj"}) {
    std::string bytes = saved(mesh, name);
    const std::string ras = name == std::string("surface.vtp") ? "82 65 83" : "SPACE=RAS";
    const std::string lps = name == std::string("surface.vtp") ? "76 80 83" : "SPACE=LPS";
    ASSERT_NE(bytes.find(ras), std::string::npos);
    const Layer asWritten = open(bytes, name);
    EXPECT_NE(allNotes(asWritten).find("RAS+ mm by what the file says"), std::string::npos)
        << allNotes(asWritten);
    bytes.replace(bytes.find(ras), ras.size(), lps);
    const Layer layer = open(bytes, name);
    const Mesh& read = meshOf(layer);
    const Vec3<float>&a = read.points[std::size_t(read.triangles[0][0])], &b = mesh.points[0];
    EXPECT_EQ(a, (Vec3<float>{-b.x, -b.y, b.z})) << name;
    EXPECT_NEAR(volumeOf(read), 60, 1e-4) << name;
    EXPECT_NE(allNotes(layer).find("LPS+, turned to RAS+ mm, by what the file says"), std::string::npos);
  }
}

TEST_F(MeshFiles, AreInTheSpaceThatTheirSidecarStates) {
  const Mesh mesh = boxMesh({1, 2, 3}, {4, 6, 8});
  const std::string bytes = saved(mesh, "surface.ply");
  writeBytes(file("surface.json"), R"({"CoordinateSpace": "LPS", "Mine": 5})");
  const Layer layer = open(bytes, "surface.ply");
  EXPECT_EQ(meshOf(layer).points[0], (Vec3<float>{-1, -2, 3}));
  EXPECT_NE(allNotes(layer).find("'surface.json'"), std::string::npos) << allNotes(layer);
  io::saveLayer(layer, file("surface.ply"), true);
  const std::string json = readBytes(file("surface.ply.json"));
  EXPECT_NE(json.find("\"CoordinateSpace\": \"RAS+ mm\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"Mine\": 5"), std::string::npos) << json;
  EXPECT_EQ(meshOf(io::openLayer(file("surface.ply"))).points[0], (Vec3<float>{-1, -2, 3}));
}

/// A tetrahedron as another program writes it, with numbers as text and as base64, in column order.
std::string giftiOf(const std::string& dataSpace, const std::string& transformedSpace,
                    const std::string& matrix) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE GIFTI SYSTEM "
         "\"http://gifti.example/gifti.dtd\">\n"
         "<GIFTI Version=\"1.0\" NumberOfDataArrays=\"2\"><DataArray Intent=\"NIFTI_INTENT_TRIANGLE\" "
         "DataType=\"NIFTI_TYPE_INT32\" Dimensionality=\"2\" Dim0=\"4\" Dim1=\"3\" Encoding=\"ASCII\" "
         "ArrayIndexingOrder=\"RowMajorOrder\"><Data>0 2 1\n0 1 3\n0 3 2\n1 2 3</Data></DataArray>"
         "<DataArray Intent=\"NIFTI_INTENT_POINTSET\" DataType=\"NIFTI_TYPE_FLOAT32\" Dimensionality=\"2\" "
         "Dim0=\"4\" "
         "Dim1=\"3\" Encoding=\"Base64Binary\" Endian=\"BigEndian\" ArrayIndexingOrder=\"ColumnMajorOrder\">"
         "<CoordinateSystemTransformMatrix><DataSpace><![CDATA[" +
         dataSpace + "]]></DataSpace><TransformedSpace><![CDATA[" + transformedSpace +
         "]]></TransformedSpace><MatrixData>" + matrix +
         "</MatrixData></CoordinateSystemTransformMatrix>"
         // The columns are 0 3 0 0, 0 0 3 0 and 0 0 0 3, big-endian.
         "<Data>AAAAAEBAAAAAAAAAAAAAAAAAAAAAAAAAQEAAAAAAAAAAAAAA\nAAAAAAAAAABAQAAA</Data></DataArray></"
         "GIFTI>";
}

/// The metadata in which mris_convert states the volume of a surface, with its center at 5 −20 12.
std::string volumeGeometry(const std::map<std::string, std::string>& axes) {
  std::string entries = "<MetaData>";
  for (const auto& [axis, numbers] : axes) {
    std::istringstream words(numbers);
    for (const char* const end : {"R", "A", "S"}) {
      std::string number;
      words >> number;
      entries += "<MD><Name>VolGeom" + axis + "_" + end + "</Name><Value>" + number + "</Value></MD>";
    }
  }
  return entries + "</MetaData>";
}

TEST_F(MeshFiles, KeepLabelsApartThatAFloatDoesNotHold) {
  const std::string unknown = "NIFTI_XFORM_UNKNOWN";
  std::string text = giftiOf(unknown, unknown, "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1");
  text.insert(
      text.find("<DataArray"),
      "<LabelTable><Label Key=\"312782550\">visual</Label><Label Key=\"1\">root</Label></LabelTable>");
  text.insert(text.rfind("</GIFTI>"),
              "<DataArray Intent=\"NIFTI_INTENT_LABEL\" DataType=\"NIFTI_TYPE_INT32\" Dimensionality=\"1\" "
              "Dim0=\"4\" Encoding=\"ASCII\" ArrayIndexingOrder=\"RowMajorOrder\">"
              "<Data>312782546 312782550 1 312782550</Data></DataArray>");
  std::ofstream(file("atlas.gii")) << text;
  const Mesh mesh = meshOf(io::openMesh(file("atlas.gii")));
  ASSERT_EQ(mesh.labelTables.size(), 1u);
  const auto& [key, table] = *mesh.labelTables.begin();
  const auto nameOf = [&, &key = key, &table = table](std::size_t point) {
    return table->at(Label(mesh.pointScalars.at(key)[point])).name;
  };
  EXPECT_EQ(nameOf(0), "[312782546]");
  EXPECT_EQ(nameOf(1), "visual [312782550]");
  EXPECT_EQ(nameOf(2), "root");
  EXPECT_EQ(mesh.pointScalars.at(key)[1], mesh.pointScalars.at(key)[3]);
  EXPECT_NE(mesh.pointScalars.at(key)[0], mesh.pointScalars.at(key)[1]);
}

TEST_F(MeshFiles, OfVtkKeepLabelsApartThatAFloatDoesNotHold) {
  const Mesh ball = ballMesh(5, 0);
  const vtkTypeInt64 large = 9'007'199'254'740'993;  // 2^53 + 1
  for (const int mode : {vtkXMLWriter::Ascii, vtkXMLWriter::Binary, vtkXMLWriter::Appended}) {
    auto poly = test::polyDataOf(ball);
    vtkNew<vtkTypeInt64Array> labels, few;
    labels->SetName("labels"), few->SetName("few");
    for (std::size_t i = 0; i < ball.points.size(); ++i)
      labels->InsertNextValue(i == 0 ? 1 : large + vtkTypeInt64(i % 2)),
          few->InsertNextValue(-vtkTypeInt64(i));
    poly->GetPointData()->AddArray(labels), poly->GetPointData()->AddArray(few);
    vtkNew<vtkXMLPolyDataWriter> writer;
    writer->SetInputData(poly);
    writer->SetFileName(file("atlas.vtp").c_str());
    writer->SetDataMode(mode);
    writer->Write();
    const Mesh mesh = meshOf(io::openLayer(file("atlas.vtp")));
    ASSERT_EQ(mesh.labelTables.size(), 1u) << "small numbers stay what they are";
    const auto nameAt = [&](std::size_t point) {
      return mesh.labelTables.at("labels")->at(Label(mesh.pointScalars.at("labels")[point])).name;
    };
    EXPECT_EQ(nameAt(2), "[9007199254740993]");
    EXPECT_EQ(nameAt(3), "[9007199254740994]");
    EXPECT_EQ(mesh.pointScalars.at("labels")[0], 1);
    EXPECT_EQ(mesh.pointScalars.at("few")[5], -5);
    io::saveLayer(layerOf(mesh), file("again.vtp"), true);
    EXPECT_EQ(*meshOf(io::openLayer(file("again.vtp"))).labelTables.at("labels"),
              *mesh.labelTables.at("labels"));
  }
}

TEST_F(MeshFiles, OfPlyHaveTheirWholeNumbers) {
  const Mesh mesh = meshOf(
      open("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
           "property uchar red\nproperty int label\nproperty uint atlas\nelement face 1\n"
           "property list uchar int vertex_indices\nend_header\n"
           "0 0 0 9 4 312782546\n1 0 0 9 5 312782550\n0 1 0 9 5 1\n3 0 1 2\n",
           "labels.ply"));
  EXPECT_EQ(mesh.pointScalars.size(), 2u) << "colors are no values";
  EXPECT_EQ(mesh.pointScalars.at("label"), (std::vector<float>{4, 5, 5}));
  EXPECT_EQ(mesh.labelTables.at("atlas")->at(Label(mesh.pointScalars.at("atlas")[1])).name, "[312782550]");
  EXPECT_NE(mesh.pointScalars.at("atlas")[0], mesh.pointScalars.at("atlas")[1]);
}

TEST_F(MeshFiles, OfFreeSurferAsGiftiAreBroughtToScannerSpace) {
  const std::string unknown = "NIFTI_XFORM_UNKNOWN", identity = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1";
  const auto withGeometry = [&](const std::string& metadata) {
    std::string text = giftiOf(unknown, unknown, identity);
    text.insert(text.find("<CoordinateSystem"), metadata);
    return open(text, "lh.surf.gii");
  };
  const std::map<std::string, std::string> straight{
      {"C", "5 -20 12"}, {"X", "-1 0 0"}, {"Y", "0 0 -1"}, {"Z", "0 1 0"}};
  const Layer moved = withGeometry(volumeGeometry(straight));
  EXPECT_EQ(meshOf(moved).points,
            (std::vector<Vec3<float>>{{5, -20, 12}, {8, -20, 12}, {5, -17, 12}, {5, -20, 15}}));
  EXPECT_NE(allNotes(moved).find("FreeSurfer's frame of the surface"), std::string::npos);
  EXPECT_EQ(meshOf(withGeometry(volumeGeometry({{"C", "5 -20 12"}}))).points[1], (Vec3<float>{8, -20, 12}));
  // A volume whose columns run from front to back: opposite to x of the surface.
  const std::map<std::string, std::string> turned{
      {"C", "5 -20 12"}, {"X", "0 -1 0"}, {"Y", "0 0 -1"}, {"Z", "-1 0 0"}};
  EXPECT_EQ(meshOf(withGeometry(volumeGeometry(turned))).points[1], (Vec3<float>{5, -17, 12}));
  EXPECT_EQ(meshOf(withGeometry(volumeGeometry({{"C", "nan 0 1e9"}}))).points[1], (Vec3<float>{3, 0, 0}));
}

TEST_F(MeshFiles, OfGiftiAreBroughtToScannerSpace) {
  const std::string unknown = "NIFTI_XFORM_UNKNOWN", scanner = "NIFTI_XFORM_SCANNER_ANAT";
  const Layer plain = open(giftiOf(unknown, unknown, "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"), "a.surf.gii");
  EXPECT_EQ(meshOf(plain).points, (std::vector<Vec3<float>>{{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {0, 0, 3}}));
  EXPECT_NEAR(volumeOf(meshOf(plain)), 4.5, 1e-5);
  EXPECT_NE(allNotes(plain).find("Nothing says"), std::string::npos);
  // The matrix mirrors the points, so the triangles are also reversed.
  const Layer moved = open(giftiOf(unknown, scanner, "-1 0 0 5 0 2 0 6 0 0 1 7 0 0 0 1"), "a.surf.gii");
  EXPECT_EQ(meshOf(moved).points, (std::vector<Vec3<float>>{{5, 6, 7}, {2, 6, 7}, {5, 12, 7}, {5, 6, 10}}));
  EXPECT_NEAR(volumeOf(meshOf(moved)), 9, 1e-5);
  EXPECT_NE(allNotes(moved).find("Brought to scanner space by its matrix"), std::string::npos);
  // An existing file is kept.
  const Layer there = open(giftiOf(scanner, scanner, "1 0 0 5 0 1 0 6 0 0 1 7 0 0 0 1"), "a.surf.gii");
  EXPECT_EQ(meshOf(there).points[1], (Vec3<float>{3, 0, 0}));
  EXPECT_NE(allNotes(there).find("RAS+ mm by what the file says"), std::string::npos);
  const Layer mni =
      open(giftiOf("NIFTI_XFORM_MNI_152", "NIFTI_XFORM_MNI_152", "1 0 0 5 0 1 0 6 0 0 1 7 0 0 0 1"), "a.gii");
  EXPECT_NE(allNotes(mni).find("those of a template"), std::string::npos);
  expectRefused(giftiOf(unknown, scanner, "0 0 0 5 0 2 0 6 0 0 1 7 0 0 0 1"), "a.gii", {"no inverse"});
  expectRefused(giftiOf(unknown, scanner, "1 0 0 nan 0 2 0 6 0 0 1 7 0 0 0 1"), "a.gii",
                {"an invalid number"});
  expectRefused(giftiOf(unknown, scanner, "1 0 0"), "a.gii", {"it ends where a number"});
}

TEST_F(MeshFiles, WithPolygonsAndStripsBecomeTriangles) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 2 0\n";
  const Mesh square = meshOf(open(points + "vn 0 0 1\nf 1/1/1 2//1 3 4\nf -2 -3 -1\nl 1 2\n", "a.obj"));
  using Triangles = std::vector<std::array<std::int32_t, 3>>;
  EXPECT_EQ(square.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {3, 2, 4}}));
  EXPECT_EQ(meshOf(open(points + "f 1 2 \\\n 3\n", "a.obj")).triangles, (Triangles{{0, 1, 2}}));
  const std::string head =
      "ply\r\nformat ascii 1.0\r\nelement vertex 4\r\nproperty double x\r\nproperty uchar red\r\n"
      "property float y\r\nproperty float z\r\n";
  const std::string vertices = "0 7 0 0\n1 7 0 0\n0 7 1 0\n1 7 1 0\n";
  EXPECT_EQ(meshOf(open(head + "element tristrips 1\nproperty list int int vertex_indices\nend_header\n" +
                            vertices + "8 0 1 2 3 -1 0 2 3\n",
                        "a.ply"))
                .triangles,
            (Triangles{{0, 1, 2}, {2, 1, 3}, {0, 2, 3}}));
  EXPECT_EQ(
      meshOf(
          open(head +
                   "element face 1\nproperty uchar flag\nproperty list uchar int vertex_index\nend_header\n" +
                   vertices + "9 4 0 1 3 2\n",
               "a.ply"))
          .triangles,
      (Triangles{{0, 1, 3}, {0, 3, 2}}));
  const std::string vtp =
      "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"4\" NumberOfStrips=\"1\">"
      "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">"
      "0 0 0 1 0 0 0 1 0 1 1 0</DataArray></Points><Strips>"
      "<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>"
      "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">4</DataArray></Strips>"
      "</Piece></PolyData></VTKFile>";
  EXPECT_EQ(meshOf(open(vtp, "a.vtp")).triangles, (Triangles{{0, 1, 2}, {2, 1, 3}}));
  const Layer layer = open(points + "f 1 1 2\nf 1 2 3\n", "a.obj");
  EXPECT_NE(allNotes(layer).find("Left out 1 triangle with"), std::string::npos);
}

TEST_F(MeshFiles, OfOneNameEachHaveTheirSidecarBesideThatOfAnImage) {
  Layer layer = layerOf(boxMesh({0, 0, 0}, {1, 1, 1}));
  layer.unit = "mm";
  io::saveLayer(layer, file("a.stl"));
  layer.unit = "cm";
  io::saveLayer(layer, file("a.gii"));
  Layer image;
  image.unit = "K";
  image.content = VolumeLayer{std::make_shared<const Series<float>>(Grid{{2, 2, 2}, {}}, 1), {}, 0, {}};
  io::saveLayer(image, file("a.nii.gz"));
  EXPECT_EQ(io::openMesh(file("a.stl")).unit, "mm");
  EXPECT_EQ(io::openMesh(file("a.gii")).unit, "cm");
  EXPECT_EQ(io::openVolume(file("a.nii.gz")).unit, "K");
}

TEST_F(MeshFiles, KeepASidecarThatIsCalledByTheStemUnlessAnImageWouldReplaceIt) {
  const Layer layer = layerOf(boxMesh({0, 0, 0}, {1, 1, 1}));
  io::saveLayer(layer, file("a.stl"));
  std::filesystem::remove(file("a.stl.json"));
  writeBytes(file("a.json"), R"({"SulcusKind": "mesh", "CoordinateSpace": "RAS+ mm", "Units": "mm"})");
  EXPECT_EQ(io::openMesh(file("a.stl")).unit, "mm");
  Layer image;
  image.content = VolumeLayer{std::make_shared<const Series<float>>(Grid{{2, 2, 2}, {}}, 1), {}, 0, {}};
  for (const bool overwrite : {false, true})
    expectError([&] { io::saveLayer(image, file("a.nii.gz"), overwrite); },
                {"a.json' exists already", "it belongs to", "choose another name"});
  EXPECT_FALSE(std::filesystem::exists(file("a.nii.gz")));
}

TEST_F(MeshFiles, AreNotReplacedUnaskedNorSavedUnderOtherEndings) {
  const Layer layer = layerOf(boxMesh({0, 0, 0}, {1, 1, 1}));
  io::saveLayer(layer, file("a.vtp"));
  expectError([&] { io::saveLayer(layer, file("a.vtp")); }, {"a.vtp' exists already"});
  expectError([&] { io::saveLayer(layer, file("b.nii.gz")); }, {"'b.nii.gz'", ".vtp, .ply"},
              ErrorKind::usage);
  expectError([&] { io::saveLayer(layerOf({}), file("c.vtp")); }, {"no triangles"});
  EXPECT_FALSE(std::filesystem::exists(file("c.vtp")));
  EXPECT_EQ(usualExtension(layer), ".vtp");
}

}  // namespace
}  // namespace sulcus::io
