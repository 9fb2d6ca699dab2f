#include "ui/scene/annotations.h"

#include "ui/scene/text_font.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>
#include <vtkTextRenderer.h>

namespace sulcus::ui::scene {
namespace {

constexpr double kLeastWarning = 110;   ///< points in which a sentence can be read
constexpr double kWarningShare = 0.45;  ///< of a view's width: the image is in its middle
constexpr double kWholeWarning = 170;   ///< points that it may take all the same
constexpr double kWarningHeight = 0.3;  ///< of a view's height; a longer one would hide what it is about
constexpr double kLine = 16;            ///< points
constexpr double kTitleLetter = 9.5;    ///< points of width
constexpr double kOverBar = 38;         ///< points from the lower letter's place to that over the scale bar
constexpr double kHighEnough = 140;     ///< points of a view that has room for it there

/// Pixels of one point (1/72 inch at 72 dpi): 1 on an ordinary screen, 2 at twice the density.
double pixelsPerPoint(vtkRenderer* renderer) {
  return renderer->GetRenderWindow() ? renderer->GetRenderWindow()->GetDPI() / 72.0 : 1;
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
      const std::string longer = fitting.empty() ? word : fitting + " " + word;
      if (!fitting.empty() && width(longer) > room) {
        broken += fitting + "\n";
        fitting = word;
      } else {
        fitting = longer;
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
  if (corner == Corner::warning) warningRoom_ = {};
  auto& actor = texts_[corner];
  if (!actor) {
    actor = vtkSmartPointer<vtkTextActor>::New();
    const bool isLetter = corner == Corner::left || corner == Corner::right || corner == Corner::top ||
                          corner == Corner::bottom;
    const bool isTitle = corner == Corner::topLeft;
    vtkTextProperty* style = actor->GetTextProperty();
    setFont(style, isTitle || isLetter ? 17 : 13, isLetter || isTitle);
    style->SetColor(isLetter ? 1.0 : 0.86, isLetter ? 0.85 : 0.88, isLetter ? 0.35 : 0.9);
    if (corner == Corner::warning) style->SetColor(1.0, 0.72, 0.3);
    if (corner == Corner::warning) {  // a long one would veil what it is about
      style->ShadowOn();
    } else {  // readable over bright tissue and labels of any color
      style->SetBackgroundColor(0, 0, 0);
      style->SetBackgroundOpacity(0.45);
    }
    style->SetShadowOffset(1, -1);
    style->SetJustificationToCentered();
    style->SetVerticalJustificationToCentered();
    switch (corner) {
      case Corner::right:
      case Corner::bottomRight:
        style->SetJustificationToRight();
        break;
      case Corner::left:
      case Corner::topLeft:
      case Corner::bottomLeft:
      case Corner::lowerLeft:
      case Corner::warning:
        style->SetJustificationToLeft();
        break;
      default:
        break;
    }
    switch (corner) {
      case Corner::top:
      case Corner::topLeft:
        style->SetVerticalJustificationToTop();
        break;
      case Corner::left:
      case Corner::right:
        break;
      default:
        style->SetVerticalJustificationToBottom();
        break;
    }
    renderer_->AddActor2D(actor);
  }
  if (!actor->GetInput() || text != actor->GetInput()) actor->SetInput(text.c_str());
  actor->SetVisibility(!text.empty());
}

void Annotations::setCrosshair(std::optional<Vec3<double>> pixel) { crosshair_ = pixel; }

void Annotations::breakWarning(int room, int height) {
  const auto found = texts_.find(Corner::warning);
  if (found == texts_.end() || std::exchange(warningRoom_, {room, height}) == std::pair(room, height)) return;
  vtkTextActor* actor = found->second;
  const double unit = pixelsPerPoint(renderer_);
  const auto onlyMark = [&] { actor->SetInput(warning_.starts_with("Warning") ? "Warning" : ""); };
  if (room < kLeastWarning * unit) return onlyMark();  // a word in each line would hide the image
  const int dpi = renderer_->GetRenderWindow() ? renderer_->GetRenderWindow()->GetDPI() : 72;
  const auto widthOf = [&](const std::string& line) {
    std::array<int, 4> box{};
    vtkTextRenderer::GetInstance()->GetBoundingBox(actor->GetTextProperty(), line, box.data(), dpi);
    return box[1] - box[0] + 1;
  };
  const std::string broken = brokenText(warning_, room, widthOf);
  const auto lines = 1 + std::count(broken.begin(), broken.end(), '\n');
  if (double(lines) * kLine * unit > kWarningHeight * height) return onlyMark();
  actor->SetInput(broken.c_str());
}

void Annotations::layOut(int width, int height, double raised, double taken) {
  const double unit = pixelsPerPoint(renderer_), margin = 8 * unit;
  const double above = raiseAt(width / unit) * unit;
  breakWarning(
      int(std::min(width - 2 * margin - taken * unit, std::max(kWarningShare * width, kWholeWarning * unit))),
      int(height - raised * unit));
  const auto title = texts_.find(Corner::topLeft);
  const double titleEnd =
      title != texts_.end() && title->second->GetVisibility()
          ? margin + kTitleLetter * unit * double(std::string(title->second->GetInput()).size())
          : 0;
  const auto caption = texts_.find(Corner::lowerLeft);
  // In a narrow view the convention and the scale bar reach to the middle.
  const auto convention = texts_.find(Corner::bottomRight);
  const bool covered = above > 0 && height > kHighEnough * unit && convention != texts_.end() &&
                       convention->second->GetVisibility();
  const bool lower = caption != texts_.end() && caption->second->GetVisibility();
  for (auto& [corner, actor] : texts_) {
    double x = 0.5 * width, y = 0.5 * height;
    switch (corner) {
      case Corner::top:
        y = height - margin - (titleEnd > 0.5 * width - 12 * unit ? 26 * unit : 0);  // below a long title
        break;
      case Corner::bottom:
        y = margin + above + (covered ? kOverBar * unit : 0);
        break;
      case Corner::left:
        x = margin;
        break;
      case Corner::right:
        x = width - margin;
        break;
      case Corner::topLeft:
        x = margin, y = height - margin;
        break;
      case Corner::bottomLeft:
        x = margin, y = margin;
        break;
      case Corner::bottomRight:
        x = width - margin, y = margin + above;
        break;
      case Corner::lowerLeft:
        x = margin, y = margin + 36 * unit;  // above the scale bar, which it may reach
        break;
      case Corner::warning:
        x = margin, y = margin + (lower ? 54 : 36) * unit + raised * unit;
        break;
    }
    actor->SetPosition(int(x), int(y));  // in the viewport, which may be a tile of a lightbox
  }
  if (edgeAt_) {
    // The edge has a grip in the middle, by which a hand finds it.
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
