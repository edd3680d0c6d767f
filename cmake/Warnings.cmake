# Warnings of every target of ours; presets turn them into errors.
add_library(roofcast_warnings INTERFACE)
target_compile_options(
  roofcast_warnings
  INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wnon-virtual-dtor;-Wold-style-cast>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns about overlapping copies inside std::string where there are none (GCC bug 105651).
  target_compile_options(roofcast_warnings INTERFACE -Wno-restrict)
endif()
