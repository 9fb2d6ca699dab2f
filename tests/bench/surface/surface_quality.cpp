// Denoised surfaces compared with those of other methods, with known truth: a table for RESULTS.md.
//   sulcus-surface-quality [SIZE [WHITE_MATTER_IMAGE]]
#include "core/base/error.h"
#include "core/base/stage_clock.h"
#include "core/io/files.h"
#include "core/levelset/mesh_measures.h"
#include "core/phantom/surface_phantom.h"
#include "core/registration/deformation/gaussian.h"
#include "core/surface/surface.h"
#include "core/toolkits/contour.h"
#include "core/toolkits/level_sets.h"
#include "tests/bench/surface/distance_quality.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>

#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataConnectivityFilter.h>
#include <vtkSmartPointer.h>
#include <vtkWindowedSincPolyDataFilter.h>

namespace sulcus::bench {
namespace {

struct Timed {
  Mesh mesh;
  double seconds = 0;
};

Timed timed(const std::function<Mesh()>& make) {
  const StageClock clock;
  Mesh mesh = make();
  return {std::move(mesh), clock.seconds()};
}

vtkSmartPointer<vtkPolyData> polyDataOf(const Mesh& mesh) {
  vtkNew<vtkPoints> points;
  for (const auto& p : mesh.points) points->InsertNextPoint(p.x, p.y, p.z);
  vtkNew<vtkCellArray> cells;
  for (const auto& t : mesh.triangles) {
    const vtkIdType ids[3] = {t[0], t[1], t[2]};
    cells->InsertNextCell(3, ids);
  }
  auto surface = vtkSmartPointer<vtkPolyData>::New();
  surface->SetPoints(points);
  surface->SetPolys(cells);
  return surface;
}

Mesh meshOf(vtkPolyData* surface) {
  Mesh mesh;
  for (vtkIdType i = 0; i < surface->GetNumberOfPoints(); ++i) {
    double at[3];
    surface->GetPoint(i, at);
    mesh.points.push_back({float(at[0]), float(at[1]), float(at[2])});
  }
  vtkIdType count = 0;
  const vtkIdType* ids = nullptr;
  for (surface->GetPolys()->InitTraversal(); surface->GetPolys()->GetNextCell(count, ids);)
    mesh.triangles.push_back({std::int32_t(ids[0]), std::int32_t(ids[1]), std::int32_t(ids[2])});
  return mesh;
}

Mesh windowedSinc(const Mesh& mesh, int iterations, double passBand) {
  vtkNew<vtkWindowedSincPolyDataFilter> filter;
  filter->SetInputData(polyDataOf(mesh));
  filter->SetNumberOfIterations(iterations);
  filter->SetPassBand(passBand);
  filter->BoundarySmoothingOff();
  filter->FeatureEdgeSmoothingOff();
  filter->NonManifoldSmoothingOn();
  filter->NormalizeCoordinatesOn();
  filter->Update();
  return meshOf(filter->GetOutput());
}

Mesh largestOf(const Mesh& mesh) {
  vtkNew<vtkPolyDataConnectivityFilter> filter;
  filter->SetInputData(polyDataOf(mesh));
  filter->SetExtractionModeToLargestRegion();
  filter->Update();
  return meshOf(filter->GetOutput());
}

Mesh gaussian(const Volume<float>& phi, double sigma) {
  Volume<float> smooth = phi;
  smooth.values = registration::smoothed(std::move(smooth.values), phi.grid.size, {sigma, sigma, sigma}, {});
  return toolkits::contourOf(smooth, {});
}

Mesh denoised(const surface::SurfaceInput& input, const surface::SurfaceOptions& options) {
  const surface::SurfaceResult result = surface::denoiseSurface(input, options, {});
  return toolkits::contourOf(surface::phiAfter(*result.search, result.flow, result.flow.steps.size() - 1),
                             {});
}

struct Distances {
  double mean = 0, most = 0, furthest = 0;  ///< mean, 95 %, largest
};

Distances distancesOf(const Volume<float>& truth, const Mesh& mesh) {
  std::vector<double> all;
  for (const float d : levelset::sampledAt(truth, mesh.points)) all.push_back(std::abs(d));
  std::sort(all.begin(), all.end());
  double sum = 0;
  for (const double d : all) sum += d;
  return {sum / double(all.size()), all[std::size_t(0.95 * double(all.size() - 1))], all.back()};
}

struct Shape {
  std::string name;
  Mask mask;
  Volume<float> truth;
};

Shape phantomShape(const std::string& name, phantom::SurfacePhantomKind kind, phantom::SurfaceNoise noise,
                   double level, int size) {
  phantom::SurfacePhantomOptions options;
  options.kind = kind, options.noise = noise, options.level = level, options.size = size;
  const phantom::SurfacePhantom made = phantom::makeSurfacePhantom(options);
  return {name, *made.noisy, *made.truth};
}

/// A ball with rough noise.
Shape ball(const std::string& name, double level, int size) {
  Shape shape =
      phantomShape(name, phantom::SurfacePhantomKind::blocks, phantom::SurfaceNoise::rough, 0, size);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const Grid& grid = shape.mask.grid;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    const Vec3<double> p = grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    const double distance = norm(p - Vec3<double>{0.3, -0.2, 0.4}) - 0.3 * size;
    shape.truth.values[std::size_t(i)] = float(distance);
    shape.mask.values[std::size_t(i)] = distance + level * normal(random) < 0;
  }
  return shape;
}

void row(const std::string& method, const Timed& timed, const Volume<float>& truth, double noisyMean,
         double volume) {
  const Distances d = distancesOf(truth, timed.mesh);
  const levelset::MeshMeasures m = levelset::measuresOf(timed.mesh);
  std::printf("| %s | %.3f | %s | %.2f | %.2f | %+.1f %% | %d | %d | %d | %.2f |\n", method.c_str(), d.mean,
              noisyMean > 1e-3 ? (std::to_string(noisyMean / d.mean).substr(0, 4) + " ×").c_str() : "–",
              d.most, d.furthest, 100 * (m.volume / volume - 1), m.components, m.cavities, m.handles,
              timed.seconds);
  std::fflush(stdout);
}

void table(const Shape& shape) {
  surface::SurfaceInput input;
  const Timed noisy = timed([&] {
    input.phi = std::make_shared<const Volume<float>>(toolkits::signedDistanceOfMask(shape.mask, {}));
    return toolkits::contourOf(*input.phi, {});
  });
  const double mean = distancesOf(shape.truth, noisy.mesh).mean,
               volume = levelset::measuresOf(toolkits::contourOf(shape.truth, {})).volume;
  const auto add = [&](const std::string& method, const Timed& one) {
    row(method, one, shape.truth, mean, volume);
  };
  std::printf(
      "\n**%s**\n\n| method | mean, mm | nearer | 95 %% | largest | volume | bodies | cavities | "
      "handles | s |\n|---|---|---|---|---|---|---|---|---|---|\n",
      shape.name.c_str());
  add("noisy", noisy);
  add("Sulcus, default", timed([&] { return denoised(input, {}); }));
  surface::SurfaceOptions nearby;
  nearby.window = 8;
  add("Sulcus, search radius 8", timed([&] { return denoised(input, nearby); }));

  add("windowed sinc, 20 iterations, pass band 0.1",
      timed([&] { return windowedSinc(noisy.mesh, 20, 0.1); }));
  struct Best {
    Timed found;
    std::string name;
    double mean = 1e9;
  };
  const auto keep = [&](Best& best, const std::string& name, Timed one) {
    if (const double d = distancesOf(shape.truth, one.mesh).mean; d < best.mean)
      best = {std::move(one), name, d};
  };
  const auto shortly = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return std::string(text);
  };
  Best sinc, alone, gauss;
  const Mesh largest = largestOf(noisy.mesh);
  for (const int iterations : {10, 20, 50, 100})
    for (const double band : {0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005})
      keep(sinc, "windowed sinc, best: " + std::to_string(iterations) + ", " + shortly(band),
           timed([&] { return windowedSinc(noisy.mesh, iterations, band); }));
  add(sinc.name, sinc.found);
  for (const int iterations : {10, 20, 50, 100})
    for (const double band : {0.3, 0.1, 0.05, 0.02, 0.01, 0.005})
      keep(alone,
           "largest surface alone, windowed sinc, best: " + std::to_string(iterations) + ", " + shortly(band),
           timed([&] { return windowedSinc(largest, iterations, band); }));
  add(alone.name, alone.found);
  add("Gaussian of φ, σ = 1", timed([&] { return gaussian(*input.phi, 1); }));
  for (const double sigma : {0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0})
    keep(gauss, "Gaussian of φ, best: σ = " + shortly(sigma),
         timed([&] { return gaussian(*input.phi, sigma); }));
  add(gauss.name, gauss.found);
}

