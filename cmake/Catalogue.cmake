# Embeds every card and profile into the program: parsing hundreds of files at each start would cost more
# than the answer. A file added to a folder is picked up by the next build; the list is a file of its own, so
# that one taken away is missed as well.
file(GLOB catalogue_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     ${PROJECT_SOURCE_DIR}/model_cards/*.yaml ${PROJECT_SOURCE_DIR}/hw_profiles/*.yaml)
set(catalogue_source ${PROJECT_BINARY_DIR}/generated/embedded_catalogue.cpp)
set(catalogue_list ${PROJECT_BINARY_DIR}/generated/catalogue_files.txt)
string(REPLACE ";" "\n" catalogue_lines "${catalogue_files}")
file(CONFIGURE OUTPUT ${catalogue_list} CONTENT "${catalogue_lines}\n" @ONLY)
add_executable(embed_catalogue ${PROJECT_SOURCE_DIR}/tools/embed_catalogue.cpp)
target_link_libraries(embed_catalogue PRIVATE roofcast_input roofcast_warnings)
list(TRANSFORM catalogue_files PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE catalogue_paths)
add_custom_command(
  OUTPUT ${catalogue_source}
  COMMAND embed_catalogue ${catalogue_source} ${PROJECT_SOURCE_DIR} ${catalogue_list}
  DEPENDS embed_catalogue ${catalogue_list} ${catalogue_paths}
  COMMENT "Embedding the cards and profiles"
  VERBATIM)
