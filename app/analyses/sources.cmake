# Listed by hand; included by app/CMakeLists.txt. Here core, toolkits and gpu meet.
target_sources(sulcus_app PRIVATE analyses/devices.cpp analyses/input_layers.cpp analyses/run_support.cpp
  analyses/run_time.cpp analyses/table.cpp)
target_link_libraries(sulcus_app PRIVATE sulcus_bids sulcus_io sulcus_toolkits sulcus_gpu nlohmann_json::nlohmann_json)
foreach(folder IN LISTS SULCUS_ANALYSES ITEMS preparation template)
  include(analyses/${folder}/sources.cmake)
endforeach()
# Tests and the example link a table or devices of their own in their place.
set_source_files_properties(analyses/devices.cpp analyses/table.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
