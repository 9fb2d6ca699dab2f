#include "core/io/tables/itk_composite.h"

#include "core/image/transform_table.h"
#include "tests/core/io/io_test_support.h"

#include <random>

#include <hdf5.h>
#include <itkAffineTransform.h>
#include <itkBSplineTransform.h>
#include <itkCompositeTransform.h>
#include <itkDisplacementFieldTransform.h>
#include <itkHDF5TransformIO.h>

namespace sulcus::io {
namespace {

using namespace test;

template <class Number>
struct Made {
  using Transform = itk::Transform<Number, 3, 3>;
  using Composite = itk::CompositeTransform<Number, 3>;
  using Field = itk::DisplacementFieldTransform<Number, 3>;

  static typename Transform::Pointer affine() {
    const auto made = itk::AffineTransform<Number, 3>::New();
    typename Transform::FixedParametersType center(3);
    center[0] = 12, center[1] = -30, center[2] = 5;
    made->SetFixedParameters(center);
    const Number numbers[] = {1.1, 0.2, -0.1, 0.05, 0.9, 0.3, -0.2, 0.1, 1.2, 7.25, -3.5, 1};
    typename Transform::ParametersType parameters(12);
    std::copy(std::begin(numbers), std::end(numbers), parameters.begin());
    made->SetParameters(parameters);
    return made.GetPointer();
  }
  static typename Transform::Pointer shift() {
    const auto made = itk::AffineTransform<Number, 3>::New();
    typename Transform::ParametersType parameters(12);
    const Number numbers[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 4, -5, 3};
    std::copy(std::begin(numbers), std::end(numbers), parameters.begin());
    made->SetParameters(parameters);
    return made.GetPointer();
  }
  /// An oblique field of 6 × 7 × 5 voxels.
  static typename Transform::Pointer field() {
    using Image = typename Field::DisplacementFieldType;
    const auto image = Image::New();
    typename Image::SizeType size;
    size[0] = 6, size[1] = 7, size[2] = 5;
    image->SetRegions(size);
    typename Image::SpacingType spacing;
    spacing[0] = 2, spacing[1] = 2.5, spacing[2] = 3;
    image->SetSpacing(spacing);
    typename Image::PointType origin;
    origin[0] = -40, origin[1] = 10, origin[2] = 33;
    image->SetOrigin(origin);
    typename Image::DirectionType direction;
    const double turn = 0.3;
    direction.SetIdentity();
    direction[0][0] = direction[1][1] = std::cos(turn);
    direction[1][0] = std::sin(turn), direction[0][1] = -std::sin(turn);
    image->SetDirection(direction);
    image->Allocate();
    std::mt19937 numbers(7);
    std::normal_distribution<Number> any(0, 4);
    auto* values = reinterpret_cast<Number*>(image->GetBufferPointer());
    for (int i = 0; i < 3 * 6 * 7 * 5; ++i) values[i] = any(numbers);
    const auto made = Field::New();
    made->SetDisplacementField(image);
    return made.GetPointer();
  }
  static typename Composite::Pointer composite(const std::vector<typename Transform::Pointer>& parts) {
    const auto made = Composite::New();
    for (const auto& part : parts) made->AddTransform(part);
    return made;
  }
  static void write(const Transform* transform, const std::filesystem::path& file) {
    const auto io = itk::HDF5TransformIOTemplate<Number>::New();
    io->SetFileName(file.string());
    io->GetWriteTransformList().push_back(transform);
    io->Write();
  }
};

class ItkComposite : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_ / "to_template.h5"; }

  /// Whether the opened displacement moves points as ITK does.
  template <class Number>
  void expectSame(const itk::Transform<Number, 3, 3>& transform) {
    Made<Number>::write(&transform, file());
    const Layer layer = openLayer(file());
    EXPECT_EQ(layer.name, "to_template");
    EXPECT_EQ(layer.source, file().string());
    EXPECT_EQ(layer.unit, "mm");
    ASSERT_TRUE(std::holds_alternative<DisplacementLayer>(layer.content));
    const Series<float>& field = *std::get<DisplacementLayer>(layer.content).displacement;
    ASSERT_EQ(field.grid.voxels(), 6 * 7 * 5);
    ASSERT_EQ(field.count, 3);
    for (std::int64_t i = 0; i < field.grid.voxels(); ++i) {
      const Vec3<int> v = field.grid.voxel(i);
      const Vec3<double> p = field.grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
      itk::Point<Number, 3> lps;
      lps[0] = Number(-p.x), lps[1] = Number(-p.y), lps[2] = Number(p.z);
      const auto q = transform.TransformPoint(lps);
      const Vec3<double> u{-q[0] - p.x, -q[1] - p.y, q[2] - p.z};
      EXPECT_LT(norm(u - Vec3<double>{field.at(i, 0), field.at(i, 1), field.at(i, 2)}), 2e-4) << i;
    }
  }
  TemporaryFolder folder_;
};

