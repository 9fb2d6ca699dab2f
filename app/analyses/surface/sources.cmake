target_sources(sulcus_app PRIVATE
  analyses/surface/distance_memo.cpp
  analyses/surface/surface_analysis.cpp
  analyses/surface/surface_inputs.cpp
  analyses/surface/surface_validation.cpp
  analyses/surface/surface_steps.cpp
  analyses/surface/surface_study.cpp)
