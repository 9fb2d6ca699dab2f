# Listed by hand; included by core/CMakeLists.txt.
target_sources(sulcus_core PRIVATE
  fibers/crossing_trial.cpp
  fibers/csd.cpp
  fibers/csd_choice.cpp
  fibers/deconvolve.cpp
  fibers/fiber_charts.cpp
  fibers/fiber_choice.cpp
  fibers/fiber_memory.cpp
  fibers/fiber_plan.cpp
  fibers/fibers.cpp
  fibers/find_peaks.cpp
  fibers/find_peaks_lanes8.cpp
  fibers/find_peaks_lanes16.cpp
  fibers/general_tensor.cpp
  fibers/gradient_check.cpp
  fibers/missing_values.cpp
  fibers/models.cpp
  fibers/response.cpp
  fibers/response_file.cpp
  fibers/shells.cpp
  fibers/sh_frame.cpp
  fibers/starts.cpp
  fibers/tissue_choice.cpp
  fibers/tissue_response.cpp
  fibers/tissues.cpp
)
# Chosen at run time where the processor has it.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(fibers/find_peaks_lanes16.cpp PROPERTIES COMPILE_OPTIONS "-mavx512f;-mavx512vl;-mavx512dq;-mprefer-vector-width=512" SKIP_PRECOMPILE_HEADERS ON)
endif()
# Its loops run on vectors only where a square root need not set errno.
set_source_files_properties(fibers/starts.cpp PROPERTIES COMPILE_OPTIONS "-fno-math-errno;-fno-trapping-math" SKIP_PRECOMPILE_HEADERS ON)
