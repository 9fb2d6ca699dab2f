#pragma once

#include <array>
#include <sstream>
#include <string>
#include <vector>

#include <vtkContextDevice2D.h>
#if __has_include(<vtkUnicodeString.h>)  // up to VTK 9.2
#define SULCUS_VTK_UNICODE_STRING
#endif

namespace sulcus::ui::scene {

/// Writes what a chart draws as SVG, in pixels: coordinates are transformed in double precision and line
/// widths are those of the pen. (VTK's own exporter writes data units with six digits, which loses curves of
/// small numbers far from 0, and widths that differ along x and y.) Text remains text.
class SvgDevice : public vtkContextDevice2D {
 public:
  static SvgDevice* New();
  vtkTypeMacro(SvgDevice, vtkContextDevice2D);

  /// Size of the picture and pixels per point; to be called before anything is drawn.
  void start(int width, int height, double pixelsPerPoint);
  /// Everything drawn since then, as a document.
  std::string document(const std::string& title) const;

  void DrawPoly(float* points, int n, unsigned char* colors, int components) override;
  void DrawLines(float* points, int n, unsigned char* colors, int components) override;
  void DrawPoints(float* points, int n, unsigned char* colors, int components) override;
  void DrawPointSprites(vtkImageData* sprite, float* points, int n, unsigned char* colors,
                        int components) override;
  void DrawMarkers(int shape, bool highlight, float* points, int n, unsigned char* colors,
                   int components) override;
  void DrawQuad(float* points, int n) override;
  void DrawQuadStrip(float* points, int n) override;
  void DrawColoredPolygon(float* points, int n, unsigned char* colors, int components) override;
  void DrawString(float* point, const vtkStdString& text) override;
  void ComputeStringBounds(const vtkStdString& text, float bounds[4]) override;
#ifdef SULCUS_VTK_UNICODE_STRING
  void DrawString(float* point, const vtkUnicodeString& text) override;
  void ComputeStringBounds(const vtkUnicodeString& text, float bounds[4]) override;
#endif
  void ComputeJustifiedStringBounds(const char* text, float bounds[4]) override;
  bool MathTextIsSupported() override { return false; }
  void DrawImage(const vtkRectf& place, vtkImageData* image) override;
  // Charts have none of these.
  void DrawEllipseWedge(float, float, float, float, float, float, float, float) override {}
  void DrawEllipticArc(float, float, float, float, float, float) override {}
  void DrawMathTextString(float*, const vtkStdString&) override {}
  void DrawImage(float[2], float, vtkImageData*) override {}
  void SetColor4(unsigned char color[4]) override;
  void SetTexture(vtkImageData*, int) override {}
  void SetPointSize(float size) override { pointSize_ = size; }
  void SetLineWidth(float) override {}  // both are taken from the pen
  void SetLineType(int) override {}
  void SetMatrix(vtkMatrix3x3* m) override;
  void GetMatrix(vtkMatrix3x3* m) override;
  void MultiplyMatrix(vtkMatrix3x3* m) override;
  void PushMatrix() override { stack_.push_back(matrix_); }
  void PopMatrix() override;
  void SetClipping(int* box) override;
  void EnableClipping(bool enable) override { clips_ = enable; }

 private:
  using Matrix = std::array<double, 9>;

  SvgDevice() = default;
  /// Pixel coordinates in the picture, from its upper left corner.
  std::array<double, 2> pixel(double x, double y) const;
  std::string pixels(const float* points, int n) const;
  std::string stroke() const;
  std::string fill() const;
  std::string clip() const;
  int pixelsOfFont() const;

  std::ostringstream body_, clipPaths_;
  int clipCount_ = 0;
  bool clips_ = false;
  double pixelsPerPoint_ = 1;
  float pointSize_ = 1;
  Matrix matrix_{1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::vector<Matrix> stack_;
};

}  // namespace sulcus::ui::scene
