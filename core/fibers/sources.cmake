# Listed by hand; included by core/CMakeLists.txt.
target_sources(sulcus_core PRIVATE
  fibers/deconvolution/crossing_trial.cpp
  fibers/deconvolution/csd.cpp
  fibers/deconvolution/csd_choice.cpp
  fibers/deconvolution/deconvolve.cpp
  fibers/fiber_charts.cpp
  fibers/fiber_choice.cpp
  fibers/fiber_memory.cpp
  fibers/fiber_plan.cpp
  fibers/fibers.cpp
  fibers/peaks/find_peaks.cpp
  fibers/peaks/find_peaks_lanes8.cpp
  fibers/peaks/find_peaks_lanes16.cpp
  fibers/peaks/general_tensor.cpp
  fibers/models/gradient_check.cpp
  fibers/models/missing_values.cpp
  fibers/models/models.cpp
  fibers/response/response.cpp
  fibers/response/response_file.cpp
  fibers/models/shells.cpp
  fibers/deconvolution/sh_frame.cpp
  fibers/peaks/starts.cpp
  fibers/response/tissue_choice.cpp
  fibers/response/tissue_response.cpp
  fibers/deconvolution/tissues.cpp
)
# Chosen at run time where the processor has it.
if(SULCUS_ON_X86)
  set_source_files_properties(fibers/peaks/find_peaks_lanes16.cpp PROPERTIES COMPILE_OPTIONS "-mavx512f;-mavx512vl;-mavx512dq;-mprefer-vector-width=512" SKIP_PRECOMPILE_HEADERS ON)
endif()
# Its loops run on vectors only where a square root need not set errno.
set_source_files_properties(fibers/peaks/starts.cpp PROPERTIES COMPILE_OPTIONS "-fno-math-errno;-fno-trapping-math" SKIP_PRECOMPILE_HEADERS ON)
