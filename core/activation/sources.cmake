# Listed by hand; included by core/CMakeLists.txt.
target_sources(sulcus_core PRIVATE
  activation/gibbs_problem.cpp
  activation/activation.cpp
)
