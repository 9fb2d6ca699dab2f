if(NOT SULCUS_HAVE_CUDA)
  target_sources(sulcus_gpu PRIVATE tracts/no_cuda.cpp)
  return()
endif()
target_sources(sulcus_gpu PRIVATE tracts/line_weights.cu tracts/tracts.cu)
# CPU and GPU get the same bits: only what is written as fusedMultiplyAdd is fused.
set_source_files_properties(tracts/line_weights.cu tracts/tracts.cu PROPERTIES COMPILE_OPTIONS "--fmad=false")
