# Listed by hand; included by core/CMakeLists.txt.
target_sources(sulcus_core PRIVATE
  registration/force.cpp
  registration/gaussian.cpp
  registration/intensity.cpp
  registration/inverse.cpp
  registration/pyramid.cpp
  registration/registration.cpp
  registration/registration_level.cpp
  registration/registration_plan.cpp
  registration/registration_result.cpp
  registration/resample.cpp
)
# Their loops over x run on vectors only where a comparison need not trap.
set_source_files_properties(registration/force.cpp registration/gaussian.cpp registration/registration_level.cpp
  PROPERTIES COMPILE_OPTIONS "-fno-math-errno;-fno-trapping-math")
