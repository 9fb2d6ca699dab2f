# Listed by hand; included by ui/CMakeLists.txt.
target_sources(sulcus_ui PRIVATE)
