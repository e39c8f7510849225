# The libraries of a portable build (scripts/wheel), under the names that find_package would give them. All lie in
# TAUPROF_PORTABLE: headers in include, static libraries of C in lib, and the licenses of these, of simdjson and of the
# compiler's own libraries in licenses. None of them needs the C++ library of the system:
# what is written in C++ is compiled here or is headers only.
set(include ${TAUPROF_PORTABLE}/include)
foreach(name zstd deflate z sqlite3)
  set(archive ${TAUPROF_PORTABLE}/lib/lib${name}.a)
  if(NOT EXISTS ${archive})
    message(FATAL_ERROR "${archive} not found: TAUPROF_PORTABLE must name the folder that scripts/wheel makes")
  endif()
endforeach()
set(TAUPROF_ZSTD ${TAUPROF_PORTABLE}/lib/libzstd.a)
set(TAUPROF_DEFLATE ${TAUPROF_PORTABLE}/lib/libdeflate.a)
set(TAUPROF_XXHASH_INCLUDE ${include})
set(TAUPROF_LIBDW_INCLUDE ${include})
set(BOOST_MATH_INCLUDE_DIR ${include})
set(TAUPROF_PROTOZERO_INCLUDE ${include})
set(SQLite3_INCLUDE_DIR ${include})
set(SQLite3_LIBRARY ${TAUPROF_PORTABLE}/lib/libsqlite3.a)
set(ZLIB_INCLUDE_DIR ${include})
set(ZLIB_LIBRARY ${TAUPROF_PORTABLE}/lib/libz.a)

function(add_portable_library name)
  add_library(${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${name} INTERFACE ${include})
  target_compile_definitions(${name} INTERFACE ${ARGN})
endfunction()
add_portable_library(CLI11::CLI11)
add_portable_library(nlohmann_json::nlohmann_json)
add_portable_library(fmt::fmt FMT_HEADER_ONLY=1)
add_portable_library(spdlog::spdlog FMT_HEADER_ONLY=1 SPDLOG_FMT_EXTERNAL=1)

install(DIRECTORY ${TAUPROF_PORTABLE}/licenses DESTINATION .)