void whiteMatter(const std::string& file) {
  const Layer layer = io::openVolume(file);
  const auto& series = *std::get<VolumeLayer>(layer.content).series;
  Volume<float> image(series.grid);
  std::copy_n(series.values.begin(), image.values.size(), image.values.begin());
  const StageClock clock;
  surface::SurfaceInput input;
  input.gray = true;
  input.phi = std::make_shared<const Volume<float>>(toolkits::signedDistanceOfImage(image, 0.5f, {}));
  const double distance = clock.seconds();
  const surface::SurfaceResult result = surface::denoiseSurface(input, {}, {});
  const double all = clock.seconds();
  const auto print = [](const char* name, const levelset::MeshMeasures& m) {
    std::printf("%s: area %.0f mm², volume %.0f mm³, %d bodies, %d cavities, %d handles, Euler number %ld\n",
                name, m.area, m.volume, m.components, m.cavities, m.handles, long(m.euler));
  };
  std::printf("\nwhite matter at 0.5, %s: N = %ld, distance %.2f s, all %.1f s\n",
              describeGrid(image.grid).c_str(), long(result.search->band.count()), distance, all);
  print("before", levelset::measuresOf(toolkits::contourOf(*input.phi, {})));
  print("after", levelset::measuresOf(toolkits::contourOf(
                     surface::phiAfter(*result.search, result.flow, result.flow.steps.size() - 1), {})));
}

}  // namespace
}  // namespace sulcus::bench

int main(int count, char** arguments) try {
  using namespace sulcus;
  using namespace sulcus::bench;
  const int size = count > 1 ? std::atoi(arguments[1]) : 64;
  constexpr auto blocks = phantom::SurfacePhantomKind::blocks, fold = phantom::SurfacePhantomKind::fold;
  constexpr auto rough = phantom::SurfaceNoise::rough, speckle = phantom::SurfaceNoise::speckle;
  table(phantomShape("blocks, rough", blocks, rough, 0.6, size));
  table(phantomShape("blocks, speckle", blocks, speckle, 0.6, size));
  table(phantomShape("fold, rough", fold, rough, 0.6, size));
  table(phantomShape("fold, speckle", fold, speckle, 0.6, size));
  table(ball("ball, rough", 0.6, size));
  table(phantomShape("blocks, clean", blocks, rough, 0, size));
  distanceTable(size);
  if (count > 2) whiteMatter(arguments[2]);
  return 0;
} catch (const sulcus::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 5;
}
