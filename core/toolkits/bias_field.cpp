#include "core/toolkits/bias_field.h"

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/registration/deformation/pyramid.h"
#include "core/registration/preparation/intensity.h"
#include "core/registration/preparation/resample.h"
#include "core/toolkits/itk_reason.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <vector>

#include <itkImage.h>
#include <itkImportImageFilter.h>
#include <itkMultiThreaderBase.h>
#include <itkN4BiasFieldCorrectionImageFilter.h>

namespace sulcus::toolkits {
namespace {

constexpr double kVoxel = 6;             // mm, for a large object
constexpr double kShare = 0.27;          // largest ratio to the objectRadius()
constexpr int kLevels = 2;               // of the control points: one span over the image, then two
constexpr int kIterationsPerLevel = 50;  // limit for each level
constexpr double kTolerance = 1e-6;      // a level ends at smaller changes of the field

/// ITK splits sums by its number of threads, so that their last digits depend on it. With one thread they do
/// not; ITK work that others start meanwhile only takes longer.
class OneThread {
 public:
  OneThread() : lock_(mutex()), before_(itk::MultiThreaderBase::GetGlobalDefaultNumberOfThreads()) {
    itk::MultiThreaderBase::SetGlobalDefaultNumberOfThreads(1);
  }
  ~OneThread() { itk::MultiThreaderBase::SetGlobalDefaultNumberOfThreads(before_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::lock_guard<std::mutex> lock_;
  itk::ThreadIdType before_;
};

/// An ITK image of values on a grid, along its axes. It refers to the values without copying them.
template <class T>
typename itk::Image<T, 3>::Pointer imageOf(const Grid& grid, const std::vector<T>& values) {
  const auto import = itk::ImportImageFilter<T, 3>::New();
  typename itk::Image<T, 3>::RegionType region;
  typename itk::Image<T, 3>::SpacingType spacing;
  for (int i = 0; i < 3; ++i) {
    region.SetSize(unsigned(i), itk::SizeValueType(grid.size[i]));
    spacing[unsigned(i)] = grid.spacing()[i];
  }
  import->SetRegion(region);
  import->SetSpacing(spacing);
  import->SetImportPointer(const_cast<T*>(values.data()), values.size(), false);
  import->Update();
  return import->GetOutput();
}

/// The grid over the same field of view with voxels of about `width` mm, or as fine as those of `fine`.
Grid coarse(const Grid& fine, double width) {
  Grid grid = fine;
  for (int i = 0; i < 3; ++i) {
    const int voxels = fine.size[i];
    const auto wanted = int(std::lround((voxels - 1) * fine.spacing()[i] / width)) + 1;
    grid.size[i] = std::clamp(wanted, std::min(voxels, registration::kSmallestAxis), voxels);
    const double ratio = double(voxels - 1) / (grid.size[i] - 1);
    for (auto& row : grid.worldFromVoxel.m) row[std::size_t(i)] *= ratio;
  }
  return grid;
}

}  // namespace

Volume<float> n4BiasField(const Series<float>& image, const Mask* mask, const Progress& progress) try {
  if (image.grid.size.x == 1 || image.grid.size.y == 1 || image.grid.size.z == 1)
    throw Error("N4 cannot estimate the bias field of a plane", "it requires a volume",
                "use {bias-field} fit or none"_message);
  std::vector<float> values = image.values;
  std::vector<std::uint8_t> inside = mask ? mask->values : std::vector<std::uint8_t>(values.size(), 1);
  const double dark = std::max(0.0, registration::foregroundThreshold(values, inside));
  for (std::size_t i = 0; i < inside.size(); ++i) inside[i] = inside[i] && values[i] > dark;
  const double width = std::min(kVoxel, kShare * registration::objectRadius(inside, image.grid));
  const Grid grid = coarse(image.grid, std::max(width, registration::finestSpacing(image.grid)));
  values = registration::coarsened(values, inside, image.grid, grid, progress.part(0, 0.1, "Bias field"));
  inside = registration::coarsened(inside, image.grid, grid);
  if (std::none_of(inside.begin(), inside.end(), [](auto v) { return v != 0; }))
    throw Error("The image has no voxel above 0 and above its mean",
                "a bias field multiplies the bright parts", "use {bias-field} none"_message);

  const OneThread one;
  using Image = itk::Image<float, 3>;
  using Filter = itk::N4BiasFieldCorrectionImageFilter<Image, itk::Image<std::uint8_t, 3>, Image>;
  const auto filter = Filter::New();
  const auto input = imageOf(grid, values);
  filter->SetInput(input);
  filter->SetMaskImage(imageOf(grid, inside));
  filter->SetNumberOfFittingLevels(kLevels);
  typename Filter::VariableSizeArrayType iterations(kLevels);
  iterations.Fill(kIterationsPerLevel);
  filter->SetMaximumNumberOfIterations(iterations);
  filter->SetConvergenceThreshold(float(kTolerance));
  const Progress levels = progress.part(0.1, 1, "Bias field");
  filter->AddObserver(itk::IterationEvent(), [&](const itk::EventObject&) {
    levels.update(
        (filter->GetCurrentLevel() + double(filter->GetElapsedIterations()) / (kIterationsPerLevel + 1)) /
        kLevels);
  });
  filter->Update();
  const auto field = filter->ReconstructBiasField(filter->GetLogBiasFieldControlPointLattice());
  const float* const logs = field->GetBufferPointer();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::exp(logs[i]);
  return registration::resampled({grid, {values.data(), grid.size}}, image.grid, {},
                                 {registration::Interpolation::linear}, nullptr,
                                 progress.part(1, 1, "Bias field"));
} catch (const itk::ExceptionObject& fault) {
  throw Error("The bias field cannot be found (" + itkReason(fault.GetDescription()) + ")",
              "N4 needs a bright object", "use {bias-field} fit or none"_message);
}

}  // namespace sulcus::toolkits
