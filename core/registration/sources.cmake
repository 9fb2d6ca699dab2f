# Listed by hand; included by core/CMakeLists.txt.
target_sources(sulcus_core PRIVATE
  registration/results/apply_field.cpp
  registration/preparation/bias_field.cpp
  registration/similarity/channel.cpp
  registration/preparation/cubic_spline.cpp
  registration/results/overlap_metrics.cpp
  registration/deformation/folds.cpp
  registration/deformation/force.cpp
  registration/deformation/gaussian.cpp
  registration/deformation/fold_guard.cpp
  registration/preparation/intensity.cpp
  registration/deformation/inverse.cpp
  registration/deformation/landmark_table.cpp
  registration/deformation/landmarks.cpp
  registration/similarity/level_channels.cpp
  registration/similarity/local_correlation.cpp
  registration/linear/halfway_space.cpp
  registration/similarity/mutual_information.cpp
  registration/preparation/noise.cpp
  registration/results/overlap.cpp
  registration/preparation/padding.cpp
  registration/linear/linear_alignment.cpp
  registration/linear/linear_climb.cpp
  registration/linear/linear_frame.cpp
  registration/linear/linear_information.cpp
  registration/linear/linear_level.cpp
  registration/linear/linear_measure.cpp
  registration/linear/linear_starts.cpp
  registration/deformation/pyramid.cpp
  registration/registration.cpp
  registration/results/registration_agreement.cpp
  registration/results/registration_charts.cpp
  registration/deformation/registration_level.cpp
  registration/results/registration_maps.cpp
  registration/registration_memory.cpp
  registration/registration_plan.cpp
  registration/results/registration_result.cpp
  registration/preparation/resample.cpp
  registration/similarity/similarity.cpp
  registration/preparation/template_mask.cpp
  registration/results/transform_chain.cpp
  registration/results/turned_peaks.cpp
  registration/population/region_volumes.cpp
  registration/population/linear_average.cpp
  registration/population/population_memory.cpp
  registration/population/population_template.cpp
  registration/population/running_average.cpp
  registration/population/shape_average.cpp
)
# Loops over x run on vectors only where a comparison need not trap. What CPU and GPU compute alike is fused
# only where it is written so (deformation/registration_kernel.h).
set_source_files_properties(registration/preparation/cubic_spline.cpp registration/deformation/folds.cpp registration/deformation/force.cpp registration/deformation/gaussian.cpp registration/deformation/fold_guard.cpp registration/preparation/intensity.cpp registration/deformation/inverse.cpp registration/deformation/landmarks.cpp
  registration/similarity/level_channels.cpp registration/similarity/local_correlation.cpp registration/similarity/mutual_information.cpp registration/linear/linear_measure.cpp registration/deformation/pyramid.cpp registration/deformation/registration_level.cpp
  registration/results/registration_result.cpp registration/preparation/resample.cpp registration/similarity/similarity.cpp
  PROPERTIES COMPILE_OPTIONS "-ffp-contract=off;-fno-math-errno;-fno-trapping-math" SKIP_PRECOMPILE_HEADERS ON)
