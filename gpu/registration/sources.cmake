if(NOT SULCUS_HAVE_CUDA)
  target_sources(sulcus_gpu PRIVATE registration/no_cuda.cpp)
  return()
endif()
target_sources(sulcus_gpu PRIVATE
  registration/similarity/channels.cu
  registration/deformation/compose.cu
  registration/deformation/device_landmarks.cpp
  registration/device_level.cpp
  registration/device_result.cpp
  registration/similarity/device_similarity.cpp
  registration/similarity/differences.cu
  registration/deformation/evaluate.cu
  registration/deformation/fold_guard.cu
  registration/similarity/images.cu
  registration/intensity.cpp
  registration/deformation/landmarks.cu
  registration/level_part.cpp
  registration/similarity/local_correlation.cu
  registration/maps.cu
  registration/similarity/masked_values.cu
  registration/similarity/mutual_information.cu
  registration/linear/linear_measure.cpp
  registration/linear/linear_samples.cu
  registration/preparation.cpp
  registration/registration.cpp
  registration/deformation/smooth.cu)
# CPU and GPU get the same bits: only what is written as fusedMultiplyAdd is fused.
set_source_files_properties(registration/similarity/channels.cu registration/deformation/compose.cu registration/similarity/differences.cu registration/deformation/evaluate.cu registration/deformation/fold_guard.cu
  registration/similarity/images.cu registration/deformation/landmarks.cu registration/similarity/local_correlation.cu registration/maps.cu registration/similarity/masked_values.cu registration/similarity/mutual_information.cu registration/linear/linear_samples.cu registration/deformation/smooth.cu
  PROPERTIES COMPILE_OPTIONS "--fmad=false")
