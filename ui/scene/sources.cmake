# Included by ui/CMakeLists.txt. What is drawn, with VTK and without Qt: its own target, so that a Qt include fails.
sulcus_library(sulcus_scene
  SOURCES
    scene/annotations.cpp scene/chart_scene.cpp scene/chart_style.cpp scene/color_bar.cpp scene/colormap.cpp
    scene/crosshair_mark.cpp scene/ellipsoids.cpp scene/field_actor.cpp scene/field_shapes.cpp scene/frame_budget.cpp
    scene/glyph_actor.cpp scene/glyphs.cpp scene/layer_colors.cpp scene/landmark_marks.cpp scene/legend.cpp scene/lightbox_scene.cpp scene/lines_2d.cpp scene/lobes.cpp
    scene/matrix_item.cpp scene/mesh_actor.cpp scene/mesh_index.cpp scene/mesh_shape.cpp scene/plane_blend.cpp scene/plane_image.cpp scene/plane_raster.cpp scene/plane_values.cpp
    scene/poly_data.cpp scene/scale_bar.cpp scene/screen_images.cpp scene/scene_3d.cpp scene/slice_camera.cpp scene/slice_scene.cpp scene/volume_body.cpp
    scene/vtk_matrix.cpp scene/ruler_mark.cpp scene/text_font.cpp scene/words.cpp
    scene/clipping.cpp scene/dark_text.cpp scene/scene_3d_planes.cpp
  PUBLIC sulcus_core ${VTK_LIBRARIES}
  PRECOMPILE <vtkActor.h> <vtkCellArray.h> <vtkImageData.h> <vtkPolyData.h> <vtkPolyDataMapper.h> <vtkProperty.h>
    <vtkRenderWindow.h> <vtkRenderer.h> <vtkSmartPointer.h> <vtkTextActor.h> <vtkTextProperty.h>)
vtk_module_autoinit(TARGETS sulcus_scene MODULES ${VTK_LIBRARIES})
