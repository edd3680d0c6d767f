# Installs the program, its data files, a man page, shell completions, and the library as a CMake package.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# The library without the command line. Families, levels and writers register themselves, so whoever links
# the archive must take all of it: roofcastConfig.cmake says so for them.
add_library(roofcast_archive STATIC $<TARGET_OBJECTS:roofcast_input_objects> $<TARGET_OBJECTS:roofcast_core_objects>)
set_target_properties(roofcast_archive PROPERTIES OUTPUT_NAME roofcast EXPORT_NAME archive)
target_include_directories(roofcast_archive INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(roofcast_archive INTERFACE cxx_std_20)
target_link_libraries(roofcast_archive PUBLIC Boost::headers fmt::fmt yaml-cpp Threads::Threads)

install(TARGETS roofcast RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS roofcast_archive EXPORT roofcastTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY src/roofcast DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "cli" EXCLUDE)
install(DIRECTORY model_cards hw_profiles DESTINATION ${CMAKE_INSTALL_DATADIR}/roofcast FILES_MATCHING PATTERN "*.yaml")
install(FILES docs/roofcast.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/roofcast)
configure_package_config_file(cmake/roofcastConfig.cmake.in ${PROJECT_BINARY_DIR}/roofcastConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/roofcastConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/roofcastConfig.cmake ${PROJECT_BINARY_DIR}/roofcastConfigVersion.cmake
        DESTINATION ${package_dir})
install(EXPORT roofcastTargets NAMESPACE roofcast:: DESTINATION ${package_dir})
