# Listed by hand; included by core/CMakeLists.txt.
target_sources(sulcus_core PRIVATE
  surface/band.cpp
  surface/band_estimate.cpp
  surface/heat_flow.cpp
  surface/neighbors.cpp
  surface/patch_axes.cpp
  surface/patch_tiles.cpp
  surface/surface.cpp
  surface/surface_agreement.cpp
  surface/surface_charts.cpp
  surface/surface_maps.cpp
  surface/surface_memory.cpp
  surface/surface_pieces.cpp
  surface/surface_report.cpp
  surface/surface_source.cpp
)
