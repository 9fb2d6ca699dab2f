#include "ui/scene/common/annotations.h"

#include "ui/scene/common/text_font.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <sstream>
#include <utility>
#include <vector>

#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>
#include <vtkTextRenderer.h>

namespace sulcus::ui::scene {
namespace {

constexpr const char* kSign = "\u26A0";
constexpr double kSignSize = 22;  ///< points
constexpr double kLine = 16;      ///< points
constexpr double kTitleLine = 20;
constexpr double kOverBar = 38;  ///< points from the position of the lower letter to that above the scale bar
constexpr double kHighEnough = 140;  ///< points, height of a view with room for it there
constexpr double kBothEnough = 200;  ///< and with room for a warning below it

/// Splits a word into pieces that fit: file names have no spaces, but parts between separators.
std::vector<std::string> piecesOf(const std::string& word, int room,
                                  const std::function<int(const std::string&)>& width) {
  std::vector<std::string> pieces(1);
  if (width(word) <= room) return {word};
  std::string part;
  for (const char letter : word) {
    part += letter;
    if (letter != '_' && letter != '-' && letter != '/') continue;
    if (!pieces.back().empty() && width(pieces.back() + part) > room) pieces.emplace_back();
    pieces.back() += std::exchange(part, {});
  }
  if (!pieces.back().empty() && width(pieces.back() + part) > room) pieces.emplace_back();
  pieces.back() += part;
  return pieces;
}

using Corner = Annotations::Corner;

bool isOneOf(Corner corner, std::initializer_list<Corner> corners) {
  return std::ranges::find(corners, corner) != corners.end();
}

/// Where a text begins, ends or has its middle, in a view of this width.
double anchorOf(vtkTextProperty& style, int width, double margin) {
  switch (style.GetJustification()) {
    case VTK_TEXT_RIGHT:
      return width - margin;
    case VTK_TEXT_CENTERED:
      return 0.5 * width;
    default:
      return margin;
  }
}

/// The font, the colors and the alignment of the text at a corner.
void styleText(Corner corner, vtkTextProperty* style) {
  const bool isLetter = isOneOf(corner, {Corner::left, Corner::right, Corner::top, Corner::bottom});
  const bool isTitle = corner == Corner::topLeft;
  setFont(style, isTitle || isLetter ? 17 : 13, isLetter || isTitle);
  if (corner == Corner::warning) setFont(style, kSignSize);
  style->SetColor(0.86, 0.88, 0.9);
  if (isLetter) style->SetColor(1.0, 0.85, 0.35);
  if (corner == Corner::warning) style->SetColor(1.0, 0.72, 0.3);
  style->SetBackgroundColor(0, 0, 0);  // readable on bright tissue and on labels of any color
  style->SetBackgroundOpacity(0.45);
  style->SetJustificationToLeft();
  if (isOneOf(corner, {Corner::right, Corner::bottomRight})) style->SetJustificationToRight();
  if (isOneOf(corner, {Corner::top, Corner::bottom})) style->SetJustificationToCentered();
  style->SetVerticalJustificationToBottom();
  if (isOneOf(corner, {Corner::top, Corner::topLeft})) style->SetVerticalJustificationToTop();
  if (isOneOf(corner, {Corner::left, Corner::right})) style->SetVerticalJustificationToCentered();
}

}  // namespace

std::string brokenText(const std::string& text, int room,
                       const std::function<int(const std::string&)>& width) {
  std::string broken;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string fitting, word;
    while (words >> word) {
      bool begins = true;
      for (const std::string& piece : piecesOf(word, room, width)) {
        const std::string longer = fitting.empty() ? piece : fitting + " " + piece;
        if (!fitting.empty() && (!begins || width(longer) > room)) {
          broken += fitting + "\n";
          fitting = piece;
        } else {
          fitting = longer;
        }
        begins = false;
      }
    }
    broken += fitting + "\n";
  }
  if (!broken.empty()) broken.pop_back();
  return broken;
}

Annotations::Annotations(vtkRenderer* renderer)
    : renderer_(renderer),
      cross_(renderer, {0.35, 0.95, 0.45}, 0.75),
      edge_(renderer, {1, 0.85, 0.35}, 0.9) {}

void Annotations::setText(Corner corner, const std::string& text) {
  if (text.empty() && !texts_.contains(corner)) return;
  if (corner == Corner::warning && std::exchange(warning_, text) == text) return;
  if (const auto whole = whole_.find(corner); whole != whole_.end()) {
    if (std::exchange(whole->second.text, text) == text) return;
    whole->second.room = 0;
  }
  const auto [found, isNew] = texts_.try_emplace(corner, renderer_);
  vtkTextActor* const actor = found->second.get();
  if (isNew) styleText(corner, actor->GetTextProperty());
  const std::string drawn = corner == Corner::warning && !text.empty() ? kSign : text;
  if (!actor->GetInput() || drawn != actor->GetInput()) actor->SetInput(drawn.c_str());
  actor->SetVisibility(!text.empty());
}

void Annotations::setCrosshair(std::optional<Vec3<double>> pixel) { crosshair_ = pixel; }

