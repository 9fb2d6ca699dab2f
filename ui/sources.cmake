# Included by ui/CMakeLists.txt. The widgets, the views and the window.
sulcus_library(sulcus_ui
  SOURCES
    widgets/panels/analysis_panel.cpp widgets/tools/brush_tool.cpp widgets/panels/bundles_panel.cpp widgets/tools/region_tool.cpp widgets/views/canvas.cpp widgets/views/canvas.h widgets/views/chart_view.cpp widgets/panels/clusters_panel.cpp widgets/controls/color_map_box.cpp widgets/dialogs/command_palette.cpp widgets/panels/compare_panel.cpp
    widgets/dialogs/dialogs.cpp widgets/dialogs/displacement_dialog.cpp widgets/views/render_scheduler.cpp widgets/views/render_scheduler.h widgets/controls/elided_label.cpp widgets/controls/folding_tabs.cpp widgets/help/help_pages.cpp widgets/tools/image_overlay_bar.cpp widgets/window/job_line.cpp widgets/controls/label.cpp widgets/panels/jobs_panel.cpp
    widgets/panels/label_list.cpp widgets/panels/layer_picker.cpp widgets/panels/layer_properties.cpp widgets/panels/layer_card.cpp widgets/panels/finding_notice.cpp widgets/panels/layers_panel.cpp widgets/panels/result_chooser.cpp
    widgets/views/lightbox_view.cpp widgets/window/main_window.cpp
    widgets/dialogs/file_dialogs.cpp widgets/window/session_control.cpp widgets/window/side_panels.cpp widgets/window/window_look.cpp widgets/window/window_menus.cpp
    widgets/window/window_parts.cpp widgets/commands/cluster_commands.cpp widgets/commands/compare_commands.cpp widgets/commands/file_commands.cpp widgets/commands/help_commands.cpp
    widgets/commands/layer_commands.cpp widgets/commands/picture_commands.cpp widgets/commands/plot_commands.cpp widgets/commands/region_commands.cpp widgets/commands/reinterpretation_commands.cpp
    widgets/commands/run_commands.cpp widgets/commands/search_commands.cpp widgets/commands/study_commands.cpp widgets/commands/view_commands.cpp
    widgets/controls/elided_combo_box.cpp widgets/controls/number_edit.cpp widgets/controls/contrast_table.cpp widgets/controls/range_histogram.cpp widgets/controls/option_form.cpp widgets/controls/option_slider.cpp widgets/panels/plots_panel.cpp widgets/views/color_bar_strip.cpp widgets/views/color_bar_strip.h widgets/views/scene_layers.cpp widgets/views/scene_layers.h widgets/controls/scroll_strip.cpp
    widgets/views/shared_camera.h widgets/views/slice_view.cpp widgets/help/start_page.cpp widgets/window/status_line.cpp widgets/panels/study_panel.cpp widgets/panels/table_window.cpp
    widgets/window/theme.cpp widgets/views/view_3d.cpp widgets/views/view_area.cpp widgets/views/view_strip.cpp
    widgets/export/movie_dialog.cpp
    widgets/export/movie_exporter.cpp widgets/export/html_exporter.cpp widgets/export/picture_dialog.cpp widgets/dialogs/remote_hosts_editor.cpp widgets/dialogs/preferences_dialog.cpp widgets/tools/region_bar.cpp
    widgets/export/view_picture.cpp widgets/dialogs/apply_field_dialog.cpp widgets/views/compare_page.cpp
    widgets/views/scene_view.cpp widgets/views/plane_view.cpp widgets/views/view_grid.cpp widgets/controls/widget_help.cpp widgets/window/window_place.cpp widgets/controls/picture_card.cpp widgets/help/guide.cpp
  PUBLIC sulcus_model Qt6::Widgets Qt6::Svg
  PRIVATE sulcus_scene sulcus_vtk_qt ${VTK_LIBRARIES}
  PRECOMPILE <QApplication> <QComboBox> <QFormLayout> <QHBoxLayout> <QLabel> <QPushButton> <QSignalBlocker>
    <QToolButton> <QVBoxLayout> <QWidget>)
set_target_properties(sulcus_ui PROPERTIES AUTOMOC ON)
# What the window shows of resources: its look, its icons, and the help pages, of which an analysis brings its own, with
# their picture.
set(shipped arrow-down.svg arrow-left.svg arrow-right.svg arrow-up.svg axial.svg back.svg beside.svg check.svg compare.svg computer.svg coronal.svg cube.svg details.svg file.svg float.svg fold.svg folder-new.svg folder.svg forward.svg grid.svg layer-color-image.svg layer-curves.svg layer-diffusion-series.svg layer-displacement.svg layer-functions-on-the-sphere.svg layer-labels.svg layer-peaks.svg layer-series.svg layer-surface.svg layer-table.svg layer-tracts.svg layer-volume.svg lightbox.svg list.svg more.svg overlay.svg
  panel-bottom.svg panel-left.svg panel-right.svg picture.svg play.svg redo.svg sagittal.svg save.svg search.svg session.svg undo.svg unfold.svg up.svg warning.svg
  window.qss)
list(TRANSFORM shipped PREPEND ${PROJECT_SOURCE_DIR}/resources/window/)
file(GLOB help_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/resources/help/*.md
     ${PROJECT_SOURCE_DIR}/resources/help/*.html ${PROJECT_SOURCE_DIR}/resources/help/similarity.png
     ${PROJECT_SOURCE_DIR}/resources/help/window-*.png ${PROJECT_SOURCE_DIR}/resources/help/clip-*.gif)
file(GLOB start_page CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/resources/brain/*.nii.gz
     ${PROJECT_SOURCE_DIR}/resources/fonts/*.otf ${PROJECT_SOURCE_DIR}/resources/methods/*.txt ${PROJECT_SOURCE_DIR}/resources/start/*.png ${PROJECT_SOURCE_DIR}/resources/icons/sulcus.svg)
qt_add_resources(sulcus_ui sulcus_window PREFIX /sulcus BASE ${PROJECT_SOURCE_DIR}/resources
  FILES ${shipped} ${help_pages} ${start_page})
vtk_module_autoinit(TARGETS sulcus_ui MODULES ${VTK_LIBRARIES})
