#pragma once

#include "core/math/affine.h"

#include <vtkSmartPointer.h>

class vtkMatrix4x4;

namespace sulcus::ui::scene {

vtkSmartPointer<vtkMatrix4x4> matrixOf(const Affine& affine);

}  // namespace sulcus::ui::scene
