# SPDX-License-Identifier: Apache-2.0
# How every folder of the tree is compiled.

# Flags that all our code shares. Functions may be taken up where they are called, position independent or not. No contraction of a*b+c: the same bits on every machine and at every optimisation level.
add_library(vinculum_flags INTERFACE)
target_compile_options(vinculum_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  -ffp-contract=off -fno-semantic-interposition)
# Clang blames our calls of std::stable_sort for what libstdc++ 12 does in it.
target_compile_options(vinculum_flags INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
# GCC takes the unused rows of a vector of at most three rows (convex::Vec) for uninitialised input of packet instructions.
target_compile_options(vinculum_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
target_compile_definitions(vinculum_flags INTERFACE EIGEN_MPL2_ONLY)
if(VINCULUM_SANITIZE)
  target_compile_options(vinculum_flags INTERFACE -fsanitize=${VINCULUM_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(vinculum_flags INTERFACE -fsanitize=${VINCULUM_SANITIZE})
  if(VINCULUM_SANITIZE MATCHES "address")
    target_compile_options(vinculum_flags INTERFACE -fsanitize=undefined -fno-sanitize-recover=undefined)
    target_link_options(vinculum_flags INTERFACE -fsanitize=undefined)
  endif()
endif()

# vinculum_folder(NAME [LIBRARIES ...]): the folder NAME of src/vinculum as an object library whose objects enter libvinculum.
function(vinculum_folder name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    message(FATAL_ERROR "folder ${name} holds no source: a folder exists when it holds working code")
  endif()
  add_library(vinculum_${name} OBJECT ${sources})
  target_include_directories(vinculum_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(vinculum_${name} PUBLIC Eigen3::Eigen PRIVATE vinculum_flags ${ARG_LIBRARIES})
  if(NOT name STREQUAL "base")
    target_precompile_headers(vinculum_${name} PRIVATE
      <vector> <span> <string> <cmath> <algorithm> <Eigen/Core> <Eigen/Geometry>)
  endif()
  target_sources(vinculum PRIVATE $<TARGET_OBJECTS:vinculum_${name}>)
endfunction()
