# Listed by hand; included by core/CMakeLists.txt.
target_sources(sulcus_core PRIVATE
  surface/band.cpp
  surface/heat_flow.cpp
  surface/neighbours.cpp
  surface/patch_tiles.cpp
  surface/surface.cpp
)
