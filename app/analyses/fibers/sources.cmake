target_sources(sulcus_app PRIVATE
  analyses/fibers/fibers_analysis.cpp
  analyses/fibers/fibers_study.cpp)
