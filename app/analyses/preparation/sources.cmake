target_sources(sulcus_app PRIVATE analyses/preparation/field_inputs.cpp analyses/preparation/preparation_analysis.cpp
  analyses/preparation/preparation_report.cpp)
