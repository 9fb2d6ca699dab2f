# macOS on 64-bit Arm by the clang of ziglang (pip install ziglang), which brings the headers of the system and no SDK: for
# compiling alone. SULCUS_CROSS_ROOT: a folder with the headers of oneTBB and Random123 in include/.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR arm64)
set(CMAKE_C_COMPILER python3 -m ziglang cc -target aarch64-macos)
set(CMAKE_CXX_COMPILER python3 -m ziglang c++ -target aarch64-macos)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
include(${CMAKE_CURRENT_LIST_DIR}/cross_root.cmake)
set(CMAKE_CXX_FLAGS_INIT "-I${SULCUS_CROSS_ROOT}/include")
