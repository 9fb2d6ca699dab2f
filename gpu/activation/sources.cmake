if(NOT SULCUS_HAVE_CUDA)
  target_sources(sulcus_gpu PRIVATE activation/no_cuda.cpp)
  return()
endif()
target_sources(sulcus_gpu PRIVATE
  activation/activation.cpp
  activation/gibbs.cu
  activation/gibbs_fixed.cpp
  activation/gibbs_fixed_few.cu
  activation/gibbs_fixed_many.cu
  activation/gibbs_fixed_covariates_few.cu
  activation/gibbs_fixed_covariates_many.cu
  activation/gibbs_fixed_correlated_few.cu
  activation/gibbs_fixed_correlated_many.cu
  activation/gibbs_fixed_correlated_covariates_few.cu
  activation/gibbs_fixed_correlated_covariates_many.cu
  activation/gibbs_run.cpp)
