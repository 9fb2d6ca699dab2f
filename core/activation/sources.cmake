# Listed by hand; included by core/CMakeLists.txt.
target_sources(sulcus_core PRIVATE
  activation/automatic_mask.cpp
  activation/check_design.cpp
  activation/contrasts.cpp
  activation/design.cpp
  activation/events.cpp
  activation/hemodynamics.cpp
  activation/names.cpp
  activation/gibbs_problem.cpp
  activation/activation.cpp
)
