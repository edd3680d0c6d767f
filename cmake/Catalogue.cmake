# Embeds every card and profile into the program: parsing hundreds of files at each start would cost more
# than the answer. A file added to the folder is picked up by the next build.
file(GLOB card_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/model_cards/*.yaml)
file(GLOB profile_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/hw_profiles/*.yaml)
set(catalogue_source ${PROJECT_BINARY_DIR}/generated/embedded_catalogue.cpp)
add_executable(embed_catalogue ${PROJECT_SOURCE_DIR}/tools/embed_catalogue.cpp)
target_link_libraries(embed_catalogue PRIVATE roofcast_input roofcast_warnings)
add_custom_command(
  OUTPUT ${catalogue_source}
  COMMAND embed_catalogue ${catalogue_source} ${PROJECT_SOURCE_DIR}/model_cards ${PROJECT_SOURCE_DIR}/hw_profiles
  DEPENDS embed_catalogue ${card_files} ${profile_files}
  COMMENT "Embedding the cards and profiles"
  VERBATIM)
