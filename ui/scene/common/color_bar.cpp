#include "ui/scene/common/color_bar.h"

#include "ui/scene/common/annotations.h"
#include "ui/scene/common/text_font.h"
#include "ui/scene/common/words.h"
#include "ui/scene/slices/layer_colors.h"
#include "ui/scene/volume3d/poly_data.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include <vtkActor2D.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkProperty2D.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>
#include <vtkUnsignedCharArray.h>

namespace sulcus::ui::scene {
namespace {

constexpr int kSteps = 128;
constexpr int kMostLines = 3;  // of a title
constexpr int kMostLabels = 6;
constexpr double kTitleRow = 18;  // points

/// The beginning and the end of a text that has more than this many characters.
std::string shortened(const std::string& text, std::size_t most) {
  std::vector<std::size_t> begins;  // start of each character, which may have several bytes
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] & 0xC0) != 0x80) begins.push_back(i);
  if (begins.size() <= most) return text;
  const std::size_t head = (most - 1) / 2, tail = most - 1 - head;
  return text.substr(0, begins[head]) + "\xE2\x80\xA6" + text.substr(begins[begins.size() - tail]);
}

/// How many of the widest characters fit into this many points.
int lettersIn(double points) { return std::max(4, int(points / 7.2)); }

int linesOf(const std::string& title) { return 1 + int(std::count(title.begin(), title.end(), '\n')); }

/// Whether a unit is written after the numbers; any other unit is in the title.
bool isSign(const std::string& unit) { return unit == "°" || unit == "%"; }

/// Aligns a text next to a bar.
void justify(vtkTextActor* text, bool across, bool isTitle) {
  vtkTextProperty* style = text->GetTextProperty();
  if (across)
    style->SetJustificationToCentered();
  else
    style->SetJustificationToRight();
  if (across || isTitle)
    style->SetVerticalJustificationToBottom();
  else
    style->SetVerticalJustificationToCentered();
}

}  // namespace

std::string barNumber(double value, double width) {
  const double size = std::abs(value);
  const int digits =
      width > 0 && size > width ? std::clamp(int(std::ceil(std::log10(size / width))) + 2, 3, 9) : 3;
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, size);
  if (size >= 1 && size < 1e6 && std::strchr(text, 'e')) std::snprintf(text, sizeof text, "%.0f", size);
  return (value < 0 ? "\u2212" : "") + std::string(text);
}

BarScale barScaleOf(const SceneLayer& layer, LayerColors& colors) {
  BarScale scale;
  scale.low = colors.bar().low;
  scale.high = colors.bar().high;
  const bool bothSigns = !layer.display.negativeColormap.empty();
  for (const auto& threshold : {layer.display.hideBelow, layer.display.hideAbove})
    for (const int sign : {1, -1}) {
      if (!threshold || (sign < 0 && !bothSigns)) continue;
      const double value = sign * *threshold;
      scale.low = std::min(scale.low, value);
      scale.high = std::max(scale.high, value);
      scale.marks.push_back(value);
    }
  scale.marks.push_back(scale.low);
  scale.marks.push_back(scale.high);
  for (int i = 0; i < kSteps; ++i) {
    const unsigned char* color =
        colors.MapValue(scale.low + (scale.high - scale.low) * (double(i) + 0.5) / kSteps);
    scale.colors.push_back({color[0], color[1], color[2], color[3]});
  }
  scale.suffix = isSign(layer.layer->unit) ? layer.layer->unit : "";
  scale.title = titleOf(layer);
  return scale;
}

std::string titleIn(const std::string& title, int most, int lines) {
  const auto width = [](const std::string& line) {
    return int(std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; }));
  };
  std::string broken = brokenText(title, most, width);
  // The unit stays together if it fits into a line.
  if (const std::size_t colon = title.rfind(": "); broken != title && colon != title.npos)
    if (const std::string unit = title.substr(colon + 2); width(unit) <= most)
      broken = brokenText(title.substr(0, colon + 1), most, width) + "\n" + unit;
  return std::ranges::count(broken, '\n') < lines ? broken : shortened(title, std::size_t(most));
}

std::string titleOf(const SceneLayer& layer) {
  const std::string unit = words(layer.layer->unit.c_str());
  const auto* scalars = shownScalars(*layer.layer, layer.volume);
  std::string title = layer.name.empty() ? layer.layer->name : layer.name;
  if (scalars) title += ": " + words(scalars->first.c_str());
  // If a surface has several scalars, the unit is that of the first.
  if (unit.empty() || isSign(unit) || (scalars && layer.volume != 0)) return title;
  return title + (scalars ? " (" + unit + ")" : ": " + unit);
}

bool hasBar(const SceneLayer& layer, const FieldStyle& style) {
  const bool byLength =
      style.shape == FieldStyle::Shape::magnitude || style.color == FieldStyle::Color::length;
  return layer.display.colorBar && (isVolume(layer) || (isField(layer) && byLength));
}

int ColorBar::linesAcross(const SceneLayer& layer, double width) {
  return linesOf(titleIn(titleOf(layer), lettersIn(width), kMostLines));
}

