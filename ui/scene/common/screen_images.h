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

/// Images that lie in the plane of the screen, one over the other, in their own colors. VTK's images are
/// polygons in space that are lit and drawn more than once, which without a GPU takes most of the time of a
/// slice. UI thread.
class ScreenImages : public vtkProp {
 public:
  static ScreenImages* New();
  vtkTypeMacro(ScreenImages, vtkProp);

  struct Part {
    vtkImageData* pixels;             ///< RGBA, not multiplied by their opacity; as long as it is shown
    double left, bottom, right, top;  ///< where its edges lie, in pixels of the viewport
    double opacity = 1;
    bool smooth = false;  ///< between its pixels
    bool opaque = false;  ///< no pixel is clear
    int first = 0;        ///< column, before which nothing is drawn
  };
  /// Bottom to top.
  void show(std::vector<Part> parts);

  int RenderOpaqueGeometry(vtkViewport* viewport) override;
  void ReleaseGraphicsResources(vtkWindow* window) override;

 private:
  struct Texture {
    vtkSmartPointer<vtkTextureObject> object;
    vtkMTimeType uploaded = 0;  ///< the image, by its time of change
  };
  void draw(const Part& part, vtkOpenGLRenderWindow& window, const int* size);

  std::vector<Part> parts_;
  std::map<vtkImageData*, Texture> textures_;
  vtkNew<vtkOpenGLVertexArrayObject> corners_;
};

}  // namespace sulcus::ui::scene
