#pragma once

#include <map>
#include <vector>

#include <vtkNew.h>
#include <vtkProp.h>
#include <vtkSmartPointer.h>

class vtkImageData;
class vtkOpenGLRenderWindow;
class vtkOpenGLVertexArrayObject;
class vtkTextureObject;

namespace sulcus::ui::scene {

/// Stacked images in the plane of the screen, in their own colors. VTK's images are polygons in space that
/// are lit and drawn more than once, which without a GPU takes most of the drawing time of a slice. UI
/// thread.
class ScreenImages : public vtkProp {
 public:
  static ScreenImages* New();
  vtkTypeMacro(ScreenImages, vtkProp);

  struct Part {
    vtkImageData* pixels;             ///< RGBA, not premultiplied; must exist as long as it is shown
    double left, bottom, right, top;  ///< positions of its edges, in pixels of the viewport
    double opacity = 1;
    bool smooth = false;  ///< interpolate between its pixels
    bool opaque = false;  ///< no pixel is transparent
    int first = 0;        ///< first column that is drawn
  };
  /// Bottom to top.
  void show(std::vector<Part> parts);

  int RenderOpaqueGeometry(vtkViewport* viewport) override;
  void ReleaseGraphicsResources(vtkWindow* window) override;

 private:
  struct Texture {
    vtkSmartPointer<vtkTextureObject> object;
    vtkMTimeType uploaded = 0;  ///< modification time of the uploaded image
  };
  void draw(const Part& part, vtkOpenGLRenderWindow& window, const int* size);

  std::vector<Part> parts_;
  std::map<vtkImageData*, Texture> textures_;
  vtkNew<vtkOpenGLVertexArrayObject> corners_;
};

}  // namespace sulcus::ui::scene
