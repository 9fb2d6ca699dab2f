# Listed by hand; included by core/CMakeLists.txt.
target_sources(sulcus_core PRIVATE
  phantom/acquisition.cpp
  phantom/activation_phantom.cpp
  phantom/fibers_phantom.cpp
  phantom/group_phantom.cpp
  phantom/known_warp.cpp
  phantom/moved_head.cpp
  phantom/people_phantom.cpp
  phantom/preparation_phantom.cpp
  phantom/registration_phantom.cpp
  phantom/registration_shapes.cpp
  phantom/surface_phantom.cpp
  phantom/tracts_phantom.cpp
)
