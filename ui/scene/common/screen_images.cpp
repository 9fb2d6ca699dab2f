#include "ui/scene/common/screen_images.h"

#include <algorithm>
#include <utility>

#include <vtkImageData.h>
#include <vtkObjectFactory.h>
#include <vtkOpenGLRenderWindow.h>
#include <vtkOpenGLShaderCache.h>
#include <vtkOpenGLState.h>
#include <vtkOpenGLVertexArrayObject.h>
#include <vtkShaderProgram.h>
#include <vtkTextureObject.h>
#include <vtkViewport.h>
#if __has_include(<vtk_glad.h>)  // from VTK 9.4 on
#include <vtk_glad.h>
#else
#include <vtk_glew.h>
#endif

namespace sulcus::ui::scene {
namespace {

// VTK replaces the comments by its declarations.
constexpr const char* kCorners = R"(//VTK::System::Dec
in vec4 vertexMC;
in vec2 tcoordMC;
out vec2 tcoordVC;
void main() {
  tcoordVC = tcoordMC;
  gl_Position = vertexMC;
}
)";
constexpr const char* kPixels = R"(//VTK::System::Dec
//VTK::Output::Dec
in vec2 tcoordVC;
uniform sampler2D source;
uniform float opacity;
void main() {
  gl_FragData[0] = texture2D(source, tcoordVC) * vec4(1.0, 1.0, 1.0, opacity);
}
)";

}  // namespace

vtkStandardNewMacro(ScreenImages);

void ScreenImages::show(std::vector<Part> parts) {
  parts_ = std::move(parts);
  std::erase_if(textures_, [this](const auto& texture) {
    return std::ranges::find(parts_, texture.first, &Part::pixels) == parts_.end();
  });
  Modified();
}

int ScreenImages::RenderOpaqueGeometry(vtkViewport* viewport) {
  auto* const window = vtkOpenGLRenderWindow::SafeDownCast(viewport->GetVTKWindow());
  if (!window || parts_.empty()) return 0;
  vtkOpenGLState* const state = window->GetState();
  const vtkOpenGLState::ScopedglEnableDisable depth(state, GL_DEPTH_TEST), blend(state, GL_BLEND);
  state->vtkglDisable(GL_DEPTH_TEST);
  for (const Part& part : parts_) draw(part, *window, viewport->GetSize());
  return 1;
}

void ScreenImages::draw(const Part& part, vtkOpenGLRenderWindow& window, const int* size) {
  auto& [texture, uploaded] = textures_[part.pixels];
  const int width = part.pixels->GetDimensions()[0], height = part.pixels->GetDimensions()[1];
  if (!texture) {
    texture = vtkSmartPointer<vtkTextureObject>::New();
    texture->SetContext(&window);
    texture->SetWrapS(vtkTextureObject::ClampToEdge);
    texture->SetWrapT(vtkTextureObject::ClampToEdge);
  }
  if (uploaded != part.pixels->GetMTime()) {
    texture->Create2DFromRaw(unsigned(width), unsigned(height), 4, VTK_UNSIGNED_CHAR,
                             part.pixels->GetScalarPointer());
    uploaded = part.pixels->GetMTime();
  }
  const int filter = part.smooth ? vtkTextureObject::Linear : vtkTextureObject::Nearest;
  texture->SetMinificationFilter(filter);
  texture->SetMagnificationFilter(filter);
  texture->Activate();
  const bool mixes = !part.opaque || part.opacity < 1;
  window.GetState()->SetEnumState(GL_BLEND, mixes);
  window.GetState()->vtkglBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE,
                                            GL_ONE_MINUS_SRC_ALPHA);
  vtkShaderProgram* const program = window.GetShaderCache()->ReadyShaderProgram(kCorners, kPixels, "");
  program->SetUniformi("source", texture->GetTextureUnit());
  program->SetUniformf("opacity", float(part.opacity));
  const float from = float(part.first) / float(width);
  const double left = part.left + double(from) * (part.right - part.left);
  const auto across = [&](double x) { return float(2 * x / size[0] - 1); };
  const auto along = [&](double y) { return float(2 * y / size[1] - 1); };
  float inImage[] = {from, 0, 1, 0, 1, 1, from, 1};
  float onScreen[] = {across(left),       along(part.bottom), 0, across(part.right), along(part.bottom), 0,
                      across(part.right), along(part.top),    0, across(left),       along(part.top),    0};
  texture->CopyToFrameBuffer(inImage, onScreen, program, corners_);
  texture->Deactivate();
}

void ScreenImages::ReleaseGraphicsResources(vtkWindow* window) {
  for (auto& [pixels, texture] : textures_) texture.object->ReleaseGraphicsResources(window);
  textures_.clear();
  corners_->ReleaseGraphicsResources();
  Superclass::ReleaseGraphicsResources(window);
}

}  // namespace sulcus::ui::scene
