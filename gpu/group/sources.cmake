if(NOT SULCUS_HAVE_CUDA)
  target_sources(sulcus_gpu PRIVATE group/no_cuda.cpp)
  return()
endif()
target_sources(sulcus_gpu PRIVATE
  group/group.cu
  group/people_model.cu)
