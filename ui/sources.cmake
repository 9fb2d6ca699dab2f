# Listed by hand; included by ui/CMakeLists.txt.
target_sources(sulcus_ui PRIVATE
  jobs/file_jobs.cpp jobs/qt_post.cpp
  model/analysis_presenter.cpp model/chart_text.cpp model/commands.cpp model/comparison_model.cpp
  model/image_pair.cpp model/input_preview.cpp
  model/job_list_model.cpp model/layer_list_model.cpp model/layer_stack.cpp model/plots_model.cpp model/readout.cpp
  model/recent_files.cpp model/run_adjust.cpp model/run_controller.cpp model/run_layers.cpp model/table_model.cpp
  model/view_state.cpp
  widgets/analysis_panel.cpp widgets/chart_view.cpp widgets/compare_panel.cpp widgets/dialogs.cpp
  widgets/jobs_panel.cpp widgets/layer_picker.cpp widgets/layer_properties.cpp widgets/layer_properties_kinds.cpp widgets/layers_panel.cpp
  widgets/image_pair_bar.cpp widgets/main_window.cpp widgets/main_window_commands.cpp widgets/main_window_files.cpp widgets/main_window_menus.cpp widgets/number_edit.cpp
  widgets/option_form.cpp widgets/option_slider.cpp widgets/plots_panel.cpp widgets/start_page.cpp
  widgets/status_line.cpp widgets/table_window.cpp widgets/view_area.cpp
  widgets/widget_help.cpp)
