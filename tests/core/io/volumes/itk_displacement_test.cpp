// Fields written by the project are used by ITK's own readers, transforms and filters.
#include "core/registration/preparation/resample.h"
#include "tests/core/io/io_test_support.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <gtest/gtest.h>
#include <itkDisplacementFieldTransform.h>
#include <itkImage.h>
#include <itkImageFileReader.h>
#include <itkImageRegionConstIterator.h>
#include <itkMetaImageIO.h>
#include <itkNiftiImageIO.h>
#include <itkNrrdImageIO.h>
#include <itkResampleImageFilter.h>
#include <itkWarpImageFilter.h>

namespace sulcus::io {
namespace {

using ItkImage = itk::Image<float, 3>;
using ItkField = itk::Image<itk::Vector<float, 3>, 3>;

struct GridPair {
  const char* name;
  const char* extension;
  Vec3<double> templateStep, referenceStep;  ///< mm; negative when the axis runs to the left, back or down
  double degrees;                            ///< rotation of both grids
};

void PrintTo(const GridPair& c, std::ostream* out) { *out << c.name; }

/// A grid that is rotated about an axis other than its own.
Grid obliqueGrid(const Vec3<int>& size, const Vec3<double>& step, double degrees) {
  const double angle = degrees * M_PI / 180, c = std::cos(angle), s = std::sin(angle),
               n = 1 / std::sqrt(14.0);
  const Vec3<double> axis{n, 2 * n, 3 * n};
  Grid grid;
  grid.size = size;
  Vec3<double> middle{};
  for (int j = 0; j < 3; ++j) {
    Vec3<double> e{};
    e[j] = 1;
    const Vec3<double> turned = c * e + s * cross(axis, e) + ((1 - c) * dot(axis, e)) * axis;
    for (int i = 0; i < 3; ++i) grid.worldFromVoxel.m[std::size_t(i)][std::size_t(j)] = step[j] * turned[i];
    middle = middle + (0.5 * step[j] * (size[j] - 1)) * turned;
  }
  grid.worldFromVoxel.t = Vec3<double>{7, -3, 11} - middle;
  return grid;
}

/// An image that varies along all directions.
Series<float> waves(const Grid& grid, int count, double size) {
  Series<float> result(grid, count);
  for (int c = 0; c < count; ++c)
    for (std::int64_t i = 0; i < grid.voxels(); ++i) {
      const Vec3<int> v = grid.voxel(i);
      const auto p = grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
      result.at(i, c) =
          float(size * std::sin(0.11 * p.x + 0.05 * p.y + c) * std::cos(0.07 * p.z - 0.04 * p.y + 2 * c));
    }
  return result;
}

itk::ImageIOBase::Pointer formatOf(const std::string& extension) {
  if (extension == ".nrrd") return itk::NrrdImageIO::New().GetPointer();
  if (extension == ".mha") return itk::MetaImageIO::New().GetPointer();
  return itk::NiftiImageIO::New().GetPointer();
}

template <class Image>
typename Image::Pointer readByItk(const std::filesystem::path& file, const std::string& extension) {
  const auto reader = itk::ImageFileReader<Image>::New();
  reader->SetImageIO(formatOf(extension));
  reader->SetFileName(file.string());
  reader->Update();
  return reader->GetOutput();
}

class ItkDisplacement : public testing::TestWithParam<GridPair> {
 protected:
  Grid templateGrid = obliqueGrid({23, 31, 19}, GetParam().templateStep, GetParam().degrees);
  Grid grid = obliqueGrid({20, 18, 26}, GetParam().referenceStep, -0.7 * GetParam().degrees);
  Series<float> image = waves(templateGrid, 1, 100), displacement = waves(grid, 3, 4);
  Series<float> warped =
      registration::displaced(image, displacement, registration::Interpolation::linear, 0, {});
  test::TemporaryFolder folder;

