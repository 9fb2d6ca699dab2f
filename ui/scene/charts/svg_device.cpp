#include "ui/scene/charts/svg_device.h"

#include "core/base/sanitized.h"
#include "ui/scene/common/text_font.h"

#include <algorithm>
#include <cmath>

#include <vtkBase64Utilities.h>
#include <vtkBrush.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPNGWriter.h>
#include <vtkPen.h>
#include <vtkRect.h>
#include <vtkTextProperty.h>
#include <vtkTextRenderer.h>
#include <vtkUnsignedCharArray.h>

#ifdef SULCUS_VTK_UNICODE_STRING
#include <vtkUnicodeString.h>
#endif

namespace sulcus::ui::scene {
namespace {

/// Rounded to hundredths of a pixel, without trailing zeros.
std::string number(double value) {
  std::ostringstream text;
  text << std::round(100 * value) / 100;
  return text.str();
}

std::string colorText(const unsigned char* color) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text = "#";
  for (int c = 0; c < 3; ++c) {
    text += kDigits[color[c] / 16];
    text += kDigits[color[c] % 16];
  }
  return text;
}

}  // namespace

vtkStandardNewMacro(SvgDevice);

void SvgDevice::start(int width, int height, double pixelsPerPoint) {
  Geometry[0] = width;
  Geometry[1] = height;
  pixelsPerPoint_ = pixelsPerPoint;
  SetViewportSize({width, height});
  SetViewportRect({0, 0, width, height});
}

std::string SvgDevice::document(const std::string& title) const {
  std::ostringstream text;
  text << R"(<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width=")" << Geometry[0] << R"(" height=")"
       << Geometry[1] << R"(" viewBox="0 0 )" << Geometry[0] << ' ' << Geometry[1] << "\">\n<title>"
       << escapedForXml(title) << "</title>\n<defs>\n"
       << clipPaths_.str() << "</defs>\n"
       << body_.str() << "</svg>\n";
  return text.str();
}

std::array<double, 2> SvgDevice::pixel(double x, double y) const {
  const Matrix& m = matrix_;
  return {m[0] * x + m[1] * y + m[2], Geometry[1] - (m[3] * x + m[4] * y + m[5])};
}

std::string SvgDevice::pixels(const float* points, int n) const {
  std::string text;
  for (int i = 0; i < n; ++i) {
    const auto [x, y] = pixel(points[2 * i], points[2 * i + 1]);
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    text += (text.empty() ? "" : " ") + number(x) + ',' + number(y);
  }
  return text;
}

std::string SvgDevice::stroke() const {
  if (Pen->GetLineType() == vtkPen::NO_PEN || Pen->GetOpacity() == 0) return R"( stroke="none")";
  const double width = std::max(0.1f, Pen->GetWidth());
  std::string text = " stroke=\"" + colorText(Pen->GetColor()) + "\" stroke-width=\"" + number(width) + '"';
  if (Pen->GetOpacity() < 255) text += " stroke-opacity=\"" + number(Pen->GetOpacity() / 255.0) + '"';
  const auto dashes = [&](std::initializer_list<double> lengths) {
    text += " stroke-dasharray=\"";
    for (const double length : lengths) text += number(length * width) + ' ';
    text.back() = '"';
  };
  switch (Pen->GetLineType()) {
    case vtkPen::DASH_LINE:
      dashes({4, 3});
      break;
    case vtkPen::DOT_LINE:
      dashes({1, 2});
      break;
    case vtkPen::DASH_DOT_LINE:
      dashes({4, 2, 1, 2});
      break;
    case vtkPen::DASH_DOT_DOT_LINE:
      dashes({4, 2, 1, 2, 1, 2});
      break;
    default:
      break;
  }
  return text;
}

std::string SvgDevice::fill() const {
  if (Brush->GetOpacity() == 0) return R"( fill="none")";
  std::string text = " fill=\"" + colorText(Brush->GetColor()) + '"';
  if (Brush->GetOpacity() < 255) text += " fill-opacity=\"" + number(Brush->GetOpacity() / 255.0) + '"';
  return text;
}

std::string SvgDevice::clip() const {
  return clips_ && clipCount_ > 0 ? " clip-path=\"url(#clip" + std::to_string(clipCount_) + ")\"" : "";
}

void SvgDevice::DrawPoly(float* points, int n, unsigned char*, int) {
  if (n < 2 || Pen->GetOpacity() == 0) return;
  body_ << "<polyline fill=\"none\"" << stroke() << clip() << " points=\"" << pixels(points, n) << "\"/>\n";
}

void SvgDevice::DrawLines(float* points, int n, unsigned char*, int) {
  for (int i = 0; i + 1 < n; i += 2) DrawPoly(points + 2 * i, 2, nullptr, 0);
}

