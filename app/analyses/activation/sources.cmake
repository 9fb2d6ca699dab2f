target_sources(sulcus_app PRIVATE
  analyses/activation/activation_analysis.cpp
  analyses/activation/activation_inputs.cpp
  analyses/activation/saved_draws_run.cpp
  analyses/activation/activation_study.cpp)