ColorBar::ColorBar(vtkRenderer* renderer)
    : renderer_(renderer),
      cells_(vtkSmartPointer<vtkPolyData>::New()),
      frame_(vtkSmartPointer<vtkPolyData>::New()),
      bar_(renderer, flatActorOf(cells_)),
      outline_(renderer, flatActorOf(frame_)),
      title_(renderer) {
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetNumberOfPoints(2 * (kSteps + 1));
  auto quads = vtkSmartPointer<vtkCellArray>::New();
  for (vtkIdType i = 0; i < kSteps; ++i) quads->InsertNextCell({2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2});
  auto colors = vtkSmartPointer<vtkUnsignedCharArray>::New();
  colors->SetNumberOfComponents(4);
  colors->SetNumberOfTuples(kSteps);
  cells_->SetPoints(points);
  cells_->SetPolys(quads);
  cells_->GetCellData()->SetScalars(colors);
  auto corners = vtkSmartPointer<vtkPoints>::New();
  corners->SetNumberOfPoints(4);
  auto loop = vtkSmartPointer<vtkCellArray>::New();
  loop->InsertNextCell({0, 1, 2, 3, 0});
  frame_->SetPoints(corners);
  frame_->SetLines(loop);
  outline_->GetProperty()->SetColor(0.6, 0.62, 0.65);
  setScaleFont(title_->GetTextProperty());
  title_->GetTextProperty()->SetVerticalJustificationToBottom();
  for (int i = 0; i < kMostLabels; ++i) setScaleFont(labels_.emplace_back(renderer)->GetTextProperty());
}

void ColorBar::show(const SceneLayer& layer, LayerColors* colors) {
  scale_ = barScaleOf(layer, *colors);
  auto* table = vtkUnsignedCharArray::SafeDownCast(cells_->GetCellData()->GetScalars());
  for (vtkIdType i = 0; i < kSteps; ++i) table->SetTypedTuple(i, scale_.colors[std::size_t(i)].data());
  table->Modified();
  cells_->Modified();
}

void ColorBar::placeCorners(const Frame& frame) {
  const auto place = [&](vtkPolyData* data, vtkIdType point, double along, double side) {
    double right = frame.thickness * side, up = frame.length * along;
    if (frame.across) std::swap(right, up);
    data->GetPoints()->SetPoint(point, frame.x + right, frame.y + up, 0);
  };
  for (vtkIdType i = 0; i <= kSteps; ++i)
    for (const int side : {0, 1}) place(cells_, 2 * i + side, double(i) / kSteps, side);
  const int corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (vtkIdType i = 0; i < 4; ++i) place(frame_, i, corners[i][0], corners[i][1]);
  for (vtkPolyData* data : {cells_.Get(), frame_.Get()}) {
    data->GetPoints()->Modified();
    data->Modified();
  }
}

void ColorBar::placeLabels(const Frame& frame, bool fits) {
  // Labels are to the left of the bar or above it; a threshold that is too close to an end of the range is
  // omitted.
  const double apart = (frame.across ? 40 : 12) * frame.unit, span = scale_.high - scale_.low;
  const int count = int(scale_.marks.size());
  for (int i = 0; i < kMostLabels; ++i) {
    const double value = i < count ? scale_.marks[std::size_t(i)] : scale_.low;
    const double share = span > 0 ? (value - scale_.low) / span : 0;
    const Shown<vtkTextActor>& label = labels_[std::size_t(i)];
    const bool isEnd = i >= count - 2;
    const bool isApart = isEnd || std::min(share, 1 - share) * frame.length > apart;
    justify(label.get(), frame.across, false);
    label->SetVisibility(fits && i < count && isApart);
    const std::string mark = isEnd || frame.across ? "" : " \xE2\x80\x93";
    label->SetInput((barNumber(value, span) + scale_.suffix + mark).c_str());
    if (frame.across)
      label->SetPosition(int(frame.x + share * frame.length),
                         int(frame.y + frame.thickness + 3 * frame.unit));
    else
      label->SetPosition(int(frame.x - 4 * frame.unit), int(frame.y + share * frame.length));
  }
}

int ColorBar::layOut(int width, int height, int index, double bottom, bool across, int linesBefore) {
  const double unit = pixelsPerPoint(renderer_);
  // Vertical, on the right; in a tall view, where the image reaches the sides, along the bottom.
  const double thickness = 14 * unit, room = height - (bottom + 8 + kTitleRow) * unit;
  const double length = across ? 0.6 * width : std::clamp(room, 0.15 * height, 0.45 * height);
  const double x = across ? 0.5 * (width - length) : width - (36 + 60 * index) * unit - thickness;
  const double y = across ? (bottom + heightAcross(index, linesBefore)) * unit
                          : std::max(0.5 * (height - length), bottom * unit);
  const Frame frame{x, y, length, thickness, unit, across};
  placeCorners(frame);
  justify(title_.get(), across, true);
  if (across)
    title_->SetPosition(int(0.5 * width), int(y + thickness + 20 * unit));
  else
    title_->SetPosition(int(x + thickness), int(y + length + (8 + kTitleRow * linesBefore) * unit));
  // Each title has its own lines, as long as there is room on its left: its distinctive part may be anywhere.
  const int letters = lettersIn((across ? width : x + thickness) / unit);
  const int lines = int((height - y - length) / unit / kTitleRow) - linesBefore;
  const std::string title =
      titleIn(scale_.title, letters, across ? kMostLines : std::clamp(lines, 1, kMostLines));
  title_->SetInput(title.c_str());
  // The smallest views have no row for a title, or no room for any of it.
  const bool fits = across || y + length < height;
  title_->SetVisibility(across || lines > 0);
  bar_->SetVisibility(fits);
  outline_->SetVisibility(fits);
  placeLabels(frame, fits);
  return linesOf(title);
}

}  // namespace sulcus::ui::scene
