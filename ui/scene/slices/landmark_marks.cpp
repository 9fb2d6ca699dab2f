#include "ui/scene/slices/landmark_marks.h"

#include "core/base/sanitized.h"
#include "core/image/table_places.h"
#include "ui/scene/common/text_font.h"
#include "ui/scene/common/words.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <vtkTextActor.h>
#include <vtkTextProperty.h>

namespace sulcus::ui::scene {
namespace {

constexpr double kRadius = 6, kDot = 1.5;  // points
constexpr int kSides = 16;
/// More names than this would cover what they name.
constexpr std::size_t kMostNames = 60;

/// The color of column group `index`: points of the template, then of the reference.
Rgb colorOf(std::size_t index) {
  constexpr Rgb kColors[] = {{255, 110, 215}, {60, 225, 255}, {255, 220, 90}};
  return kColors[index % std::size(kColors)];
}

const TableLayer& tableOf(const SceneLayer& layer) { return std::get<TableLayer>(layer.layer->content); }

void addRing(const Vec3<double>& center, double radius, std::vector<Lines2d::Line>& lines) {
  const auto x = [&](int i) { return center.x + radius * std::cos(2 * std::numbers::pi * i / kSides); };
  const auto y = [&](int i) { return center.y + radius * std::sin(2 * std::numbers::pi * i / kSides); };
  for (int i = 0; i < kSides; ++i) lines.push_back({x(i), y(i), x(i + 1), y(i + 1)});
}

}  // namespace

LandmarkMarks::LandmarkMarks(vtkRenderer* renderer)
    : renderer_(renderer), between_(renderer, {1, 1, 1}, 0.7) {}

void LandmarkMarks::show(const SceneLayer& layer, const Project& project) {
  const TableLayer& table = tableOf(layer);
  const auto columns = placeColumns(table);
  const double unit = pixelsPerPoint(renderer_);
  std::vector<std::vector<Lines2d::Line>> rings(columns.size());
  std::vector<Lines2d::Line> between;
  std::vector<std::pair<std::string, Vec3<double>>> names;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    std::vector<Vec3<double>> seen;
    bool any = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto place = placeIn(table, row, columns[i]);
      if (!place) continue;
      const Vec3<double> at = seen.emplace_back(project(*place));
      if (!(at.z > 0)) continue;
      addRing(at, at.z * kRadius * unit, rings[i]);
      addRing(at, at.z * kDot * unit, rings[i]);
      if (!any) names.emplace_back(table.rows[row][0], at);
      any = true;
    }
    for (std::size_t i = 0; any && i + 1 < seen.size(); ++i)
      between.push_back({seen[i].x, seen[i].y, seen[i + 1].x, seen[i + 1].y});
  }
  between_.set(between, unit);
  while (rings_.size() < columns.size()) {
    const Rgb color = colorOf(rings_.size());
    rings_.push_back(std::make_unique<Lines2d>(
        renderer_, std::array<double, 3>{color[0] / 255.0, color[1] / 255.0, color[2] / 255.0}, 1));
  }
  rings_.resize(columns.size());
  for (std::size_t i = 0; i < rings.size(); ++i) rings_[i]->set(rings[i], 1.5 * unit);
  if (names.size() > kMostNames) names.clear();
  showNames(names, unit);
}

void LandmarkMarks::showNames(const std::vector<std::pair<std::string, Vec3<double>>>& names, double unit) {
  while (names_.size() > names.size()) names_.pop_back();
  while (names_.size() < names.size()) {
    vtkTextProperty* style = names_.emplace_back(renderer_)->GetTextProperty();
    setFont(style, 12);
    style->SetBackgroundColor(0, 0, 0);
    style->SetBackgroundOpacity(0.45);
    style->SetVerticalJustificationToCentered();
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto& [name, at] = names[i];
    const std::string text = sanitizedForDisplay(name, 30);
    if (!names_[i]->GetInput() || text != names_[i]->GetInput()) names_[i]->SetInput(text.c_str());
    names_[i]->SetPosition(int(at.x + (kRadius + 3) * unit), int(at.y));
  }
}

void addLandmarks(const SceneLayer& layer, std::vector<Legend::Entry>& legend) {
  const auto columns = placeColumns(tableOf(layer));
  for (std::size_t i = 0; i < columns.size(); ++i)
    legend.emplace_back(
        columns[i].name.empty() ? layer.name : words(("landmarks: " + columns[i].name).c_str()), colorOf(i));
}

}  // namespace sulcus::ui::scene
