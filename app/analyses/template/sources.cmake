target_sources(sulcus_app PRIVATE
  analyses/template/template_analysis.cpp
  analyses/template/template_making.cpp)
