# Warnings of every target of ours; presets turn them into errors.
add_library(roofcast_warnings INTERFACE)
target_compile_options(
  roofcast_warnings
  INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wnon-virtual-dtor;-Wold-style-cast>)