  std::filesystem::path written(const char* name, LayerContent content, const std::string& extension) {
    Layer layer;
    layer.content = std::move(content);
    std::filesystem::path file = folder / (name + extension);
    saveLayer(layer, file);
    return file;
  }
  ItkField::Pointer field() {
    const auto& extension = GetParam().extension;
    return readByItk<ItkField>(
        written("field", DisplacementLayer{std::make_shared<const Series<float>>(displacement)}, extension),
        extension);
  }
  ItkImage::Pointer templateImage() {
    return readByItk<ItkImage>(
        written("template", VolumeLayer{std::make_shared<const Series<float>>(image), {}, 0, {}}, ".nii.gz"),
        ".nii.gz");
  }
  /// Compares voxel by voxel, except the few so near to the border of the template that rounding decides.
  void expectWarped(const ItkImage& theirs) {
    ASSERT_EQ(theirs.GetLargestPossibleRegion().GetNumberOfPixels(), warped.values.size());
    std::size_t i = 0, inside = 0, different = 0;
    itk::ImageRegionConstIterator<ItkImage> at(&theirs, theirs.GetLargestPossibleRegion());
    for (; !at.IsAtEnd(); ++at, ++i) {
      inside += warped.values[i] != 0;
      different += !(std::abs(at.Get() - warped.values[i]) < 2e-3);  // the values are within ±100
    }
    EXPECT_GT(inside, warped.values.size() / 2);
    EXPECT_LE(different, 2u);
  }
};

TEST_P(ItkDisplacement, WarpsTheTemplateAsWeDo) {
  const auto field = this->field();
  const auto warp = itk::WarpImageFilter<ItkImage, ItkImage, ItkField>::New();
  warp->SetInput(templateImage());
  warp->SetDisplacementField(field);
  warp->SetOutputParametersFromImage(field);
  warp->Update();
  expectWarped(*warp->GetOutput());
}

TEST_P(ItkDisplacement, IsATransformOfItk) {
  using ItkDouble = itk::Image<itk::Vector<double, 3>, 3>;
  const auto field = readByItk<ItkDouble>(
      written("field", DisplacementLayer{std::make_shared<const Series<float>>(displacement)},
              GetParam().extension),
      GetParam().extension);
  const auto transform = itk::DisplacementFieldTransform<double, 3>::New();
  transform->SetDisplacementField(field);
  const auto resample = itk::ResampleImageFilter<ItkImage, ItkImage>::New();
  resample->SetInput(templateImage());
  resample->SetTransform(transform);
  resample->SetOutputParametersFromImage(field);
  resample->Update();
  expectWarped(*resample->GetOutput());
}

TEST_P(ItkDisplacement, IsReadInTheFrameOfItk) {
  const auto field = this->field();
  std::int64_t i = 0;
  itk::ImageRegionConstIterator<ItkField> at(field, field->GetLargestPossibleRegion());
  for (; !at.IsAtEnd(); ++at, ++i) {
    ASSERT_EQ(at.Get()[0], -displacement.at(i, 0));
    ASSERT_EQ(at.Get()[1], -displacement.at(i, 1));
    ASSERT_EQ(at.Get()[2], displacement.at(i, 2));
  }
}

TEST_P(ItkDisplacement, BySlicersConventionIsFiveDimensionsInRas) {
  // ITK 5.2 does not read intent 1006 as a vector; later versions, such as that of Slicer, turn it into LPS.
  using Flat = itk::Image<float, 5>;
  const auto flat = readByItk<Flat>(
      written("field",
              DisplacementLayer{std::make_shared<const Series<float>>(displacement), FieldConvention::slicer},
              ".nii.gz"),
      ".nii.gz");
  const auto size = flat->GetLargestPossibleRegion().GetSize();
  EXPECT_EQ(size[3], 1u);
  ASSERT_EQ(size[4], 3u);
  ASSERT_EQ(size[0] * size[1] * size[2], std::size_t(grid.voxels()));
  EXPECT_TRUE(std::equal(displacement.values.begin(), displacement.values.end(), flat->GetBufferPointer()));
}

INSTANTIATE_TEST_SUITE_P(
    Grids, ItkDisplacement,
    testing::Values(GridPair{"Straight", ".nii.gz", {2, 2, 2}, {2, 2, 2}, 0},
                    GridPair{"Flipped", ".nii.gz", {-2, 2, 2}, {2, -2, -2}, 0},
                    GridPair{"Bricks", ".nii", {1.5, 2, 3}, {3, 2.2, 1.4}, 0},
                    GridPair{"Oblique", ".nii.gz", {2, 2, 2.5}, {2.2, 2, 1.8}, 25},
                    GridPair{"ObliqueAndFlipped", ".nii.gz", {-2, 1.7, 2.4}, {2, -2.1, 1.9}, 40},
                    GridPair{"Nrrd", ".nrrd", {-2, 1.7, 2.4}, {2, -2.1, 1.9}, 40},
                    GridPair{"MetaImage", ".mha", {-2, 1.7, 2.4}, {2, -2.1, 1.9}, 40}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace sulcus::io
