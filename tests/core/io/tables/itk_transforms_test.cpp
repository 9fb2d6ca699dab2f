#include "core/image/transform_table.h"
#include "core/registration/results/registration_maps.h"
#include "tests/core/io/io_test_support.h"

#include <itkAffineTransform.h>
#include <itkEuler3DTransform.h>
#include <itkMatlabTransformIO.h>
#include <itkSimilarity3DTransform.h>
#include <itkTranslationTransform.h>
#include <itkTxtTransformIO.h>
#include <itkVersorRigid3DTransform.h>

namespace sulcus::io {
namespace {

using namespace test;
using AnyTransform = itk::Transform<double, 3, 3>;
using MatrixTransform = itk::MatrixOffsetTransformBase<double, 3, 3>;

template <class Transform>
typename Transform::Pointer made(const std::vector<double>& parameters, const std::vector<double>& fixed) {
  const auto transform = Transform::New();
  typename Transform::FixedParametersType fixedParameters(unsigned(fixed.size()));
  std::copy(fixed.begin(), fixed.end(), fixedParameters.begin());
  transform->SetFixedParameters(fixedParameters);
  typename Transform::ParametersType allParameters(unsigned(parameters.size()));
  std::copy(parameters.begin(), parameters.end(), allParameters.begin());
  transform->SetParameters(allParameters);
  return transform;
}

std::vector<AnyTransform::Pointer> transforms() {
  const std::vector<double> affine{1.1, 0.2, -0.1, 0.05, 0.9, 0.3, -0.2, 0.1, 1.2, 7.25, -3.5, 1e-3},
      euler{0.3, -0.2, 0.5, 4, 5, -6}, similar{0.3, -0.2, 0.5, 4, 5, -6, 1.25}, center{12.5, -40, 3};
  const auto zyx = made<itk::Euler3DTransform<double>>(euler, center);
  zyx->SetComputeZYX(true);
  return {made<itk::AffineTransform<double, 3>>(affine, center).GetPointer(),
          made<MatrixTransform>(affine, {0, 0, 0}).GetPointer(),
          made<itk::Euler3DTransform<double>>(euler, center).GetPointer(),
          zyx.GetPointer(),
          made<itk::VersorRigid3DTransform<double>>(euler, center).GetPointer(),
          made<itk::VersorRigid3DTransform<double>>({0, 0.6, -0.8, 1, 2, 3}, center).GetPointer(),
          made<itk::Similarity3DTransform<double>>(similar, center).GetPointer(),
          made<itk::TranslationTransform<double, 3>>({4, 5, -6}, {}).GetPointer()};
}

/// The file that ITK writes.
template <template <class> class Io>
void write(const AnyTransform* transform, const std::filesystem::path& file) {
  const auto io = Io<double>::New();
  io->SetFileName(file.string());
  io->GetWriteTransformList().push_back(transform);
  io->Write();
}

/// The map by ITK, at a point in RAS.
Vec3<double> mapped(const AnyTransform& transform, const Vec3<double>& p) {
  itk::Point<double, 3> lps;
  lps[0] = -p.x, lps[1] = -p.y, lps[2] = p.z;
  const auto q = transform.TransformPoint(lps);
  return {-q[0], -q[1], q[2]};
}

class ItkTransforms : public testing::Test {
 protected:
  Affine opened(const std::filesystem::path& file) {
    const Layer layer = openLayer(file);
    EXPECT_TRUE(isTransform(layer));
    EXPECT_NE(allNotes(layer).find("LPS"), std::string::npos);
    return transformOf(layer, "test");
  }
  void expectRefused(const std::string& bytes, const std::vector<std::string>& words,
                     const std::string& name = "bad.tfm") {
    SCOPED_TRACE(words.front());
    writeBytes(folder_ / name, bytes);
    expectError([&] { openLayer(folder_ / name); }, words);
  }
  TemporaryFolder folder_;
};

TEST_F(ItkTransforms, MapPointsAsItkDoes) {
  int number = 0;
  for (const auto& transform : transforms()) {
    SCOPED_TRACE(transform->GetTransformTypeAsString() + " " + std::to_string(number++));
    write<itk::TxtTransformIOTemplate>(transform, folder_ / "a.tfm");
    write<itk::MatlabTransformIOTemplate>(transform, folder_ / "a.mat");
    for (const char* name : {"a.tfm", "a.mat"}) {
      const Affine map = opened(folder_ / name);
      for (const Vec3<double>& p : {Vec3<double>{0, 0, 0}, {90, -20, 35}, {-60, 110, -80}})
        EXPECT_LT(norm(map.point(p) - mapped(*transform, p)), 1e-10) << name;
    }
  }
}

/// A MATLAB file of level 4 with arrays of one column.
template <class Number>
std::string matlab(int type, bool swapped,
                   const std::vector<std::pair<std::string, std::vector<double>>>& arrays) {
  std::string file;
  for (const auto& [name, values] : arrays) {
    Bytes bytes;
    bytes.swapped = swapped;
    bytes.put<std::int32_t>(0, type);
    bytes.put<std::int32_t>(4, std::int32_t(values.size()));
    bytes.put<std::int32_t>(8, 1);
    bytes.put<std::int32_t>(12, 0);
    bytes.put<std::int32_t>(16, std::int32_t(name.size() + 1));
    bytes.data += name + '\0';
    for (const double value : values) bytes.put<Number>(bytes.data.size(), Number(value));
    file += bytes.data;
  }
  return file;
}

const std::vector<double> kShift{1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 3, 4};
const char* const kAffineType = "AffineTransform_double_3_3";

TEST_F(ItkTransforms, AreReadInBothByteOrdersAndPrecisions) {
  const std::vector<std::pair<std::string, std::vector<double>>> arrays{{kAffineType, kShift},
                                                                        {"fixed", {5, 6, 7}}};
  for (const auto& bytes : {matlab<double>(0, false, arrays), matlab<double>(1000, true, arrays),
                            matlab<float>(10, false, arrays), matlab<float>(1010, true, arrays)}) {
    writeBytes(folder_ / "shift.mat", bytes);
    EXPECT_EQ(opened(folder_ / "shift.mat").t, (Vec3<double>{-2, -3, 4}));  // in LPS it is 2 3 4
  }
}

TEST_F(ItkTransforms, DamagedMatlabFilesAreRefused) {
  const auto file = [](std::vector<double> parameters, const char* fixed = "fixed",
                       std::vector<double> center = {0, 0, 0}) {
    return matlab<double>(0, false, {{kAffineType, parameters}, {fixed, center}});
  };
  const std::string good = file(kShift);
  for (std::size_t size = 46; size < good.size(); ++size)
    expectRefused(good.substr(0, size), {"is damaged", "it ends before"}, "bad.mat");
  std::vector<double> bad = kShift;
  bad[4] = NAN;
  expectRefused(file(bad), {"not finite"}, "bad.mat");
  bad.pop_back();
  expectRefused(file(bad), {"11 parameters, not 12"}, "bad.mat");
  expectRefused(file(kShift, "moving"), {"second array is not 'fixed'"}, "bad.mat");
  expectRefused(file(kShift, "fixed", {0, 0}), {"2 fixed parameters"}, "bad.mat");
  expectRefused(good + good, {"several transforms"}, "bad.mat");
  expectRefused(good + std::string(100'000, '\0'), {"far longer"}, "bad.mat");
  Bytes huge{good};
  huge.put<std::uint32_t>(4, 0xffffffff);
  huge.put<std::uint32_t>(8, 0xffffffff);
  expectRefused(huge.data, {"declares an array of 4294967295 × 4294967295"}, "bad.mat");
  Bytes complex{good};
  complex.put<std::uint32_t>(12, 1);
  expectRefused(complex.data, {"real numbers"}, "bad.mat");
}

TEST_F(ItkTransforms, TextsThatAreNoLinearTransformAreRefused) {
  const std::string head = "#Insight Transform File V1.0\n#Transform 0\nTransform: ",
                    affine = head + kAffineType, numbers = "\nParameters: 1 0 0 0 1 0 0 0 1 2 3 4",
                    fixed = "\nFixedParameters: 0 0 0\n";
  writeBytes(folder_ / "good.txt", affine + numbers + fixed);
  EXPECT_EQ(opened(folder_ / "good.txt").t, (Vec3<double>{-2, -3, 4}));
  expectRefused(head + "BSplineTransform_double_3_3" + numbers + fixed, {"BSplineTransform", "as an affine"});
  expectRefused(head + "AffineTransform_double_2_2" + numbers + fixed, {"AffineTransform_double_2_2"});
  expectRefused(head + "ScaleVersor3DTransform_double_3_3" + numbers + fixed,
                {"Similarity3DTransform and Tr"});
  const std::string versor = head + "VersorRigid3DTransform_double_3_3";
  expectRefused(versor + "\nParameters: 0.6 0.6 0.6 1 2 3" + fixed, {"is damaged", "longer than 1"});
  expectRefused(versor + numbers + fixed, {"12 parameters, not 6"});
  expectRefused(affine + numbers, {"0 fixed parameters"});
  expectRefused(affine + fixed, {"0 parameters"});
  expectRefused(affine + numbers + " 5" + fixed, {"13 parameters"});
  expectRefused(affine + "\nParameters: 1 0 0 0 1 0 0 0 1 2 3 x" + fixed, {"'x' is not a number"});
  expectRefused(affine + "\nParameters: 1 0 0 0 inf 0 0 0 1 2 3 4" + fixed, {"not finite"});
  expectRefused(affine + numbers + fixed + "#Transform 1\nTransform: " + kAffineType + numbers + fixed,
                {"several transforms"});
  expectRefused(affine + numbers + fixed + std::string(100'000, '\n'), {"far longer"});
  expectRefused("#Insight Transform File V1.0\n", {"of the type ''"});
}

TEST_F(ItkTransforms, OurOwnComeBackWithAllTheirDigits) {
  Affine map;
  map.m = {{{1.25, 0.5, -0.125}, {0, 0.75, 0}, {0.0625, 0, 2}}}, map.t = {-12.5, 30.25, 7};
  map.t.x = 0.1 + 0.2;  // needs 17 digits
  writeBytes(folder_ / "affine.txt", registration::affineText(map));
  EXPECT_EQ(transformOf(openLayer(folder_ / "affine.txt"), "test"), map);
  Layer layer;
  layer.content = transformTable(map);
  saveLayer(layer, folder_ / "saved.tsv");
  EXPECT_EQ(transformOf(openLayer(folder_ / "saved.tsv"), "test"), map);
}

}  // namespace
}  // namespace sulcus::io
