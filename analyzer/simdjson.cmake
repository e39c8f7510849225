# simdjson, from one source in every build: systems' packages are years and major versions apart (1.0 in Ubuntu 22.04,
# 3.0.1 in Debian 12), and the wheel could use none of them.
set(TAUPROF_SIMDJSON ${PROJECT_SOURCE_DIR}/build/simdjson CACHE PATH "Folder with simdjson.h and simdjson.cpp")
if(NOT EXISTS ${TAUPROF_SIMDJSON}/simdjson.cpp)
  message(FATAL_ERROR "${TAUPROF_SIMDJSON}/simdjson.cpp not found; scripts/setup brings it")
endif()
add_library(tauprof_simdjson STATIC ${TAUPROF_SIMDJSON}/simdjson.cpp)
target_include_directories(tauprof_simdjson SYSTEM PUBLIC ${TAUPROF_SIMDJSON})
target_compile_options(tauprof_simdjson PRIVATE -w)
add_library(simdjson::simdjson ALIAS tauprof_simdjson)
