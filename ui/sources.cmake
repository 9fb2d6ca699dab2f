# Included by ui/CMakeLists.txt. The widgets, the views and the window.
sulcus_library(sulcus_ui
  SOURCES
    widgets/analysis_panel.cpp widgets/analysis_panel_presets.cpp widgets/brush_tool.cpp widgets/canvas.cpp widgets/canvas.h widgets/canvas_picture.cpp widgets/chart_view.cpp widgets/clusters_panel.cpp widgets/color_map_box.cpp widgets/command_palette.cpp widgets/compare_panel.cpp
    widgets/dialogs.cpp widgets/displacement_dialog.cpp widgets/draw_turns.cpp widgets/draw_turns.h widgets/elided_label.cpp widgets/folding_tabs.cpp widgets/help_pages.cpp widgets/image_pair_bar.cpp widgets/job_line.cpp widgets/label.cpp widgets/jobs_panel.cpp
    widgets/label_list.cpp widgets/layer_picker.cpp widgets/layer_properties.cpp widgets/layer_properties_kinds.cpp widgets/layers_panel.cpp
    widgets/lightbox_view.cpp widgets/main_window.cpp widgets/main_window_commands.cpp widgets/main_window_files.cpp widgets/main_window_menus.cpp
    widgets/main_window_panels.cpp widgets/main_window_takings.cpp widgets/main_window_search.cpp widgets/main_window_session.cpp widgets/main_window_views.cpp
    widgets/name_box.cpp widgets/number_edit.cpp widgets/option_form.cpp widgets/option_slider.cpp widgets/plots_panel.cpp widgets/scene_layers.cpp widgets/scene_layers.h widgets/scroll_strip.cpp
    widgets/shared_camera.h widgets/slice_gestures.cpp widgets/slice_view.cpp widgets/start_page.cpp widgets/status_line.cpp widgets/study_panel.cpp widgets/table_window.cpp
    widgets/theme.cpp widgets/view_3d.cpp widgets/view_area.cpp widgets/view_area_compare.cpp widgets/view_area_strip.cpp
    widgets/main_window_clusters.cpp widgets/main_window_compare.cpp widgets/main_window_pictures.cpp widgets/main_window_regions.cpp widgets/main_window_study.cpp widgets/movie_dialog.cpp
    widgets/movie_maker.cpp widgets/page_maker.cpp widgets/picture_dialog.cpp widgets/places_editor.cpp widgets/preferences_dialog.cpp widgets/region_bar.cpp
    widgets/view_picture.cpp widgets/apply_field_dialog.cpp widgets/view_area_windows.cpp
    widgets/view_widgets.h widgets/widget_help.cpp widgets/window_place.cpp
  PUBLIC sulcus_model Qt6::Widgets Qt6::Svg
  PRIVATE sulcus_scene sulcus_vtk_qt ${VTK_LIBRARIES}
  PRECOMPILE <QApplication> <QComboBox> <QFormLayout> <QHBoxLayout> <QLabel> <QPushButton> <QSignalBlocker>
    <QToolButton> <QVBoxLayout> <QWidget>)
set_target_properties(sulcus_ui PROPERTIES AUTOMOC ON)
# What the window shows of resources: its look, its icons, and the help pages, of which an analysis brings its own, with
# their picture.
set(shipped arrow-down.svg arrow-up.svg beside.svg check.svg compare.svg cube.svg float.svg fold.svg folder.svg grid.svg lightbox.svg more.svg overlay.svg
  panel-bottom.svg panel-left.svg panel-right.svg picture.svg play.svg redo.svg save.svg search.svg session.svg undo.svg unfold.svg
  window.qss)
list(TRANSFORM shipped PREPEND ${PROJECT_SOURCE_DIR}/resources/window/)
file(GLOB help_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/resources/help/*.md
     ${PROJECT_SOURCE_DIR}/resources/help/*.html ${PROJECT_SOURCE_DIR}/resources/help/similarity.png
     ${PROJECT_SOURCE_DIR}/resources/help/window-*.png)
qt_add_resources(sulcus_ui sulcus_window PREFIX /sulcus BASE ${PROJECT_SOURCE_DIR}/resources FILES ${shipped} ${help_pages})
vtk_module_autoinit(TARGETS sulcus_ui MODULES ${VTK_LIBRARIES})
