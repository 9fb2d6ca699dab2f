target_sources(sulcus_app PRIVATE
  analyses/group/group_analysis.cpp)
