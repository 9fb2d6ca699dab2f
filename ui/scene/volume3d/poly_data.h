#pragma once

#include "core/image/mesh.h"
#include "ui/scene/glyphs/glyphs.h"
#include "ui/scene/glyphs/lobes.h"

#include <vtkSmartPointer.h>

class vtkActor;
class vtkActor2D;
class vtkPolyData;

namespace sulcus::ui::scene {

vtkSmartPointer<vtkPolyData> polyDataOf(const Sticks& sticks);
vtkSmartPointer<vtkPolyData> polyDataOf(const Surfaces& surfaces);
/// The surface with normals and named point scalars.
vtkSmartPointer<vtkPolyData> polyDataOf(const Mesh& mesh);
/// A line from each even point to the next.
vtkSmartPointer<vtkPolyData> linesOf(const std::vector<Vec3<float>>& segments);
/// An actor that draws data in their own colors.
vtkSmartPointer<vtkActor> coloredActor();
/// An actor that draws lines or cells on top of everything, in pixels or in mm, RAS+.
vtkSmartPointer<vtkActor2D> flatActorOf(vtkPolyData* data, bool inWorld = false);
/// Sets the data of an actor with a vtkPolyDataMapper; without points it is hidden.
void showData(vtkActor* actor, vtkPolyData* data);

}  // namespace sulcus::ui::scene
