#pragma once

#include "core/image/layer.h"
#include "ui/scene/scene_layer.h"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkRenderWindow.h>
#include <vtkUnsignedCharArray.h>
#include <vtkWindowToImageFilter.h>

namespace sulcus::ui::scene {

inline constexpr auto isWhite = [](const auto& pixel) { return pixel.sum() > 600; };

/// Tests that draw: skipped visibly if there is no display.
class Drawing : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::getenv("DISPLAY")) GTEST_SKIP() << "no display: run under xvfb-run";
    window->SetOffScreenRendering(true);
    window->SetMultiSamples(0);
    window->SetSize(200, 200);
  }

  struct Pixel {
    int r = 0, g = 0, b = 0;
    int sum() const { return r + g + b; }
  };
  /// x from the left, y from the bottom, after rendering.
  Pixel at(int x, int y) {
    vtkNew<vtkUnsignedCharArray> colors;
    window->GetPixelData(x, y, x, y, 0, colors);
    return {colors->GetValue(0), colors->GetValue(1), colors->GetValue(2)};
  }
  /// The number of pixels in a rectangle that satisfy a condition.
  template <class Condition>
  int count(int left, int bottom, int right, int top, Condition&& condition) {
    vtkNew<vtkUnsignedCharArray> colors;
    window->GetPixelData(left, bottom, right - 1, top - 1, 0, colors);
    int found = 0;
    for (vtkIdType i = 0; i < colors->GetNumberOfTuples(); ++i)
      found += condition(Pixel{colors->GetTypedComponent(i, 0), colors->GetTypedComponent(i, 1),
                               colors->GetTypedComponent(i, 2)});
    return found;
  }
  /// Keeps a picture for visual inspection: SULCUS_KEEP_PICTURES names a folder.
  void keep(const std::string& name) {
    const char* folder = std::getenv("SULCUS_KEEP_PICTURES");
    if (!folder) return;
    vtkNew<vtkWindowToImageFilter> grab;
    grab->SetInput(window);
    grab->ReadFrontBufferOff();
    grab->ShouldRerenderOff();
    vtkNew<vtkPNGWriter> writer;
    writer->SetFileName((std::string(folder) + "/" + name + ".png").c_str());
    writer->SetInputConnection(grab->GetOutputPort());
    writer->Write();
  }

  vtkNew<vtkRenderWindow> window;
};

/// A grid of n³ voxels of `spacing` mm centered at the origin.
inline Grid centeredGrid(int n, double spacing = 1) {
  Grid grid;
  grid.size = {n, n, n};
  const double t = -0.5 * (n - 1) * spacing;
  grid.worldFromVoxel.m = {{{spacing, 0, 0}, {0, spacing, 0}, {0, 0, spacing}}};
  grid.worldFromVoxel.t = {t, t, t};
  return grid;
}

/// A volume whose value at a voxel is a function of its position in mm, displayed over 0…1.
template <class Value>
SceneLayer volumeLayer(const Grid& grid, Value&& value, int id = 1) {
  auto series = std::make_shared<Series<float>>(grid, 1);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const Vec3<int> v = grid.voxel(i);
    series->values[std::size_t(i)] =
        float(value(grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)})));
  }
  auto layer = std::make_shared<Layer>();
  layer->name = "volume";
  layer->content = VolumeLayer{series, {}, 0, {}};
  SceneLayer shown{id, layer, {}, 0};
  shown.display.range = Range{0, 1};
  return shown;
}

/// Every voxel has this single peak.
inline SceneLayer peaksLayer(const Grid& grid, Vec3<float> peak, int id = 5) {
  auto peaks = std::make_shared<Series<float>>(grid, 3);
  for (std::int64_t i = 0; i < grid.voxels(); ++i)
    for (int c = 0; c < 3; ++c) peaks->at(i, c) = peak[c];
  auto layer = std::make_shared<Layer>();
  layer->name = "peaks";
  layer->content = PeaksLayer{peaks, nullptr};
  return {id, layer, {}, 0};
}

}  // namespace sulcus::ui::scene
