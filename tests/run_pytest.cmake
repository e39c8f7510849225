# Runs pytest on FOLDERS, limited to MARKS, with the first of PYTHONS that has it. Looked up when the test runs, so that
# configuring needs no pytest.
foreach(python IN LISTS PYTHONS)
  execute_process(COMMAND ${python} -c "import pytest" RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
  if(missing STREQUAL "0")
    execute_process(COMMAND ${python} -m pytest -q -p no:cacheprovider -m ${MARKS} ${FOLDERS} RESULT_VARIABLE failed)
    if(NOT failed STREQUAL "0")
      message(FATAL_ERROR "pytest ended with ${failed}")
    endif()
    return()
  endif()
endforeach()
message(FATAL_ERROR "no Python among ${PYTHONS} has pytest: run scripts/setup, or install python3-pytest")
