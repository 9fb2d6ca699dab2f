# macOS on 64-bit Arm by the clang of ziglang (pip install ziglang), which brings the headers and the symbols of the system.
# SULCUS_CROSS_ROOT: a folder with what tests/cross/libraries builds.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR arm64)
set(CMAKE_C_COMPILER python3 -m ziglang cc -target aarch64-macos)
set(CMAKE_CXX_COMPILER python3 -m ziglang c++ -target aarch64-macos)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
include(${CMAKE_CURRENT_LIST_DIR}/cross_root.cmake)
# The archiver of GNU makes no index of Mach-O.
foreach(language C CXX)
  set(CMAKE_${language}_ARCHIVE_CREATE "python3 -m ziglang ar qc <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_APPEND "python3 -m ziglang ar q <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_FINISH "python3 -m ziglang ranlib <TARGET>")
endforeach()
# Zig checks for undefined behavior where it is not told not to.
set(CMAKE_CXX_FLAGS_INIT "-I${SULCUS_CROSS_ROOT}/include -fno-sanitize=undefined")
