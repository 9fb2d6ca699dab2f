# Listed by hand; included by core/CMakeLists.txt.
target_sources(sulcus_core PRIVATE
  group/component_sweep.cpp
  group/exchanges.cpp
  group/group.cpp
  group/group_charts.cpp
  group/group_design.cpp
  group/group_maps.cpp
  group/null_tail.cpp
  group/people_model.cpp
  group/weighted_fit.cpp
)
