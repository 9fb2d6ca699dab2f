#pragma once

#include "tests/ui/fake_analysis.h"

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

// Surfaces, and an analysis that shrinks a ball.
namespace sulcus::test {

/// A closed ball around `center`, facing outwards; each of `rounds` subdivides the triangles of an octahedron
/// into four.
inline Mesh ball(double radius, int rounds = 3, Vec3<double> center = {}) {
  std::vector<Vec3<double>> points{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  Mesh mesh;
  mesh.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int round = 0; round < rounds; ++round) {
    std::map<std::pair<int, int>, std::int32_t> middles;
    const auto middle = [&](int a, int b) {
      const auto [found, isNew] = middles.try_emplace(std::minmax(a, b), std::int32_t(points.size()));
      if (isNew) points.push_back(normalized(points[std::size_t(a)] + points[std::size_t(b)]));
      return found->second;
    };
    std::vector<std::array<std::int32_t, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const std::int32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      for (const auto& triangle : {std::array{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
        finer.push_back(triangle);
    }
    mesh.triangles = finer;
  }
  for (const auto& p : points) {
    const Vec3<double> at = center + radius * p;
    mesh.points.push_back({float(at.x), float(at.y), float(at.z)});
  }
  return mesh;
}

inline Layer meshLayer(const std::string& name, Mesh mesh) {
  Layer layer;
  layer.name = name;
  layer.content = MeshLayer{std::make_shared<const Mesh>(std::move(mesh))};
  return layer;
}

inline const Mesh& meshOf(const Layer& layer) { return *std::get<MeshLayer>(layer.content).mesh; }

struct BallOptions {
  double threshold = 20;
  int iterations = 0, previews = 0;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(threshold, numberOption("threshold", "Threshold", "", {-1e9, 1e9, 0.01}, "Radius of the ball."));
    visit(iterations, adjustable(withLowest(
                          "auto", numberOption("iterations", "Iterations", "", {0, 20, 1}, "Shrinks it."))));
    visit(previews, numberOption("previews", "Previews", "", {0, 1000000, 1}, "How many are handed out."));
  }
};

/// The shrunken ball: 0 stands for 5 iterations of half a millimeter.
inline std::vector<Layer> shrunken(const BallOptions& options, int iterations, double offset) {
  const double by = 0.5 * (iterations > 0 ? iterations : 5) + offset;
  Mesh mesh = ball(options.threshold - by);
  auto& moved = mesh.pointScalars["displacement"];
  for (const auto& p : mesh.points) moved.push_back(float(by * (p.x > 0 ? 1 : -0.5)));
  Layer surface = meshLayer("surface", std::move(mesh));
  surface.unit = "mm";
  surface.display.colormap = "cool-warm";
  surface.display.colorBar = true;
  return {surface};
}

inline Analysis::Run ballRun(double offset) {
  return [offset](const AnalysisInputs&, const OptionValues& values, const Progress& progress,
                  const Analysis::Preview& preview) {
    const auto options = optionsFrom<BallOptions>(values);
    for (int step = 1; step <= options.previews; ++step) {
      if (preview) preview(shrunken(options, step, offset), {});
      progress.update(double(step) / options.previews);
    }
    RunResult result;
    result.layers = shrunken(options, options.iterations, offset);
    result.layers.push_back(meshLayer("input_surface", ball(options.threshold)));
    result.layers.back().display.visible = false;
    result.adjust = [offset, before = options](const OptionValues& changed, const Progress&) {
      return shrunken(before, optionsFrom<BallOptions>(changed).iterations, offset);
    };
    result.items = 1;
    result.itemName = "balls";
    result.source = std::make_shared<const Layer>(result.layers.back());
    return result;
  };
}

inline Analysis ballAnalysis() {
  Analysis made;
  made.name = "ball";
  made.title = "Ball";
  made.summary = "Shrinks a ball";
  made.inputs = {
      {"image", "Image", "Anything", true,
       [](const Layer& layer) { return std::holds_alternative<VolumeLayer>(layer.content); }, false},
      {"mesh", "Mesh", "A surface", false,
       [](const Layer& layer) { return std::holds_alternative<MeshLayer>(layer.content); }, false}};
  made.options = describeOptions<BallOptions>();
  made.cpu = ballRun(0);
  made.gpu = ballRun(0.25);
  made.compare = [](const RunResult& a, const RunResult& b, const Progress&) {
    Comparison comparison;
    comparison.rows = {{"surface", "mm", 0.25, 0.25, 0.25, 1, 1, 1, 1}};
    const Grid grid;
    Layer difference = volumeLayer("difference", {8, 8, 8});
    comparison.difference = difference;
    comparison.before = std::make_shared<const Layer>(a.source.as<Layer>());
    return b.layers.empty() ? Comparison() : comparison;
  };
  made.inputLayers = [](const AnalysisInputs&, const OptionValues& values, const Progress&) {
    const auto options = optionsFrom<BallOptions>(values);
    if (!(options.threshold > 0))
      throw Error("The threshold lies outside the image", "no ball is that small", "choose a larger one");
    return std::vector{meshLayer("input_surface", ball(options.threshold))};
  };
  made.spans = [](const AnalysisInputs&) { return std::map<std::string, Range>{{"threshold", {1, 40}}}; };
  return made;
}

}  // namespace sulcus::test
