#pragma once

#include "core/image/volume.h"

#include <cstdint>

#include <vtkSmartPointer.h>

class vtkImageData;
class vtkMatrix4x4;

namespace sulcus::ui::scene {

/// The voxels as VTK sees them, in voxel axes (origin 0, spacing 1): use with matrixOf(grid.worldFromVoxel).
/// Nothing is copied: the caller keeps the volume or series alive for as long as the image is drawn.
vtkSmartPointer<vtkImageData> imageOf(const Series<float>& series, int volume);
vtkSmartPointer<vtkImageData> imageOf(const Volume<std::int32_t>& labels);

vtkSmartPointer<vtkMatrix4x4> matrixOf(const Affine& affine);

}  // namespace sulcus::ui::scene
