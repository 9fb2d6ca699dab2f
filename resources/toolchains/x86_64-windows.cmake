# Windows on x86-64 by the cross compiler of Debian (g++-mingw-w64-x86-64-posix). SULCUS_CROSS_ROOT: a folder with the
# headers of oneTBB and Random123 in include/.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
include(${CMAKE_CURRENT_LIST_DIR}/cross_root.cmake)
# GCC takes the stack of Windows to be aligned as its vectors of 32 bytes, which it is not.
set(CMAKE_CXX_FLAGS_INIT "-I${SULCUS_CROSS_ROOT}/include -DXML_STATIC -Wa,-muse-unaligned-vector-move")
