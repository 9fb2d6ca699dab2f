# Listed by hand; included by core/CMakeLists.txt.
target_sources(sulcus_core PRIVATE
  registration/apply_field.cpp
  registration/bias_field.cpp
  registration/channel.cpp
  registration/cubic_spline.cpp
  registration/fit.cpp
  registration/folds.cpp
  registration/force.cpp
  registration/gaussian.cpp
  registration/hold.cpp
  registration/intensity.cpp
  registration/inverse.cpp
  registration/landmark_table.cpp
  registration/landmarks.cpp
  registration/level_channels.cpp
  registration/local_correlation.cpp
  registration/middle.cpp
  registration/mutual_information.cpp
  registration/noise.cpp
  registration/overlap.cpp
  registration/padding.cpp
  registration/prealign.cpp
  registration/prealign_climb.cpp
  registration/prealign_frame.cpp
  registration/prealign_information.cpp
  registration/prealign_level.cpp
  registration/prealign_measure.cpp
  registration/prealign_starts.cpp
  registration/pyramid.cpp
  registration/registration.cpp
  registration/registration_agreement.cpp
  registration/registration_charts.cpp
  registration/registration_level.cpp
  registration/registration_maps.cpp
  registration/registration_memory.cpp
  registration/registration_plan.cpp
  registration/registration_result.cpp
  registration/resample.cpp
  registration/similarity.cpp
  registration/template_mask.cpp
  registration/transform_chain.cpp
)
# Loops over x run on vectors only where a comparison need not trap. What CPU and GPU compute alike is fused
# only where it is written so (registration_body.h).
set_source_files_properties(registration/cubic_spline.cpp registration/folds.cpp registration/force.cpp registration/gaussian.cpp registration/hold.cpp registration/intensity.cpp registration/inverse.cpp registration/landmarks.cpp
  registration/level_channels.cpp registration/local_correlation.cpp registration/mutual_information.cpp registration/prealign_measure.cpp registration/pyramid.cpp registration/registration_level.cpp
  registration/registration_result.cpp registration/resample.cpp registration/similarity.cpp
  PROPERTIES COMPILE_OPTIONS "-ffp-contract=off;-fno-math-errno;-fno-trapping-math" SKIP_PRECOMPILE_HEADERS ON)
