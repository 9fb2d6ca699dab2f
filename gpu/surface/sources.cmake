if(NOT SULCUS_HAVE_CUDA)
  target_sources(sulcus_gpu PRIVATE surface/no_cuda.cpp)
  return()
endif()
target_sources(sulcus_gpu PRIVATE
  surface/flow.cu
  surface/layout.cu
  surface/neighbors.cpp
  surface/order.cu
  surface/search.cu
  surface/surface.cpp)
