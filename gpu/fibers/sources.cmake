if(NOT SULCUS_HAVE_CUDA)
  target_sources(sulcus_gpu PRIVATE fibers/no_cuda.cpp)
  return()
endif()
target_sources(sulcus_gpu PRIVATE
  fibers/csd.cu
  fibers/csd_large.cu
  fibers/fibers.cpp
  fibers/fit.cu
  fibers/peak_search.cu
  fibers/tissues.cu
  fibers/transfer.cpp)
# Division and square root to 2 ulp without care for denormals, a third of the instructions; the search corrects itself.
set_source_files_properties(fibers/peak_search.cu PROPERTIES COMPILE_OPTIONS "--use_fast_math")
# Tensor cores for double, which a program without the code of the device's own kind has from here.
set_source_files_properties(fibers/tissues.cu PROPERTIES COMPILE_OPTIONS "-gencode=arch=compute_80,code=compute_80")