TEST_F(ItkComposite, MovesPointsAsItkDoes) {
  using Double = Made<double>;
  using Single = Made<float>;
  expectSame<double>(*Double::field());
  expectSame<double>(
      *Double::composite({Double::affine(), Double::field()}));  // as ANTs writes the forward one
  expectSame<double>(*Double::composite({Double::field(), Double::affine()}));  // and for the inverse one
  expectSame<double>(*Double::composite({Double::affine(), Double::field(), Double::affine()}));
  expectSame<float>(*Single::composite({Single::affine(), Single::field()}));
  // The point moved by the first field is between voxels of the second one, or outside it.
  expectSame<double>(*Double::composite({Double::field(), Double::field()}));
  expectSame<double>(*Double::composite(
      {Double::affine(), Double::field(), Double::shift(), Double::field(), Double::affine()}));
}

TEST_F(ItkComposite, WithoutAFieldIsALinearTransform) {
  using Double = Made<double>;
  const auto both = Double::composite({Double::affine(), Double::affine()});
  Double::write(both, file());
  const Affine map = transformOf(openLayer(file()), "test");
  itk::Point<double, 3> lps;
  lps[0] = 10, lps[1] = 20, lps[2] = -30;
  const auto q = both->TransformPoint(lps);
  EXPECT_LT(norm(map.point({-10, -20, -30}) - Vec3<double>{-q[0], -q[1], q[2]}), 1e-9);
}

TEST_F(ItkComposite, RefusesWhatItCannotTell) {
  using Double = Made<double>;
  const auto spline = itk::BSplineTransform<double, 3>::New();
  Double::write(spline, file());
  expectError([&] { openLayer(file()); }, {"to_template.h5", "BSplineTransform"});
  writeBytes(file(), "\x89HDF\r\n\x1a\n and nothing else");
  expectError([&] { openLayer(file()); }, {"to_template.h5", "holds no transform of ITK"});
}

TEST_F(ItkComposite, RefusesNumbersThatAreNotInTheFile) {
  using Double = Made<double>;
  Double::write(Double::affine(), file());
  const auto replaceParameters = [&](hid_t how) {
    const hid_t made = H5Fopen(file().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const char* const name = "/TransformGroup/0/TransformParameters";
    H5Ldelete(made, name, H5P_DEFAULT);
    const hsize_t size = 12;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    H5Dclose(H5Dcreate2(made, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT));
    H5Sclose(space), H5Fclose(made);
  };
  replaceParameters(H5P_DEFAULT);  // created, and never written
  expectError([&] { openLayer(file()); }, {"to_template.h5", "are not in the file"});
  const hsize_t size = 12;
  const hid_t space = H5Screate_simple(1, &size, nullptr), how = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(how, space, "other.h5", "/numbers", space);
  replaceParameters(how);
  expectError([&] { openLayer(file()); }, {"to_template.h5", "are not in the file"});
  const hid_t external = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(external, "numbers.raw", 0, 96);
  replaceParameters(external);
  expectError([&] { openLayer(file()); }, {"to_template.h5", "are not in the file"});
}

TEST_F(ItkComposite, WhateverADamagedFileHoldsIsASentence) {
  using Double = Made<double>;
  Double::write(Double::composite({Double::affine(), Double::field()}), file());
  const std::string whole = readBytes(file());
  std::mt19937 random(3);
  for (int turn = 0; turn < 40; ++turn) {
    std::string bytes = whole;
    if (turn % 4 == 0) bytes.resize(8 + random() % (bytes.size() - 8));
    for (int i = 0; i < 3; ++i) bytes[8 + random() % (bytes.size() - 8)] = char(random());
    writeBytes(file(), bytes);
    try {
      openLayer(file());
    } catch (const Error& fault) {
      EXPECT_NE(std::string(fault.what()).find("to_template.h5"), std::string::npos) << fault.what();
    }
  }
}

}  // namespace
}  // namespace sulcus::io
