#include "tests/core/toolkits/itk_linear.h"

#include "core/registration/deformation/pyramid.h"
#include "core/registration/linear/linear_frame.h"
#include "core/registration/preparation/intensity.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <vector>

#include <itkAffineTransform.h>
#include <itkEuler2DTransform.h>
#include <itkEuler3DTransform.h>
#include <itkImage.h>
#include <itkImageMaskSpatialObject.h>
#include <itkImageRegistrationMethodv4.h>
#include <itkImportImageFilter.h>
#include <itkMattesMutualInformationImageToImageMetricv4.h>
#include <itkRegularStepGradientDescentOptimizerv4.h>
#include <vnl/algo/vnl_svd.h>

namespace sulcus::test {
namespace {

using registration::finestEdge, registration::longAxes;
using Frame = registration::ObjectFrame;

// Lengths called radii are in units of the object's radius, see ObjectFrame.
constexpr double kSamples = 5e4;         // maximum number of voxels that are compared
constexpr int kBins = 32;                // bins of the histograms
constexpr int kIterations = 100;         // maximum at each level
constexpr double kLargestStep = 0.05;    // radii; with longer steps some rigid searches end early
constexpr double kSmallestStep = 0.001;  // radii; a level ends at shorter steps
constexpr double kCoarseVoxel = 0.25;    // radii, at the first level
constexpr double kFineVoxel = 0.125;     // radii, at the second level
constexpr double kFinestVoxel = 0.083;   // radii; images of finer voxels are halved first
constexpr double kBrightest = 0.999;     // quantile of the foreground above which intensities are cut off

/// An ITK image of D dimensions of the values on a grid, placed in `frame`. It refers to the values and does
/// not copy them.
template <unsigned D, class T>
typename itk::Image<T, D>::Pointer imageOf(const Grid& grid, const std::vector<T>& values,
                                           const Frame& frame) {
  const auto axes = longAxes(grid.size);
  const auto import = itk::ImportImageFilter<T, D>::New();
  typename itk::Image<T, D>::RegionType region;
  typename itk::Image<T, D>::SpacingType spacing;
  typename itk::Image<T, D>::PointType origin;
  typename itk::Image<T, D>::DirectionType direction;
  for (unsigned j = 0; j < D; ++j) {
    const Vec3<double> edge = grid.worldFromVoxel.column(axes[j]);
    region.SetSize(j, itk::SizeValueType(grid.size[axes[j]]));
    spacing[j] = norm(edge) / frame.unit;
    origin[j] = dot(frame.axes[j], grid.worldFromVoxel.t - frame.center) / frame.unit;
    for (unsigned i = 0; i < D; ++i) direction(i, j) = dot(frame.axes[i], edge) / norm(edge);
  }
  import->SetRegion(region);
  import->SetSpacing(spacing);
  import->SetOrigin(origin);
  import->SetDirection(direction);
  import->SetImportPointer(const_cast<T*>(values.data()), values.size(), false);
  import->Update();
  return import->GetOutput();
}

/// The metric of Mattes, summed in one order, so that the result does not depend on the number of threads.
/// SetMaximumNumberOfWorkUnits() of ITK 5.2 does not suffice: it limits the threads, but the partition of the
/// work still depends on the machine.
template <class Image>
class Metric : public itk::MattesMutualInformationImageToImageMetricv4<Image, Image> {
 public:
  using Self = Metric;
  using Pointer = itk::SmartPointer<Self>;
  itkSimpleNewMacro(Self);

