# Listed by hand; included by core/CMakeLists.txt.
target_sources(sulcus_core PRIVATE
  preparation/diffusion/denoise.cpp
  preparation/diffusion/diffusion_motion.cpp
  preparation/diffusion/direction_part.cpp
  preparation/diffusion/eddy_currents.cpp
  preparation/diffusion/eddy_response.cpp
  preparation/diffusion/lost_slices.cpp
  preparation/diffusion/volume_prediction.cpp
  preparation/diffusion/prepare_diffusion.cpp
  preparation/diffusion/ringing.cpp
  preparation/diffusion/signal_drift.cpp
  preparation/distortion/anatomy.cpp
  preparation/distortion/distortion.cpp
  preparation/distortion/series_field.cpp
  preparation/distortion/unwarp.cpp
  preparation/carpet.cpp
  preparation/confounds.cpp
  preparation/dvars.cpp
  preparation/mean_volume.cpp
  preparation/motion.cpp
  preparation/motion_agreement.cpp
  preparation/motion_parameters.cpp
  preparation/motion_steps.cpp
  preparation/preparation.cpp
  preparation/preparation_charts.cpp
  preparation/realign.cpp
  preparation/slice_interpolation.cpp
)
# What CPU and GPU compute alike is fused only where it is written so (motion_kernel.h).
set_source_files_properties(preparation/motion.cpp preparation/distortion/distortion.cpp
  PROPERTIES COMPILE_OPTIONS "-ffp-contract=off;-fno-math-errno;-fno-trapping-math" SKIP_PRECOMPILE_HEADERS ON)
