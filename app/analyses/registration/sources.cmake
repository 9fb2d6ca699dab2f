target_sources(sulcus_app PRIVATE
  analyses/registration/field_application.cpp
  analyses/registration/registration_analysis.cpp
  analyses/registration/registration_demo.cpp
  analyses/registration/registration_inputs.cpp
  analyses/registration/registration_study.cpp)
