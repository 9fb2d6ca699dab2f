# Listed by hand; included by core/CMakeLists.txt.
target_sources(sulcus_core PRIVATE
  tracts/bundle_profile.cpp
  tracts/fixels.cpp
  tracts/follow_seeds.cpp
  tracts/growth.cpp
  tracts/line_weights.cpp
  tracts/tract_maps.cpp
  tracts/tract_plan.cpp
  tracts/tract_report.cpp
  tracts/tracts.cpp
)
# CPU and GPU get the same bits: only what is written as fusedMultiplyAdd is fused.
set_source_files_properties(tracts/follow_seeds.cpp tracts/line_weights.cpp tracts/tract_plan.cpp
  PROPERTIES COMPILE_OPTIONS "-ffp-contract=off;-fno-math-errno;-fno-trapping-math" SKIP_PRECOMPILE_HEADERS ON)
