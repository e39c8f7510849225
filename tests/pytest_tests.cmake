# Tests by pytest, as entries of ctest.
find_package(Python3 COMPONENTS Interpreter)

set(packages ${CMAKE_BINARY_DIR}/packages)
add_test(NAME packages
  COMMAND sh -c "'${Python3_EXECUTABLE}' -m venv '${packages}' && '${packages}/bin/pip' install -q pytest pandas pyarrow \
duckdb perfetto protobuf jsonschema nbclient ipykernel HolisticTraceAnalysis==0.5.0")
set_tests_properties(packages PROPERTIES LABELS full FIXTURES_SETUP packages TIMEOUT 900)

# NAME runs pytest on PATHS without the tests marked `full`. With FULL there is also NAME_full, with those
# tests alone and the label `full`, which scripts/test leaves out without --full. With PACKAGES the long tier runs all of
# them once more, in a Python that has the packages from PyPI that single tests skip without. Where a test's programs are
# found is in its environment; ENVIRONMENT adds to what all tests get. With WORKERS, pytest-xdist does as many files of
# tests at a time, where it is installed: for tests that wait more than they compute.
function(add_pytest name)
  cmake_parse_arguments(arg "FULL;PACKAGES" "TIMEOUT;WORKERS" "PATHS;ENVIRONMENT" ${ARGN})
  # The system's Python first: pytest comes from its packages.
  set(pythons /usr/bin/python3 ${Python3_EXECUTABLE})
  add_one_pytest(${name} "not full")
  if(arg_FULL)
    add_one_pytest(${name}_full "full")
    set_tests_properties(${name}_full PROPERTIES LABELS full)
  endif()
  if(arg_PACKAGES)
    set(pythons ${packages}/bin/python)
    list(APPEND arg_ENVIRONMENT "TAUPROF_HTA_PYTHON=${packages}/bin/python")
    add_one_pytest(${name}_packages "full or not full")
    set_tests_properties(${name}_packages PROPERTIES LABELS full FIXTURES_REQUIRED packages)
  endif()
endfunction()

# Reads arg_… of add_pytest.
macro(add_one_pytest entry marks)
  add_test(NAME ${entry}
    COMMAND ${CMAKE_COMMAND} "-DPYTHONS=${pythons}" "-DFOLDERS=${arg_PATHS}"
            "-DMARKS=${marks}" "-DWORKERS=${arg_WORKERS}" -P ${PROJECT_SOURCE_DIR}/tests/run_pytest.cmake
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set(environment
    "PYTHONDONTWRITEBYTECODE=1"
    "TAUPROF_BIN=$<TARGET_FILE:tauprof>"
    "TAUPROF_PRELOAD=$<TARGET_FILE:tauprof_preload>"
    "TAUPROF_PYTHON_PACKAGE=${CMAKE_BINARY_DIR}/python"
    "TAUPROF_WITH_SIMGPU=${PROJECT_SOURCE_DIR}/scripts/with-simgpu"
    "SIMGPU_LIBRARY_DIR=${CMAKE_BINARY_DIR}/lib/simgpu"
    ${arg_ENVIRONMENT})
  # These take longest, so they start first; the small ones fill the gaps.
  set_tests_properties(${entry} PROPERTIES ENVIRONMENT "${environment}" COST 1)
  if(arg_WORKERS)
    set_tests_properties(${entry} PROPERTIES PROCESSORS ${arg_WORKERS})
  endif()
  if(arg_TIMEOUT)
    set_tests_properties(${entry} PROPERTIES TIMEOUT ${arg_TIMEOUT})
  endif()
endmacro()
