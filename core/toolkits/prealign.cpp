#include "core/toolkits/prealign.h"

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/registration/intensity.h"
#include "core/registration/pyramid.h"
#include "core/toolkits/itk_reason.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
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

namespace sulcus::toolkits {
namespace {

// Lengths called radii are in units of the object's radius, see frameOf().
constexpr double kSamples = 5e4;         // largest number of voxels that are compared
constexpr int kBins = 32;                // bins of the histograms
constexpr int kIterations = 100;         // largest number at each level
constexpr double kLargestStep = 0.05;    // radii; with larger steps some rigid searches end early
constexpr double kSmallestStep = 0.001;  // radii; a level ends at shorter steps
constexpr double kCoarseVoxel = 0.25;    // radii, at the first level
constexpr double kFineVoxel = 0.125;     // radii, at the second level
constexpr double kFinestVoxel = 0.083;   // radii; images of finer voxels are halved first
constexpr double kBrightest = 0.999;     // quantile of the foreground above which intensities are cut off
constexpr double kSmallestRadius = 0.5;  // voxels; smaller objects have no shape to be aligned by
constexpr double kLargestChange = 8;     // largest ratio of volumes of a credible alignment
constexpr double kSmallestCosine = 0.5 * std::numbers::sqrt2;  // between the normals of two planes

/// The axes in which an image is handed to ITK, with the origin at its centre of mass and a unit of `unit`
/// mm. In such units a change of a matrix entry and a change of the translation move the object by similar
/// amounts, as a gradient descent needs.
struct Frame {
  Vec3<double> centre;  ///< mm, RAS+
  /// Unit vectors; the last one of a plane is its normal.
  std::array<Vec3<double>, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  double unit = 1;  ///< mm
};

/// The axes of a grid along which there is more than one voxel.
std::vector<int> longAxes(const Vec3<int>& size) {
  std::vector<int> axes;
  for (int i = 0; i < 3; ++i)
    if (size[i] > 1) axes.push_back(i);
  return axes;
}

/// The shortest edge of a voxel along the longAxes(), mm.
double finestEdge(const Grid& grid) {
  double finest = std::numeric_limits<double>::infinity();
  for (const int axis : longAxes(grid.size)) finest = std::min(finest, grid.spacing()[axis]);
  return finest;
}

/// The frame of the object, which is the part of the image above the threshold, weighted by how far above.
/// Its unit is the radius of the object: the root mean square over `dimensions` axes of the standard
/// deviation along them.
Frame frameOf(const Series<float>& image, double threshold, int dimensions) {
  Frame frame;
  const auto sum = [&](auto&& term) {
    for (std::int64_t i = 0; i < image.grid.voxels(); ++i) {
      const double weight = image.values[std::size_t(i)] - threshold;
      const Vec3<int> v = image.grid.voxel(i);
      if (weight > 0) term(weight, image.grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)}));
    }
  };
  double mass = 0, moment = 0;
  Vec3<double> first;
  sum([&](double weight, const Vec3<double>& p) { mass += weight, first = first + weight * p; });
  frame.centre = (1 / mass) * first;
  sum([&](double weight, const Vec3<double>& p) {
    moment += weight * dot(p - frame.centre, p - frame.centre);
  });
  frame.unit = std::sqrt(moment / mass / dimensions);
  return frame;
}

/// The frame of a plane with the axes of its first two as a linear map carries them, made orthonormal.
Frame carried(Frame frame, const Affine& map) {
  const Vec3<double> first = map.vector(frame.axes[0]), normal = cross(first, map.vector(frame.axes[1]));
  frame.axes[0] = (1 / norm(first)) * first, frame.axes[2] = (1 / norm(normal)) * normal;
  frame.axes[1] = cross(frame.axes[2], frame.axes[0]);
  return frame;
}

/// Gives a frame the axes of a plane. Without `like` they are the plane's own, else those of `like` after the
/// shortest rotation into the plane.
void alignToPlane(Frame& frame, const Grid& plane, const Frame* like) {
  const auto in = longAxes(plane.size);
  const Affine own = imageAxes(plane);
  frame.axes = {own.column(in[0]), own.column(in[1]), own.column(3 - in[0] - in[1])};
  if (!like) return;
  const Vec3<double> from = like->axes[2],
                     to = dot(from, frame.axes[2]) < 0 ? -1.0 * frame.axes[2] : frame.axes[2];
  if (dot(from, to) < kSmallestCosine)
    throw Error("The planes of template and reference stand at more than 45° to each other",
                "which of their directions belong together is unknown",
                "correct the positions in the headers, or use --affine none");
  const Vec3<double> turn = cross(from, to);  // Rodrigues' formula
  for (auto& axis : frame.axes) axis = {};
  for (int i = 0; i < 3; ++i) {
    const Vec3<double> a = like->axes[std::size_t(i)], b = cross(turn, a);
    frame.axes[std::size_t(i)] = a + b + (1 / (1 + dot(from, to))) * cross(turn, b);
  }
}

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
    origin[j] = dot(frame.axes[j], grid.worldFromVoxel.t - frame.centre) / frame.unit;
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
/// The SetMaximumNumberOfWorkUnits() of ITK 5.2 would not do: it limits the threads, but how the work is
/// divided still depends on the machine.
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
struct ImagePair {
  using Image = itk::Image<float, D>;
  typename Image::Pointer reference, moving;
  typename itk::ImageMaskSpatialObject<D>::Pointer mask;  ///< where they are compared; null for everywhere
};