void SvgDevice::DrawPoints(float* points, int n, unsigned char*, int) {
  for (int i = 0; i < n; ++i) {
    const auto [x, y] = pixel(points[2 * i], points[2 * i + 1]);
    if (std::isfinite(x) && std::isfinite(y))
      body_ << "<circle cx=\"" << number(x) << "\" cy=\"" << number(y) << "\" r=\""
            << number(0.5 * std::max(pointSize_, Pen->GetWidth())) << "\" fill=\""
            << colorText(Pen->GetColor()) << "\" fill-opacity=\"" << number(Pen->GetOpacity() / 255.0) << '"'
            << clip() << "/>\n";
  }
}

void SvgDevice::DrawPointSprites(vtkImageData*, float* points, int n, unsigned char* colors, int components) {
  DrawPoints(points, n, colors, components);
}

void SvgDevice::DrawMarkers(int shape, bool, float* points, int n, unsigned char* colors, int components) {
  if (shape == VTK_MARKER_CIRCLE) return DrawPoints(points, n, colors, components);
  const double half = 0.5 * Pen->GetWidth();
  for (int i = 0; i < n; ++i) {
    const auto [x, y] = pixel(points[2 * i], points[2 * i + 1]);
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    const auto line = [&, x = x, y = y](double x1, double y1, double x2, double y2) {
      body_ << "<line x1=\"" << number(x + x1) << "\" y1=\"" << number(y + y1) << "\" x2=\"" << number(x + x2)
            << "\" y2=\"" << number(y + y2) << "\" stroke=\"" << colorText(Pen->GetColor())
            << "\" stroke-width=\"" << number(0.3 * half) << '"' << clip() << "/>\n";
    };
    const auto area = [&, x = x, y = y](const std::vector<std::pair<double, double>>& corners) {
      body_ << "<polygon stroke=\"none\" fill=\"" << colorText(Pen->GetColor()) << "\" fill-opacity=\""
            << number(Pen->GetOpacity() / 255.0) << '"' << clip() << " points=\"";
      for (const auto& [dx, dy] : corners) body_ << number(x + dx) << ',' << number(y + dy) << ' ';
      body_ << "\"/>\n";
    };
    if (shape == VTK_MARKER_SQUARE) {
      area({{-half, -half}, {half, -half}, {half, half}, {-half, half}});
    } else if (shape == VTK_MARKER_DIAMOND) {
      area({{-half, 0}, {0, -half}, {half, 0}, {0, half}});
    } else if (shape == VTK_MARKER_PLUS) {
      line(-half, 0, half, 0);
      line(0, -half, 0, half);
    } else {
      line(-half, -half, half, half);
      line(-half, half, half, -half);
    }
  }
}

void SvgDevice::DrawQuad(float* points, int n) { DrawColoredPolygon(points, n, nullptr, 0); }

void SvgDevice::DrawQuadStrip(float* points, int n) {
  // Pairs of a lower and an upper point: the outline goes along one side and back along the other.
  std::vector<float> outline;
  for (int i = 0; i < n; i += 2) outline.insert(outline.end(), points + 2 * i, points + 2 * i + 2);
  for (int i = n - 1 - (n % 2); i > 0; i -= 2)
    outline.insert(outline.end(), points + 2 * i, points + 2 * i + 2);
  DrawColoredPolygon(outline.data(), int(outline.size() / 2), nullptr, 0);
}

void SvgDevice::DrawColoredPolygon(float* points, int n, unsigned char*, int) {
  if (n < 3 || Brush->GetOpacity() == 0) return;
  body_ << "<polygon stroke=\"none\"" << fill() << clip() << " points=\"" << pixels(points, n) << "\"/>\n";
}

int SvgDevice::pixelsOfFont() const { return int(std::lround(TextProp->GetFontSize() * pixelsPerPoint_)); }

void SvgDevice::DrawString(float* point, const vtkStdString& text) {
  if (text.empty() || TextProp->GetOpacity() == 0) return;
  const auto [x, y] = pixel(point[0], point[1]);
  const double height = pixelsOfFont();
  const int down = TextProp->GetVerticalJustification();
  double lower = -0.2;  // fraction of the height
  if (down == VTK_TEXT_TOP) lower = 0.76;
  if (down == VTK_TEXT_CENTERED) lower = 0.35;
  const int across = TextProp->GetJustification();
  const char* anchor = "start";
  if (across == VTK_TEXT_RIGHT) anchor = "end";
  if (across == VTK_TEXT_CENTERED) anchor = "middle";
  std::array<double, 3> rgb{};
  TextProp->GetColor(rgb.data());
  std::array<unsigned char, 3> color{};
  for (std::size_t c = 0; c < 3; ++c) color[c] = static_cast<unsigned char>(std::lround(255 * rgb[c]));
  body_ << "<text transform=\"translate(" << number(x) << ',' << number(y) << ')';
  if (TextProp->GetOrientation() != 0) body_ << " rotate(" << number(-TextProp->GetOrientation()) << ')';
  body_ << "\" y=\"" << number(lower * height)
        << "\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"" << number(height)
        << "\" text-anchor=\"" << anchor << '"';
  if (isBold(TextProp)) body_ << " font-weight=\"bold\"";
  body_ << " fill=\"" << colorText(color.data()) << "\">" << escapedForXml(text) << "</text>\n";
}

