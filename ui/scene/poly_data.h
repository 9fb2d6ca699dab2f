#pragma once

#include "core/image/mesh.h"
#include "ui/scene/glyphs.h"
#include "ui/scene/lobes.h"

#include <vtkSmartPointer.h>

class vtkPolyData;

namespace sulcus::ui {

vtkSmartPointer<vtkPolyData> polyDataOf(const Sticks& sticks);
vtkSmartPointer<vtkPolyData> polyDataOf(const Surfaces& surfaces);
/// With normals, and the first of the point scalars when there are any.
vtkSmartPointer<vtkPolyData> polyDataOf(const Mesh& mesh);

}  // namespace sulcus::ui