 private:
  Metric() { this->m_SparseGetValueAndDerivativeThreader->SetNumberOfWorkUnits(1); }
};

/// A rigid or a general linear map.
template <unsigned D>
using Linear = itk::MatrixOffsetTransformBase<double, D, D>;

template <unsigned D>
struct ImageOverlay {
  using Image = itk::Image<float, D>;
  typename Image::Pointer reference, moving;
  typename itk::ImageMaskSpatialObject<D>::Pointer mask;  ///< where they are compared; null: everywhere
};

/// Optimizes `transform` at one level for each voxel width, in radii.
template <unsigned D>
void optimize(const ImageOverlay<D>& images, Linear<D>* transform, const std::vector<double>& voxels,
              const Progress& progress) {
  using Image = typename ImageOverlay<D>::Image;
  using Method = itk::ImageRegistrationMethodv4<Image, Image>;
  const auto metric = Metric<Image>::New();
  metric->SetNumberOfHistogramBins(kBins);
  metric->SetUseMovingImageGradientFilter(false);  // gradients are computed at the samples only
  metric->SetUseFixedImageGradientFilter(false);
  if (images.mask) metric->SetFixedImageMask(images.mask);

  const auto optimizer = itk::RegularStepGradientDescentOptimizerv4<double>::New();
  optimizer->SetNumberOfIterations(kIterations);
  optimizer->SetLearningRate(kLargestStep);
  optimizer->SetMinimumStepLength(kSmallestStep);
  optimizer->SetRelaxationFactor(0.8);
  optimizer->SetReturnBestParametersAndValue(true);
  optimizer->SetNumberOfWorkUnits(1);

  const auto method = Method::New();
  method->SetFixedImage(images.reference);
  method->SetMovingImage(images.moving);
  method->SetMetric(metric);
  method->SetOptimizer(optimizer);
  method->SetInitialTransform(transform);
  method->InPlaceOn();
  method->SetNumberOfLevels(voxels.size());
  typename Method::SmoothingSigmasArrayType sigmas(voxels.size());
  typename Method::MetricSamplingPercentageArrayType shares(voxels.size());
  const auto size = images.reference->GetLargestPossibleRegion().GetSize();
  for (unsigned level = 0; level < voxels.size(); ++level) {
    typename Method::ShrinkFactorsPerDimensionContainerType factors;
    double count = 1;
    for (unsigned i = 0; i < D; ++i) {
      factors[i] = unsigned(std::clamp(std::round(voxels[level] / images.reference->GetSpacing()[i]), 1.0,
                                       std::max(1.0, double(size[i]) / 8)));
      count *= std::max(1.0, double(size[i]) / factors[i]);
    }
    method->SetShrinkFactorsPerDimension(level, factors);
    sigmas[level] = 0.5 * voxels[level];
    shares[level] = std::min(1.0, kSamples / count);
  }
  method->SetSmoothingSigmasPerLevel(sigmas);
  method->SmoothingSigmasAreSpecifiedInPhysicalUnitsOn();
  method->SetMetricSamplingStrategy(Method::MetricSamplingStrategyEnum::REGULAR);
  method->SetMetricSamplingPercentagePerLevel(shares);
  method->MetricSamplingReinitializeSeed(1);

  optimizer->AddObserver(itk::IterationEvent(), [&](const itk::EventObject&) {
    const double level = double(method->GetCurrentLevel());
    progress.update((level + double(optimizer->GetCurrentIteration()) / kIterations) / double(voxels.size()));
  });
  method->Update();
  progress.update(1);
}

/// A transform between two frames as a map of points in mm, RAS+.
template <unsigned D>
Affine worldMap(const Linear<D>& transform, const Frame& to, const Frame& from) {
  Affine map;
  for (unsigned r = 0; r < 3; ++r)
    for (unsigned c = 0; c < 3; ++c) {
      double& entry = map.m[r][c];
      entry = D == 2 ? to.axes[2][int(r)] * from.axes[2][int(c)] : 0;
      for (unsigned i = 0; i < D; ++i)
        for (unsigned j = 0; j < D; ++j)
          entry += to.axes[i][int(r)] * transform.GetMatrix()(i, j) * from.axes[j][int(c)];
    }
  map.t = to.center - map.vector(from.center);
  for (unsigned i = 0; i < D; ++i) map.t = map.t + (to.unit * transform.GetOffset()[i]) * to.axes[i];
  return map;
}

/// A map of points in mm, RAS+, as a transform between two frames; for a plane, its part within the plane.
template <unsigned D>
void setToWorldMap(Linear<D>& transform, const Affine& map, const Frame& to, const Frame& from) {
  typename Linear<D>::MatrixType matrix;
  typename Linear<D>::OutputVectorType offset;
  const Vec3<double> center = map.point(from.center) - to.center;
  for (unsigned i = 0; i < D; ++i) {
    for (unsigned j = 0; j < D; ++j) matrix(i, j) = dot(to.axes[i], map.vector(from.axes[j]));
    offset[i] = dot(to.axes[i], center) / to.unit;
  }
  transform.SetMatrix(matrix);
  transform.SetOffset(offset);
}

/// Replaces the matrix of a transform by the nearest rotation, U V' of its singular value decomposition.
template <unsigned D>
void makeRigid(Linear<D>& transform) {
  const vnl_svd<double> svd(transform.GetMatrix().GetVnlMatrix().as_matrix());
  transform.SetMatrix(typename Linear<D>::MatrixType(svd.U() * svd.V().transpose()));
}

template <unsigned D>
Affine align(const ImageOverlay<D>& images, const Frame& to, const Frame& from,
             registration::LinearAlignment kind, const std::optional<Affine>& initial,
             const Progress& progress) {
  const bool general = kind == registration::LinearAlignment::affine;
  const auto affine = itk::AffineTransform<double, D>::New();
  if (initial) setToWorldMap<D>(*affine, *initial, to, from);
  double begun = 0;
  if (!general || !initial) {
    makeRigid<D>(*affine);
    const auto rigid =
        std::conditional_t<D == 2, itk::Euler2DTransform<double>, itk::Euler3DTransform<double>>::New();
    rigid->SetMatrix(affine->GetMatrix());
    rigid->SetOffset(affine->GetOffset());
    if (general) begun = 0.3;
    optimize<D>(images, static_cast<Linear<D>*>(rigid),
                general ? std::vector{kCoarseVoxel} : std::vector{kCoarseVoxel, kFineVoxel},
                progress.part(0, general ? begun : 1, "Rigid pre-alignment"));
    if (!general) return worldMap<D>(*rigid, to, from);
    affine->SetMatrix(rigid->GetMatrix());
    affine->SetOffset(rigid->GetOffset());
  }
  optimize<D>(images, static_cast<Linear<D>*>(affine), {kCoarseVoxel, kFineVoxel},
              progress.part(begun, 1, "Affine pre-alignment"));
  return worldMap<D>(*affine, to, from);
}

/// The part of an image that is compared.
struct Content {
  Grid grid;
  /// The brightest intensities are cut off, since they would leave few bins of the histogram for all others.
  std::vector<float> values;
  std::vector<std::uint8_t> compared;  ///< one value per voxel, not 0 where it is compared
  Frame frame;
};

Content contentOf(const Series<float>& image, const Mask* mask) {
  const std::vector<std::uint8_t> all(std::size_t(image.grid.voxels()), 1);
  Content content{image.grid, image.values, mask ? mask->values : all, {}};
  const auto& compared = content.compared;
  const auto brightest = float(registration::foregroundQuantile(
      image.values, compared, registration::foregroundThreshold(image.values, compared), kBrightest));
  for (float& value : content.values) value = std::min(value, brightest);
  content.frame = registration::frameOf(image, "image", {});
  return content;
}

/// Halves the grid as long as its voxels are not wider than kFinestVoxel.
void coarsen(Content& content, const Progress& progress) {
  for (;;) {
    const Grid next = registration::coarser(content.grid);
    if (next.size == content.grid.size || finestEdge(next) > kFinestVoxel * content.frame.unit) return;
    const std::vector<std::uint8_t> all(content.values.size(), 1);
    content.values = registration::coarsened(content.values, all, content.grid, next, progress);
    content.compared = registration::coarsened(content.compared, content.grid, next);
    content.grid = next;
  }
}

template <unsigned D>
Affine aligned(const Series<float>& templateImage, const Series<float>& reference, const Mask* mask,
               registration::LinearAlignment kind, const std::optional<Affine>& initial,
               const Progress& progress) {
  Content moving = contentOf(templateImage, nullptr), fixed = contentOf(reference, mask);
  moving.frame.unit = fixed.frame.unit;
  if (D == 2) {
    registration::alignToPlane(fixed.frame, reference.grid, nullptr);
    const Frame turned = initial ? registration::carried(fixed.frame, *initial) : fixed.frame;
    registration::alignToPlane(moving.frame, templateImage.grid, &turned);
  }
  coarsen(moving, progress.part(0, 0, "Pre-alignment")), coarsen(fixed, progress.part(0, 0, "Pre-alignment"));

  ImageOverlay<D> images;
  images.reference = imageOf<D>(fixed.grid, fixed.values, fixed.frame);
  images.moving = imageOf<D>(moving.grid, moving.values, moving.frame);
  if (mask) {
    images.mask = itk::ImageMaskSpatialObject<D>::New();
    images.mask->SetImage(imageOf<D>(fixed.grid, fixed.compared, fixed.frame));
    images.mask->Update();
  }
  return align(images, moving.frame, fixed.frame, kind, initial, progress);
}

}  // namespace

Affine itkAlignLinearly(const Series<float>& templateImage, const Series<float>& reference,
                        const registration::LinearMasks& masks, const registration::LinearOptions& options,
                        const std::optional<Affine>& initial, const Progress& progress) {
  return longAxes(reference.grid.size).size() == 2
             ? aligned<2>(templateImage, reference, masks.ofReference, options.kind, initial, progress)
             : aligned<3>(templateImage, reference, masks.ofReference, options.kind, initial, progress);
}

}  // namespace sulcus::test
