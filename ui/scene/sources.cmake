# Included by ui/CMakeLists.txt. What is drawn, with VTK and without Qt: its own target, so that a Qt include fails.
sulcus_library(sulcus_scene
  SOURCES
    scene/common/annotations.cpp scene/charts/chart_scene.cpp scene/charts/chart_style.cpp scene/common/color_bar.cpp scene/common/colormap.cpp
    scene/slices/crosshair_mark.cpp scene/glyphs/ellipsoids.cpp scene/glyphs/field_actor.cpp scene/glyphs/field_shapes.cpp scene/common/frame_budget.cpp
    scene/glyphs/glyph_actor.cpp scene/glyphs/glyphs.cpp scene/slices/layer_colors.cpp scene/slices/landmark_marks.cpp scene/common/legend.cpp scene/slices/lightbox_scene.cpp scene/slices/lines_2d.cpp scene/glyphs/lobes.cpp
    scene/charts/matrix_item.cpp scene/volume3d/mesh_actor.cpp scene/volume3d/mesh_index.cpp scene/volume3d/mesh_shape.cpp scene/slices/plane_blend.cpp scene/slices/plane_image.cpp scene/slices/plane_raster.cpp scene/slices/plane_values.cpp
    scene/tracts/region_marks.cpp scene/tracts/tract_actor.cpp scene/tracts/tract_colors.cpp scene/volume3d/poly_data.cpp scene/common/scale_bar.cpp scene/common/shown.cpp scene/common/screen_images.cpp scene/volume3d/scene_3d.cpp scene/slices/slice_camera.cpp scene/slices/slice_scene.cpp scene/volume3d/volume_rendering.cpp
    scene/common/vtk_matrix.cpp scene/slices/ruler_mark.cpp scene/common/text_font.cpp scene/common/words.cpp
    scene/volume3d/clipping.cpp scene/common/dark_text.cpp scene/volume3d/scene_planes.cpp scene/volume3d/camera_3d.cpp scene/volume3d/orientation_cube.cpp scene/volume3d/scene_bodies.cpp scene/volume3d/scene_glyphs.cpp scene/common/color_bars.cpp scene/charts/svg_device.cpp
  PUBLIC sulcus_core ${VTK_LIBRARIES}
  PRECOMPILE <vtkActor.h> <vtkCellArray.h> <vtkImageData.h> <vtkPolyData.h> <vtkPolyDataMapper.h> <vtkProperty.h>
    <vtkRenderWindow.h> <vtkRenderer.h> <vtkSmartPointer.h> <vtkTextActor.h> <vtkTextProperty.h>)
vtk_module_autoinit(TARGETS sulcus_scene MODULES ${VTK_LIBRARIES})