vtkTextActor* Annotations::shown(Corner corner) const {
  const auto found = texts_.find(corner);
  return found != texts_.end() && found->second->GetVisibility() ? found->second.get() : nullptr;
}

std::function<int(const std::string&)> Annotations::widthIn(vtkTextActor* actor) const {
  const int dpi = renderer_->GetRenderWindow() ? renderer_->GetRenderWindow()->GetDPI() : 72;
  return [actor, dpi](const std::string& line) {
    std::array<int, 4> box{};
    vtkTextRenderer::GetInstance()->GetBoundingBox(actor->GetTextProperty(), line, box.data(), dpi);
    return box[1] - box[0] + 1;
  };
}

int Annotations::titleWidth() const {
  vtkTextActor* const title = shown(Corner::topLeft);
  if (!title) return 0;
  int widest = 0;
  std::istringstream lines(title->GetInput());
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, widthIn(title)(line));
  return widest;
}

void Annotations::breakLines(Corner corner, int room) {
  vtkTextActor* const actor = shown(corner);
  Whole& whole = whole_.at(corner);
  if (!actor || std::exchange(whole.room, room) == room) return;
  const std::string broken = brokenText(whole.text, room, widthIn(actor));
  actor->SetInput(broken.c_str());
  whole.lines = int(1 + std::count(broken.begin(), broken.end(), '\n'));
}

std::string Annotations::warningAt(double x, double y) const {
  const vtkTextActor* const sign = shown(Corner::warning);
  if (!sign) return {};
  const double reach = 1.5 * kSignSize * pixelsPerPoint(renderer_);
  const double* const at = const_cast<vtkTextActor*>(sign)->GetPosition();
  const bool isOver = x >= 0 && x < at[0] + reach && y > at[1] - 0.5 * reach && y < at[1] + reach;
  return isOver ? warning_ : std::string();
}

void Annotations::layOut(int width, int height, double raised) {
  const double unit = pixelsPerPoint(renderer_), margin = 8 * unit;
  const double above = raiseAt(width / unit) * unit;
  const bool crowded = above > 0 && height < kBothEnough * unit;
  for (const Corner corner : {Corner::topLeft, Corner::lowerLeft})
    breakLines(corner, int(width - 2 * margin));
  const int lower = shown(Corner::lowerLeft) ? whole_.at(Corner::lowerLeft).lines : 0;
  // In a narrow view, the convention and the scale bar reach the middle.
  const bool covered = above > 0 && height > kHighEnough * unit && shown(Corner::bottomRight);
  const double overBar = margin + (shown(Corner::bottomRight) ? 36 : 18) * unit + above;  // if there is one
  const double warningY = overBar + (lower > 0 ? 18 + kLine * (lower - 1) : 0) * unit + raised * unit;
  const double raisedBy = above + (covered ? kOverBar * unit : 0);
  // At the edge if it fits beside the position, whatever is above.
  vtkTextActor* const place = shown(Corner::bottomLeft);
  const bool fits = !place || margin + widthIn(place)(place->GetInput()) < 0.5 * width - 10 * unit;
  const double letterAt = margin + (fits ? 0 : raisedBy);
  for (auto& [corner, actor] : texts_) {
    const double x = anchorOf(*actor->GetTextProperty(), width, margin);
    double y = margin;
    switch (corner) {
      case Corner::top:
        y = height - margin;
        if (margin + titleWidth() > 0.5 * width - 12 * unit)  // below a long title
          y -= (kTitleLine * whole_.at(Corner::topLeft).lines + 6) * unit;
        break;
      case Corner::bottom:
        y = letterAt;
        break;
      case Corner::left:
      case Corner::right:
        y = 0.5 * height;
        break;
      case Corner::topLeft:
        y = height - margin;
        break;
      case Corner::bottomLeft:
        break;
      case Corner::bottomRight:
        y = margin + above;
        break;
      case Corner::lowerLeft:
        y = overBar;  // into which it may extend
        break;
      case Corner::warning:
        y = crowded ? margin + (18 + raised) * unit : warningY;  // a sign is next to the bar
        break;
    }
    actor->SetPosition(int(x), int(y));  // within the viewport, which may be a tile of a lightbox
  }
  layOutLines(width, height, unit);
}

void Annotations::layOutLines(int width, int height, double unit) {
  if (edgeAt_) {
    // The edge has a handle in the middle, for dragging it.
    const double middle = 0.5 * height, grip = 14 * unit, side = 4 * unit;
    edge_.set({{*edgeAt_, 0, *edgeAt_, double(height)},
               {*edgeAt_ - side, middle - grip, *edgeAt_ - side, middle + grip},
               {*edgeAt_ + side, middle - grip, *edgeAt_ + side, middle + grip}},
              1.5 * unit);
  } else {
    edge_.set({}, unit);
  }
  if (!crosshair_) return cross_.set({}, unit);
  const double x = crosshair_->x, y = crosshair_->y, gap = 7 * unit;
  cross_.set({{0, y, x - gap, y},
              {x + gap, y, double(width), y},
              {x, 0, x, y - gap},
              {x, y + gap, x, double(height)}},
             unit);
}

}  // namespace sulcus::ui::scene
