#include "ui/scene/slices/lightbox_scene.h"

#include <algorithm>
#include <cmath>

#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

namespace sulcus::ui::scene {

static constexpr double kBelowBars = 8;  // points between color bars and the border

LightboxScene::LightboxScene(vtkRenderWindow* window)
    : window_(window), margin_(vtkSmartPointer<vtkRenderer>::New()), bars_(margin_) {
  margin_->InteractiveOff();
  window_->AddRenderer(margin_);
}

LightboxScene::~LightboxScene() { window_->RemoveRenderer(margin_); }

void LightboxScene::setLayers(std::vector<SceneLayer> layers) {
  layers_ = std::move(layers);
  for (std::size_t i = 0; i < tiles_.size(); ++i)
    tiles_[i]->setLayers(i < shown_ ? layers_ : std::vector<SceneLayer>());
}

void LightboxScene::setStyles(const Styles& styles) {
  styles_ = styles;
  for (const auto& tile : tiles_) tile->setStyles(styles);
}

int LightboxScene::barHeight() const {
  const double unit = window_->GetDPI() / 72.0;
  int bars = 0, lines = 0;
  for (const SceneLayer& layer : layers_)
    if (hasBar(layer, styles_.fields))
      ++bars, lines += ColorBar::linesAcross(layer, window_->GetSize()[0] / unit);
  const double height = bars == 0 ? 0 : (ColorBar::heightAcross(bars, lines) + kBelowBars) * unit;
  return std::min(int(std::lround(height)), window_->GetSize()[1] / 2);
}

void LightboxScene::updateBars() {
  const int width = window_->GetSize()[0], height = barHeight();
  margin_->SetDraw(height > 0);
  margin_->SetViewport(0, 0, 1, double(height) / window_->GetSize()[1]);
  const auto colorsOf = [this](const SceneLayer& layer) {
    return shown_ > 0 && hasBar(layer, styles_.fields) ? tiles_.front()->colorsOf(layer.id) : nullptr;
  };
  bars_.show(layers_, colorsOf, {width, height, kBelowBars, true});
}

LightboxScene::Box LightboxScene::boxOf(int tile) const {
  const int* size = window_->GetSize();
  const int column = tile % columns_, row = tile / columns_, below = barHeight(), height = size[1] - below;
  // Edges at whole pixels, so that there are no gaps between tiles.
  return {column * size[0] / columns_, below + (rows_ - 1 - row) * height / rows_,
          (column + 1) * size[0] / columns_, below + (rows_ - row) * height / rows_};
}

void LightboxScene::look(const SliceLook& look, const std::vector<double>& places, int columns, int rows) {
  columns_ = columns;
  rows_ = rows;
  const std::size_t all = std::size_t(columns) * std::size_t(rows);
  const std::size_t shown = std::min(places.size(), all);
  if (tiles_.size() != all) {
    tiles_.clear();
    while (tiles_.size() < all) {
      tiles_.push_back(std::make_unique<SliceScene>(window_));
      tiles_.back()->setStyles(styles_);
    }
    shown_ = 0;
  }
  if (shown != shown_) {
    shown_ = shown;
    setLayers(layers_);
  }
  const double place = look.crosshair[look.normal];
  const auto nearest =
      std::min_element(places.begin(), places.begin() + std::ptrdiff_t(shown),
                       [&](double a, double b) { return std::abs(a - place) < std::abs(b - place); });
  const int* size = window_->GetSize();
  for (std::size_t i = 0; i < all; ++i) {
    const Box box = boxOf(int(i));
    tiles_[i]->setViewport({double(box.left) / size[0], double(box.bottom) / size[1],
                            double(box.right) / size[0], double(box.top) / size[1]});
    SliceLook tile = look;
    const bool has = i < shown;
    if (has) tile.crosshair[look.normal] = places[i];
    tile.crosshairVisible = look.crosshairVisible && has && nearest == places.begin() + std::ptrdiff_t(i);
    tile.lettersVisible = look.lettersVisible && has;
    tile.sides = i == 0;
    // Texts that appear once are drawn with the last slice.
    tile.keys = i + 1 == std::max<std::size_t>(shown, 1);
    tile.bars = false;
    if (i != 0) tile.title.clear(), tile.caption.clear();
    tiles_[i]->look(tile);
  }
}

bool LightboxScene::render() {
  for (const auto& tile : tiles_) tile->update();
  updateBars();
  window_->Render();
  return false;
}

std::optional<int> LightboxScene::tileAt(double x, double y) const {
  for (int i = 0; i < int(shown_); ++i) {
    const Box box = boxOf(i);
    if (x >= box.left && x < box.right && y >= box.bottom && y < box.top) return i;
  }
  return std::nullopt;
}

std::optional<Vec3<double>> LightboxScene::worldAt(double x, double y) const {
  const auto tile = tileAt(x, y);
  if (!tile) return std::nullopt;
  const Box box = boxOf(*tile);
  return tiles_[std::size_t(*tile)]->camera().worldAt(x - box.left, y - box.bottom);
}

std::string LightboxScene::warningAt(double x, double y) const {
  const auto tile = tileAt(x, y);
  if (!tile) return {};
  const Box box = boxOf(*tile);
  return tiles_[std::size_t(*tile)]->warningAt(x - box.left, y - box.bottom);
}

SliceCamera LightboxScene::camera() const {
  return tiles_.empty() ? SliceCamera{sliceAxes(2, true), {}, {}} : tiles_.front()->camera();
}

}  // namespace sulcus::ui::scene