void SvgDevice::ComputeStringBounds(const vtkStdString& text, float bounds[4]) {
  std::array<int, 4> box{};
  vtkTextRenderer* const renderer = vtkTextRenderer::GetInstance();
  if (renderer) renderer->GetBoundingBox(TextProp, text, box.data(), int(std::lround(72 * pixelsPerPoint_)));
  const double across = std::hypot(matrix_[0], matrix_[3]), up = std::hypot(matrix_[1], matrix_[4]);
  bounds[0] = float(box[0] / across);
  bounds[1] = float(box[2] / up);
  bounds[2] = float((box[1] - box[0] + 1) / across);
  bounds[3] = float((box[3] - box[2] + 1) / up);
}

#ifdef SULCUS_VTK_UNICODE_STRING
void SvgDevice::DrawString(float* point, const vtkUnicodeString& text) {
  DrawString(point, vtkStdString(text.utf8_str()));
}

void SvgDevice::ComputeStringBounds(const vtkUnicodeString& text, float bounds[4]) {
  ComputeStringBounds(vtkStdString(text.utf8_str()), bounds);
}
#endif

void SvgDevice::ComputeJustifiedStringBounds(const char* text, float bounds[4]) {
  ComputeStringBounds(vtkStdString(text), bounds);
}

void SvgDevice::DrawImage(const vtkRectf& place, vtkImageData* image) {
  if (image->GetScalarType() != VTK_UNSIGNED_CHAR || image->GetNumberOfScalarComponents() < 3) return;
  const vtkNew<vtkPNGWriter> writer;
  writer->WriteToMemoryOn();
  writer->SetInputData(image);
  writer->Write();
  vtkUnsignedCharArray* const png = writer->GetResult();
  const auto size = std::size_t(png->GetNumberOfValues());
  std::string encoded(4 * (size / 3 + 1), '\0');
  encoded.resize(
      vtkBase64Utilities::Encode(png->GetPointer(0), size, reinterpret_cast<unsigned char*>(encoded.data())));
  const auto lower = pixel(place.GetX(), place.GetY());
  const auto upper = pixel(place.GetX() + place.GetWidth(), place.GetY() + place.GetHeight());
  body_ << "<image style=\"image-rendering:pixelated\" preserveAspectRatio=\"none\" x=\"" << number(lower[0])
        << "\" y=\"" << number(upper[1]) << "\" width=\"" << number(upper[0] - lower[0]) << "\" height=\""
        << number(lower[1] - upper[1]) << '"' << clip() << " href=\"data:image/png;base64," << encoded
        << "\"/>\n";
}

void SvgDevice::SetColor4(unsigned char color[4]) {
  Pen->SetColor(color[0], color[1], color[2], color[3]);
  Brush->SetColor(color[0], color[1], color[2], color[3]);
}

void SvgDevice::SetMatrix(vtkMatrix3x3* m) { std::copy_n(m->GetData(), 9, matrix_.begin()); }

void SvgDevice::GetMatrix(vtkMatrix3x3* m) {
  std::copy_n(matrix_.begin(), 9, m->GetData());
  m->Modified();
}

void SvgDevice::MultiplyMatrix(vtkMatrix3x3* m) {
  Matrix product{};
  vtkMatrix3x3::Multiply3x3(matrix_.data(), m->GetData(), product.data());
  matrix_ = product;
}

void SvgDevice::PopMatrix() {
  if (stack_.empty()) return;
  matrix_ = stack_.back();
  stack_.pop_back();
}

void SvgDevice::SetClipping(int* box) {
  clipPaths_ << "<clipPath id=\"clip" << ++clipCount_ << "\"><rect x=\"" << box[0] << "\" y=\""
             << Geometry[1] - box[1] - box[3] << "\" width=\"" << std::max(0, box[2]) << "\" height=\""
             << std::max(0, box[3]) << "\"/></clipPath>\n";
}

}  // namespace sulcus::ui::scene
