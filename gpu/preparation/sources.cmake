if(NOT SULCUS_HAVE_CUDA)
  target_sources(sulcus_gpu PRIVATE preparation/no_cuda.cpp)
  return()
endif()
target_sources(sulcus_gpu PRIVATE preparation/distortion.cu preparation/motion.cpp preparation/volumes.cu)
# CPU and GPU get the same bits: only what is written as fusedMultiplyAdd is fused.
set_source_files_properties(preparation/distortion.cu preparation/volumes.cu PROPERTIES COMPILE_OPTIONS "--fmad=false")
