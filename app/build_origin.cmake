# cmake -D source=FOLDER -D header=FILE -D how=TEXT -P build_origin.cmake: writes FILE, which says from which commit of the checkout
# FOLDER and how the programs are built; leaves it alone when it says so already. As many digits of the commit in every clone.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C ${source} describe --always --abbrev=12 --dirty=\ with\ changes --exclude=*
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(commit)
  set(commit "commit ${commit}")
else()
  set(commit "sources without a commit")
endif()
file(CONFIGURE OUTPUT ${header} CONTENT "#pragma once\n\n#define SULCUS_BUILD_ORIGIN \"${commit}, ${how}\"\n")
