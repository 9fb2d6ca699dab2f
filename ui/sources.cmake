# Listed by hand; included by ui/CMakeLists.txt.
target_sources(sulcus_ui PRIVATE
  jobs/qt_post.cpp
  model/analysis_presenter.cpp model/commands.cpp model/comparison_model.cpp model/job_list_model.cpp
  model/layer_list_model.cpp model/layer_stack.cpp model/readout.cpp model/recent_files.cpp model/run_controller.cpp
  model/view_state.cpp)
