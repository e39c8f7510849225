# Runs GoogleTest programs on the simulated GPUs under ctest.
find_package(Python3 COMPONENTS Interpreter REQUIRED)

# Builds all programs of these tests.
add_custom_target(simgpu_tests DEPENDS simgpu_stack)

# The environment that runs a command on the simulated stack. A sanitizer's runtime must be loaded before the libraries
# that need it. Leak detection is off, because the interpreters in between have leaks that are not ours.
set(SIMGPU_ENVIRONMENT SIMGPU_LIBRARY_DIR=${CMAKE_BINARY_DIR}/lib/simgpu PYTHONDONTWRITEBYTECODE=1)
if(TAUPROF_SANITIZE MATCHES "address|thread")
  string(REGEX REPLACE "^.*(address|thread).*$" "\\1" sanitizer ${TAUPROF_SANITIZE})
  set(runtime_of_address libasan.so)
  set(runtime_of_thread libtsan.so)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${runtime_of_${sanitizer}}
                  OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND SIMGPU_ENVIRONMENT LD_PRELOAD=${runtime} ASAN_OPTIONS=detect_leaks=0)
endif()

# Adds the tests of `target`. Each runs in its own process on the simulated stack, and its truth is checked afterwards.
# OPTIONS is the value of SIMGPU_OPTIONS. ctest lists the tests when it runs, so building needs no device.
function(discover_simulated_tests target)
  cmake_parse_arguments(arg "" "OPTIONS;TIMEOUT" "" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set_target_properties(${target} PROPERTIES CROSSCOMPILING_EMULATOR
    "${CMAKE_COMMAND};-E;env;${SIMGPU_ENVIRONMENT};SIMGPU_OPTIONS=${arg_OPTIONS};${Python3_EXECUTABLE};${PROJECT_SOURCE_DIR}/tests/simgpu/checked_run.py")
  add_dependencies(${target} simgpu_stack)
  add_dependencies(simgpu_tests ${target})
  compile_quickly(${target})
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120 TEST_PREFIX ${target}.
                       PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS simgpu)
endfunction()
