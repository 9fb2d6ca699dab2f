if(NOT SULCUS_HAVE_CUDA)
  target_sources(sulcus_gpu PRIVATE registration/none.cpp)
  return()
endif()
target_sources(sulcus_gpu PRIVATE
  registration/channels.cu
  registration/compose.cu
  registration/device_landmarks.cpp
  registration/device_level.cpp
  registration/device_result.cpp
  registration/device_similarity.cpp
  registration/differences.cu
  registration/evaluate.cu
  registration/hold.cu
  registration/images.cu
  registration/intensity.cpp
  registration/landmarks.cu
  registration/level_part.cpp
  registration/local_correlation.cu
  registration/maps.cu
  registration/masked_values.cu
  registration/mutual_information.cu
  registration/prealign_measure.cpp
  registration/prealign_samples.cu
  registration/preparation.cpp
  registration/registration.cpp
  registration/smooth.cu)
# CPU and GPU get the same bits: only what is written as fusedMultiplyAdd is fused.
set_source_files_properties(registration/channels.cu registration/compose.cu registration/differences.cu registration/evaluate.cu registration/hold.cu
  registration/images.cu registration/landmarks.cu registration/local_correlation.cu registration/maps.cu registration/masked_values.cu registration/mutual_information.cu registration/prealign_samples.cu registration/smooth.cu
  PROPERTIES COMPILE_OPTIONS "--fmad=false")