/// Optimizes `transform` at one level for each width of voxels, in radii.
template <unsigned D>
void optimize(const ImagePair<D>& images, Linear<D>* transform, const std::vector<double>& voxels,
              const Progress& progress) {
  using Image = typename ImagePair<D>::Image;
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
  map.t = to.centre - map.vector(from.centre);
  for (unsigned i = 0; i < D; ++i) map.t = map.t + (to.unit * transform.GetOffset()[i]) * to.axes[i];
  return map;
}

/// A map of points in mm, RAS+, as a transform between two frames; of a plane, what happens within it.
template <unsigned D>
void setToWorldMap(Linear<D>& transform, const Affine& map, const Frame& to, const Frame& from) {
  typename Linear<D>::MatrixType matrix;
  typename Linear<D>::OutputVectorType offset;
  const Vec3<double> centre = map.point(from.centre) - to.centre;
  for (unsigned i = 0; i < D; ++i) {
    for (unsigned j = 0; j < D; ++j) matrix(i, j) = dot(to.axes[i], map.vector(from.axes[j]));
    offset[i] = dot(to.axes[i], centre) / to.unit;
  }
  transform.SetMatrix(matrix);
  transform.SetOffset(offset);
}

/// Makes the matrix of a transform the rotation that is nearest to it, U V' of its singular value
/// decomposition.
template <unsigned D>
void makeRigid(Linear<D>& transform) {
  const vnl_svd<double> svd(transform.GetMatrix().GetVnlMatrix().as_matrix());
  transform.SetMatrix(typename Linear<D>::MatrixType(svd.U() * svd.V().transpose()));
}

template <unsigned D>
Affine align(const ImagePair<D>& images, const Frame& to, const Frame& from, registration::Prealignment kind,
             const std::optional<Affine>& initial, const Progress& progress) {
  const bool general = kind == registration::Prealignment::affine;
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
  /// The brightest intensities are cut off, as they would leave few bins of the histogram for all others.
  std::vector<float> values;
  std::vector<std::uint8_t> compared;  ///< one value per voxel, not 0 where it is compared
  Frame frame;
};

Content contentOf(const Series<float>& image, const Mask* mask, int dimensions, const char* name) {
  const std::vector<std::uint8_t> all(std::size_t(image.grid.voxels()), 1);
  Content content{image.grid, image.values, mask ? mask->values : all, {}};
  const auto& compared = content.compared;
  float low = std::numeric_limits<float>::infinity(), high = -low;
  for (std::size_t i = 0; i < compared.size(); ++i)
    if (compared[i]) low = std::min(low, image.values[i]), high = std::max(high, image.values[i]);
  if (!(low < high))
    throw Error(text("The ", name, " is constant where the images are compared"),
                "nothing in it can be aligned", "check the image and the mask");
  const auto brightest = float(registration::foregroundQuantile(
      image.values, compared, registration::foregroundThreshold(image.values, compared), kBrightest));
  if (brightest > low)
    for (float& value : content.values) value = std::min(value, brightest);
  content.frame = frameOf(image, registration::foregroundThreshold(image.values, all), dimensions);
  if (!(content.frame.unit > kSmallestRadius * finestEdge(image.grid)))
    throw Error(text("The ", name, " is brighter than its mean in one voxel only"),
                "it has no shape to be aligned by", "check that voxel, or use --affine none");
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
               registration::Prealignment kind, const std::optional<Affine>& initial,
               const Progress& progress) {
  Content moving = contentOf(templateImage, nullptr, D, "template"),
          fixed = contentOf(reference, mask, D, "reference");
  moving.frame.unit = fixed.frame.unit;
  if (D == 2) {
    alignToPlane(fixed.frame, reference.grid, nullptr);
    const Frame turned = initial ? carried(fixed.frame, *initial) : fixed.frame;
    alignToPlane(moving.frame, templateImage.grid, &turned);
  }
  coarsen(moving, progress.part(0, 0, "Pre-alignment")), coarsen(fixed, progress.part(0, 0, "Pre-alignment"));

  ImagePair<D> images;
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

Affine prealign(const Series<float>& templateImage, const Series<float>& reference, const Mask* mask,
                registration::Prealignment kind, const std::optional<Affine>& initial,
                const Progress& progress) try {
  if (kind == registration::Prealignment::none) return initial.value_or(Affine{});
  if (initial && !(initial->determinant() > 0))
    throw Error("The initial transform mirrors the image", "no alignment that starts there turns it back",
                "give a transform between two images of one side, or use --affine none");
  const auto axes = longAxes(reference.grid.size).size();
  if (axes < 2 || axes != longAxes(templateImage.grid.size).size())
    throw Error("Template and reference are not two volumes or two planes", "they cannot be aligned",
                "give images of as many dimensions, or use --affine none");
  const Affine map = axes == 2 ? aligned<2>(templateImage, reference, mask, kind, initial, progress)
                               : aligned<3>(templateImage, reference, mask, kind, initial, progress);
  if (const double change = map.determinant(); !(change > 1 / kLargestChange && change < kLargestChange))
    throw Error(text("The alignment went astray: it changes volumes ", change, " times"),
                "the images have too little in common", "try --affine rigid or none, or give a mask");
  return map;
} catch (const itk::ExceptionObject& fault) {
  throw Error("The images cannot be aligned (" + itkReason(fault.GetDescription()) + ")",
              "there is nothing in both that could be compared",
              "check that they show the same part of the body, or use --affine none");
}

}  // namespace sulcus::toolkits
