# Listed by hand; included by core/CMakeLists.txt.
target_sources(sulcus_core PRIVATE
  activation/gibbs.cpp
  activation/beta_from_gamma.cpp
  activation/gibbs_plan.cpp
  activation/replay_voxel.cpp
  activation/gibbs_lanes8.cpp
  activation/gibbs_lanes16.cpp
  activation/automatic_mask.cpp
  activation/check_design.cpp
  activation/common_noise.cpp
  activation/contrast_estimates.cpp
  activation/confounds.cpp
  activation/contrast_text.cpp
  activation/contrast_weights.cpp
  activation/contrasts.cpp
  activation/delta_mean.cpp
  activation/design.cpp
  activation/dropped_scans.cpp
  activation/empty_columns.cpp
  activation/events.cpp
  activation/hemodynamics.cpp
  activation/join_runs.cpp
  activation/jumps.cpp
  activation/names.cpp
  activation/neighbour_means.cpp
  activation/noise.cpp
  activation/noise_charts.cpp
  activation/gibbs_problem.cpp
  activation/priors.cpp
  activation/saved_draws.cpp
  activation/saved_draw_charts.cpp
  activation/least_squares.cpp
  activation/series_blocks.cpp
  activation/activation.cpp
  activation/activation_agreement.cpp
  activation/activation_charts.cpp
  activation/mixture_shape.cpp
  activation/posterior.cpp
  activation/diagnostics.cpp
  activation/activation_maps.cpp
  activation/activation_memory.cpp
  activation/joint_estimates.cpp
  activation/joint_groups.cpp
  activation/joint_posterior.cpp
  activation/shown_voxels.cpp
  activation/two_groups.cpp
  activation/scan_times.cpp
  activation/unsteady_scans.cpp
)
# The same bits on any number of lanes: only products that are written as fused are fused.
set_source_files_properties(activation/gibbs.cpp activation/beta_from_gamma.cpp activation/replay_voxel.cpp
  activation/gibbs_lanes8.cpp PROPERTIES
  COMPILE_OPTIONS "-ffp-contract=off" SKIP_PRECOMPILE_HEADERS ON)
# Chosen at run time where the processor has it.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(activation/gibbs_lanes16.cpp PROPERTIES COMPILE_OPTIONS "-ffp-contract=off;-mavx512f;-mavx512vl;-mavx512dq;-mprefer-vector-width=512" SKIP_PRECOMPILE_HEADERS ON)
endif()
# Its loops run on vectors only where a square root need not set errno.
set_source_files_properties(activation/mixture_shape.cpp activation/posterior.cpp PROPERTIES COMPILE_OPTIONS "-fno-math-errno;-fno-trapping-math" SKIP_PRECOMPILE_HEADERS ON)
