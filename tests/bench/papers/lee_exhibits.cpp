#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/io/files.h"
#include "core/phantom/registration_phantom.h"
#include "core/phantom/surface_phantom.h"
#include "core/registration/registration.h"
#include "core/registration/results/registration_agreement.h"
#include "gpu/registration/registration.h"
#include "gpu/surface/surface.h"
#include "tests/bench/format.h"
#include "tests/bench/measure.h"
#include "tests/bench/papers/lee_papers.h"
#include "tests/bench/papers/surface_picture.h"
#include "tests/bench/surface/surface_data.h"

#include <algorithm>
#include <cmath>

namespace sulcus::bench {
namespace {

/// The middle two thirds along y, as for the volumes of 192 × 128 × 192 voxels in the paper.
std::shared_ptr<const Series<float>> croppedAlongY(const Series<float>& image) {
  Grid grid = image.grid;
  const int skipped = grid.size.y / 6;
  grid.size.y -= 2 * skipped;
  Affine shift;
  shift.t = {0, double(skipped), 0};
  grid.worldFromVoxel = image.grid.worldFromVoxel * shift;
  Series<float> cropped(grid, image.count);
  for (int v = 0; v < image.count; ++v)
    for (std::int64_t i = 0; i < grid.voxels(); ++i) {
      const Vec3<int> at = grid.voxel(i);
      cropped.at(i, v) = image.at(image.grid.index(at.x, at.y + skipped, at.z), v);
    }
  return std::make_shared<const Series<float>>(std::move(cropped));
}

Volume<float> volumeOf(const Series<float>& series) {
  Volume<float> volume(series.grid);
  for (std::int64_t i = 0; i < series.grid.voxels(); ++i) volume.values[std::size_t(i)] = series.at(i, 0);
  return volume;
}

/// The length of a displacement, voxels.
double lengthAt(const Series<float>& field, std::int64_t i) {
  return std::sqrt(std::pow(double(field.at(i, 0)), 2) + std::pow(double(field.at(i, 1)), 2) +
                   std::pow(double(field.at(i, 2)), 2)) /
         field.grid.spacing().x;
}

struct PairFit {
  double seconds = 0;
  registration::RegistrationResult result;
};

PairFit fitOf(registration::Register& onProcessor, const registration::RegistrationInput& input) {
  PairFit fit;
  registration::RegistrationOptions options;
  options.similarity = registration::Similarity::l2;
  const double begin = now();
  fit.result = onProcessor(input, options, {});
  fit.seconds = now() - begin;
  return fit;
}

/// The median distance from the known warp in the bright voxels of the reference, voxels.
double endpointError(const registration::RegistrationResult& result, const Series<float>& reference,
                     const Series<float>& truth) {
  Mask bright(reference.grid);
  for (std::int64_t i = 0; i < reference.grid.voxels(); ++i)
    bright.values[std::size_t(i)] = reference.at(i, 0) > 300;
  return registration::compareRegistrationWithTruth(result, truth, &bright).front().median;
}

struct Denoised {
  double seconds = 0;
  surface::SurfaceResult result;
  Volume<float> phi;
};

Denoised denoised(surface::DenoiseSurface& denoise, const surface::SurfaceInput& input) {
  Denoised run;
  surface::SurfaceOptions options;
  const double begin = now();
  run.result = denoise(input, options, {});
  run.seconds = now() - begin;
  run.phi = surface::phiAfter(*run.result.search, run.result.flow, run.result.flow.steps.size() - 1);
  return run;
}

/// The mean distance from a true surface to the points where another one crosses grid lines, voxels.
double distanceFrom(const Volume<float>& truth, const Volume<float>& phi) {
  double sum = 0, count = 0;
  const Vec3<int> n = phi.grid.size;
  const std::int64_t steps[3] = {1, n.x, std::int64_t(n.x) * n.y};
  for (std::int64_t i = 0; i < phi.grid.voxels(); ++i) {
    const Vec3<int> at = phi.grid.voxel(i);
    for (int axis = 0; axis < 3; ++axis) {
      if (at[axis] + 1 >= n[axis]) continue;
      const auto here = std::size_t(i), next = std::size_t(i + steps[axis]);
      const double a = phi.values[here], b = phi.values[next];
      if ((a < 0) == (b < 0)) continue;
      const double share = a / (a - b);
      sum += std::abs((1 - share) * truth.values[here] + share * truth.values[next]);
      ++count;
    }
  }
  return sum / count / phi.grid.spacing().x;
}

/// The area in mm² from the number of faces between inside and outside, which overestimates oblique surfaces
/// by the same factor before and after.
double facesOf(const Volume<float>& phi) {
  double faces = 0;
  const Vec3<int> n = phi.grid.size;
  for (std::int64_t i = 0; i < phi.grid.voxels(); ++i) {
    const Vec3<int> at = phi.grid.voxel(i);
    const bool in = phi.values[std::size_t(i)] < 0;
    const std::int64_t steps[3] = {1, n.x, std::int64_t(n.x) * n.y};
    for (int a = 0; a < 3; ++a)
      if (at[a] + 1 < n[a]) faces += in != (phi.values[std::size_t(i + steps[a])] < 0);
  }
  return faces * std::pow(phi.grid.spacing().x, 2);
}

double litresInside(const Volume<float>& phi) {
  return double(std::count_if(phi.values.begin(), phi.values.end(), [](float v) { return v < 0; })) *
         std::pow(phi.grid.spacing().x, 3) * 1e-6;
}

double largestDifference(const Volume<float>& a, const Volume<float>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    largest = std::max(largest, std::abs(double(a.values[i]) - b.values[i]));
  return largest / a.grid.spacing().x;
}

}  // namespace

Exhibit leeRegistrationPair(const PapersOptions& options, const Machine& machine) {
  Exhibit exhibit{"lee", "Figure 3", "A pair registered on CPU and GPU"};
  phantom::RegistrationPhantomOptions phantomOptions;
  phantomOptions.size = options.quick ? 48 : 192;
  const auto phantom = phantom::makeRegistrationPhantom(phantomOptions);
  registration::RegistrationInput input;
  input.templateImage = croppedAlongY(*phantom.templateImage),
  input.reference = croppedAlongY(*phantom.reference);
  const auto truth = croppedAlongY(*phantom.truth);
  const PairFit cpu = fitOf(registration::registerImages, input);
  const auto row = [&](const char* name, const PairFit& fit, Cell difference) {
    return std::vector<Cell>{name,
                             "maximum 0.5",
                             difference,
                             fit.seconds,
                             format("%.4f", fit.result.after.correlation),
                             format("%.3f", endpointError(fit.result, *input.reference, *truth)),
                             format("%.3f", fit.result.smallestJ)};
  };
  registration::RegistrationResult unmoved;
  unmoved.displacement = Series<float>(truth->grid, 3);
  std::vector<std::vector<Cell>> rows{
      {"before", Cell(), Cell(), Cell(), format("%.4f", cpu.result.before.correlation),
       format("%.3f", endpointError(unmoved, *input.reference, *truth)), Cell()},
      row("CPU, all threads", cpu, Cell())};
  const auto registered = [](const PairFit& fit) {
    return sagittalSliceWithField(fit.result.warped, 1100, fit.result.displacement);
  };
  exhibit.pictures = {{"Subject", sagittalSlice(volumeOf(*input.templateImage), 1100)},
                      {"Template volume", sagittalSlice(volumeOf(*input.reference), 1100)},
                      {"Subject registered, CPU, with its displacement", registered(cpu)}};
  if (machine.hasGpu) {
    const PairFit gpu = fitOf(gpu::registration::registerImages, input);
    double largest = 0;
    Volume<float> difference(truth->grid);
    for (std::int64_t i = 0; i < truth->grid.voxels(); ++i) {
      const double d = std::abs(lengthAt(cpu.result.displacement, i) - lengthAt(gpu.result.displacement, i));
      difference.values[std::size_t(i)] = float(d);
      largest = std::max(largest, d);
    }
    rows.push_back(row("GPU", gpu, format("%.3g", largest)));
    exhibit.pictures.push_back({"Subject registered, GPU, with its displacement", registered(gpu)});
    exhibit.pictures.push_back({"Difference of the lengths of both displacements, white at 0.5 voxels",
                                sagittalSlice(difference, 0.5)});
  } else {
    rows.push_back({"GPU", "maximum 0.5", "no GPU here", "no GPU here", Cell(), Cell(), Cell()});
  }
  exhibit.table =
      plainTable({"on", "published CPU − GPU, voxels", "CPU − GPU, voxels", "s, with default settings",
                  "correlation", "median error, voxels", "smallest J"},
                 std::move(rows));
  const Vec3<int> n = input.reference->grid.size;
  exhibit.remark = text(
      "The paper's patients are not public; a computed head of ", n.x, " × ", n.y, " × ", n.z,
      " voxels under a known warp stands in, so that the error can be given too. Where its tissue is even no "
      "image tells how it moved, and some of the error stays. CPU and GPU share every formula here and round "
      "alike, so they differ in no voxel.");
  return exhibit;
}

Exhibit leeTwoBlocks(const PapersOptions& options, const Machine& machine) {
  Exhibit exhibit{"lee", "Figure 6", "Two noisy blocks, denoised on CPU and GPU"};
  phantom::SurfacePhantomOptions phantomOptions;
  phantomOptions.size = options.quick ? 32 : 64;
  const auto phantom = phantom::makeSurfacePhantom(phantomOptions);
  surface::SurfaceInput input;
  input.phi = std::make_shared<const Volume<float>>(distanceOfMask(*phantom.noisy));
  const Denoised cpu = denoised(surface::denoiseSurface, input);
  const double noisy = distanceFrom(*phantom.truth, *input.phi);
  const int pixels = options.quick ? 200 : 300;
  exhibit.pictures = {{"Noisy", pictureOfSurface(*input.phi, pixels)},
                      {"Denoised, CPU", pictureOfSurface(cpu.phi, pixels)}};
  std::vector<std::vector<Cell>> rows{{"CPU, all threads", "below 0.25", Cell(), cpu.seconds,
                                       format("%.3f", noisy),
                                       format("%.3f", distanceFrom(*phantom.truth, cpu.phi))}};
  if (machine.hasGpu) {
    const Denoised gpu = denoised(gpu::surface::denoiseSurface, input);
    rows.push_back({"GPU", "below 0.25", format("%.2g", largestDifference(cpu.phi, gpu.phi)), gpu.seconds,
                    format("%.3f", noisy), format("%.3f", distanceFrom(*phantom.truth, gpu.phi))});
    exhibit.pictures.push_back({"Denoised, GPU; red where it is 0.5 voxels from the CPU",
                                pictureOfSurface(gpu.phi, pixels, [&](const Vec3<double>& p) {
                                  const auto at = gpu.phi.grid.index(int(p.x), int(p.y), int(p.z));
                                  return 2 * std::abs(double(gpu.phi.values[std::size_t(at)]) -
                                                      cpu.phi.values[std::size_t(at)]);
                                })});
  } else {
    rows.push_back({"GPU", "below 0.25", "no GPU here", "no GPU here", Cell(), Cell()});
  }
  exhibit.table = plainTable({"on", "published CPU − GPU, voxels", "φ: CPU − GPU, voxels", "s",
                              "noisy: mean distance from truth, voxels", "denoised: the same"},
                             std::move(rows));
  exhibit.remark =
      "The paper's CPU and GPU differ by up to a quarter of a voxel and it does not say why; rounding "
      "decides which of nearly equal patches are kept. Here the differences of patches are exact, so both "
      "keep the same neighbors and the same φ.";
  return exhibit;
}

Exhibit leeWhiteMatter(const PapersOptions& options, const Machine& machine) {
  Exhibit exhibit{"lee", "Figure 7", "White matter before and after"};
  const auto file = options.data / "t1" / "white.nii";
  const bool real = std::filesystem::exists(file) && !options.quick;
  surface::SurfaceInput input;
  if (real) {
    const Layer layer = io::openVolume(file, {}, io::UnlabeledData::asImage);
    const Volume<float> image = volumeOf(*std::get<VolumeLayer>(layer.content).series);
    const float largest = *std::max_element(image.values.begin(), image.values.end());
    Mask mask(image.grid);
    for (std::size_t i = 0; i < image.values.size(); ++i) mask.values[i] = image.values[i] > 0.5f * largest;
    input.phi = std::make_shared<const Volume<float>>(distanceOfMask(mask));
  } else {
    input.phi = std::make_shared<const Volume<float>>(surfaceOf(SurfaceData::mask, options.quick ? 40 : 96));
  }
  const Denoised run =
      denoised(machine.hasGpu ? gpu::surface::denoiseSurface : surface::denoiseSurface, input);
  const int pixels = options.quick ? 200 : 420;
  exhibit.pictures = {{"Before", pictureOfSurface(*input.phi, pixels)},
                      {"After", pictureOfSurface(run.phi, pixels)}};
  exhibit.table = plainTable(
      {"", "published", "before", "after"},
      {{"faces between inside and outside, mm²", "a picture", facesOf(*input.phi), facesOf(run.phi)},
       {"volume, litres", "a picture", format("%.4f", litresInside(*input.phi)),
        format("%.4f", litresInside(run.phi))},
       {"s on this machine's " + std::string(machine.hasGpu ? "GPU" : "CPU"), "–", Cell(), run.seconds}});
  exhibit.remark =
      real ? "White matter of a public average brain (2 mm, probability above one half) stands in for "
             "the paper's segmented patients, which are not public and of which it prints no number."
           : "A folded sheet stands in for the paper's white matter: the scan is not read in a quick "
             "run and may not be on this machine.";
  return exhibit;
}

std::vector<Exhibit> leeExhibits(const PapersOptions& options, const Machine& machine) {
  std::vector<Exhibit> exhibits = leeForceExhibits(options, machine);
  exhibits.push_back(leeRegistrationPair(options, machine));
  for (auto& exhibit : leePatchExhibits(options, machine)) exhibits.push_back(std::move(exhibit));
  exhibits.push_back(leeTwoBlocks(options, machine));
  exhibits.push_back(leeWhiteMatter(options, machine));
  exhibits.push_back(leeSeveralDevices(options, machine));
  return exhibits;
}

}  // namespace sulcus::bench
