# Included by ui/CMakeLists.txt. What the window shows and does, and the file jobs, without widgets: its own target, which
# links of Qt QtCore alone, so that a widget fails to compile.
sulcus_library(sulcus_model
  SOURCES
    jobs/autosave_folder.cpp jobs/file_jobs.cpp jobs/movie_file.cpp jobs/picture_note.cpp jobs/qt_post.cpp jobs/saved_run.cpp jobs/session_file.cpp jobs/session_json.cpp jobs/session_layer.cpp jobs/session_open.cpp jobs/session_page.cpp
    model/choices/analysis_presenter.cpp model/choices/input_choice.cpp model/choices/option_choice.cpp model/choices/presenters.cpp model/layers/chart_text.cpp model/layers/clusters_model.cpp model/layers/dissection.cpp model/views/commands.cpp model/comparison/compared_layers.cpp model/comparison/comparison_model.cpp model/choices/remote_hosts.cpp model/session/file_names.cpp model/choices/examples.cpp model/choices/findings.cpp model/comparison/result_files.cpp model/session/history.cpp
    model/layers/image_overlay.cpp model/choices/input_preview.cpp model/runs/job_list_model.cpp model/choices/left_out_volumes.cpp model/layers/label_lists.cpp model/layers/layer_list_model.cpp
    model/layers/layer_plots.cpp model/layers/layer_stack.cpp model/layers/arrived_layers.cpp model/views/lightbox.cpp model/runs/growing_lines.cpp model/runs/live_run.cpp model/views/typed_position.cpp model/layers/plots_model.cpp model/layers/readout.cpp
    model/session/recent_files.cpp model/runs/run.cpp model/runs/run_adjuster.cpp model/comparison/run_comparer.cpp model/runs/run_controller.cpp model/runs/run_jobs.cpp model/runs/run_layers.cpp model/runs/run_request.cpp model/runs/run_titles.cpp
    model/views/search.cpp model/views/series_player.cpp model/session/session.cpp model/session/snapshots.cpp model/session/session_state.cpp model/choices/study_model.cpp model/layers/table_model.cpp model/views/view_state.cpp model/choices/warp_preview.cpp
    model/text/localize.cpp model/text/contrast_rows.cpp model/workspace.cpp model/views/mouse_bindings.cpp model/views/movie.cpp model/session/preferences.cpp
    model/layers/region_plot.cpp model/layers/region_tools.cpp model/layers/derived_layers.cpp model/choices/processors.cpp model/session/remembered_parameters.cpp model/views/bookmarks.cpp model/views/framing.cpp jobs/session_view.cpp jobs/file_jobs_layers.cpp
  PUBLIC sulcus_core sulcus_io sulcus_bids Qt6::Core
  PRECOMPILE <QAbstractTableModel> <QObject> <QPointer> <QString> <QStringList> <QTimer>)
set_target_properties(sulcus_model PROPERTIES AUTOMOC ON)
