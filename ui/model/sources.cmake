# Included by ui/CMakeLists.txt. What the window shows and does, and the file jobs, without widgets: its own target, which
# links of Qt QtCore alone, so that a widget fails to compile.
sulcus_library(sulcus_model
  SOURCES
    jobs/autosave_folder.cpp jobs/file_jobs.cpp jobs/movie_file.cpp jobs/picture_note.cpp jobs/qt_post.cpp jobs/saved_run.cpp jobs/session_file.cpp jobs/session_json.cpp jobs/session_layer.cpp jobs/session_open.cpp jobs/session_page.cpp
    model/analysis_presenter.cpp model/chart_text.cpp model/clusters_model.cpp model/commands.cpp model/compared_layers.cpp model/comparison_model.cpp model/far_places.cpp model/file_names.cpp model/findings.cpp model/history.cpp
    model/image_pair.cpp model/input_preview.cpp model/job_list_model.cpp model/label_lists.cpp model/layer_list_model.cpp
    model/layer_plots.cpp model/layer_stack.cpp model/lightbox.cpp model/live_run.cpp model/place.cpp model/plots_model.cpp model/presets.cpp model/readout.cpp
    model/recent_files.cpp model/run_adjust.cpp model/run_compare.cpp model/run_controller.cpp model/run_layers.cpp model/run_live.cpp model/run_restore.cpp model/run_titles.cpp
    model/search.cpp model/series_player.cpp model/session.cpp model/session_state.cpp model/study_model.cpp model/table_model.cpp model/view_state.cpp model/warp_preview.cpp
    model/translated_text.cpp model/window_words.cpp model/workspace.cpp model/mouse_habits.cpp model/movie.cpp model/preferences.cpp model/presenter_presets.cpp
    model/region_plot.cpp model/region_tools.cpp model/workspace_layers.cpp model/workspace_preferences.cpp model/kept_places.cpp jobs/session_view.cpp jobs/file_jobs_layers.cpp
  PUBLIC sulcus_core sulcus_io sulcus_bids Qt6::Core
  PRECOMPILE <QAbstractTableModel> <QObject> <QPointer> <QString> <QStringList> <QTimer>)
set_target_properties(sulcus_model PROPERTIES AUTOMOC ON)

# The texts that lupdate finds no tr() around, for it and for the program (resources/design/translations.md).
file(GLOB_RECURSE texts_sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/core/*.h ${CMAKE_SOURCE_DIR}/core/*.cpp
  ${CMAKE_SOURCE_DIR}/gpu/*.h ${CMAKE_SOURCE_DIR}/gpu/*.cpp ${CMAKE_SOURCE_DIR}/gpu/*.cuh ${CMAKE_SOURCE_DIR}/gpu/*.cu ${CMAKE_SOURCE_DIR}/ui/*.h ${CMAKE_SOURCE_DIR}/ui/*.cpp
  ${CMAKE_SOURCE_DIR}/app/analyses/*.h ${CMAKE_SOURCE_DIR}/app/analyses/*.cpp ${CMAKE_SOURCE_DIR}/app/elsewhere/*.h ${CMAKE_SOURCE_DIR}/app/elsewhere/*.cpp)
set(texts ${CMAKE_BINARY_DIR}/texts/texts.h)
set(extract ${CMAKE_SOURCE_DIR}/resources/translations/extract.py)
set(texts_inputs ${texts_sources})
list(TRANSFORM texts_inputs PREPEND ${CMAKE_SOURCE_DIR}/)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_custom_command(OUTPUT ${texts} COMMAND Python3::Interpreter ${extract} ${texts} ${texts_sources}
  DEPENDS ${extract} ${texts_inputs} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} VERBATIM)
target_sources(sulcus_model PRIVATE ${texts})
target_include_directories(sulcus_model PRIVATE ${CMAKE_BINARY_DIR}/texts)
