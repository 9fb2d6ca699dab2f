target_sources(sulcus_app PRIVATE
  analyses/tracts/tracts_analysis.cpp
  analyses/tracts/line_sums.cpp
  analyses/tracts/tract_inputs.cpp
  analyses/tracts/tracts_growth.cpp
  analyses/tracts/tracts_study.cpp)
