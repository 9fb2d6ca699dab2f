# Listed by hand; included by core/CMakeLists.txt.
target_sources(sulcus_core PRIVATE
  activation/sampler/gibbs.cpp
  activation/sampler/beta_from_gamma.cpp
  activation/sampler/gibbs_plan.cpp
  activation/sampler/hyper_fit.cpp
  activation/sampler/hyper_proposals.cpp
  activation/sampler/replay_voxel.cpp
  activation/sampler/gibbs_lanes8.cpp
  activation/sampler/gibbs_lanes16.cpp
  activation/model/automatic_mask.cpp
  activation/design/check_design.cpp
  activation/model/common_noise.cpp
  activation/results/contrast_estimates.cpp
  activation/design/confounds.cpp
  activation/design/contrast_text.cpp
  activation/design/contrast_weights.cpp
  activation/design/contrasts.cpp
  activation/sampler/delta_mean.cpp
  activation/design/design.cpp
  activation/design/dropped_scans.cpp
  activation/design/empty_columns.cpp
  activation/design/events.cpp
  activation/design/hemodynamics.cpp
  activation/design/join_runs.cpp
  activation/model/jumps.cpp
  activation/design/names.cpp
  activation/model/neighbor_means.cpp
  activation/model/noise.cpp
  activation/results/noise_charts.cpp
  activation/model/gibbs_problem.cpp
  activation/model/priors.cpp
  activation/results/saved_draws.cpp
  activation/results/saved_draw_charts.cpp
  activation/model/least_squares.cpp
  activation/sampler/series_blocks.cpp
  activation/activation.cpp
  activation/results/activation_agreement.cpp
  activation/results/activation_charts.cpp
  activation/model/mixture_shape.cpp
  activation/results/posterior.cpp
  activation/sampler/diagnostics.cpp
  activation/results/activation_maps.cpp
  activation/activation_memory.cpp
  activation/results/joint_estimates.cpp
  activation/results/joint_groups.cpp
  activation/results/shown_voxels.cpp
  activation/results/mixture_fdr.cpp
  activation/design/scan_times.cpp
  activation/design/unsteady_scans.cpp
)
# The same bits on any number of lanes: only products that are written as fused are fused.
set_source_files_properties(activation/sampler/gibbs.cpp activation/sampler/beta_from_gamma.cpp activation/sampler/replay_voxel.cpp
  activation/sampler/gibbs_lanes8.cpp activation/sampler/hyper_fit.cpp PROPERTIES
  COMPILE_OPTIONS "-ffp-contract=off" SKIP_PRECOMPILE_HEADERS ON)
# Chosen at run time where the processor has it.
if(SULCUS_ON_X86)
  set_source_files_properties(activation/sampler/gibbs_lanes16.cpp PROPERTIES COMPILE_OPTIONS "-ffp-contract=off;-mavx512f;-mavx512vl;-mavx512dq;-mprefer-vector-width=512" SKIP_PRECOMPILE_HEADERS ON)
endif()
# Its loops run on vectors only where a square root need not set errno.
set_source_files_properties(activation/model/mixture_shape.cpp activation/results/posterior.cpp PROPERTIES COMPILE_OPTIONS "-fno-math-errno;-fno-trapping-math" SKIP_PRECOMPILE_HEADERS ON)
