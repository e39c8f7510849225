# nvcc for the programs that are written in CUDA. Without one they are left out, and nothing else is.
find_program(TAUPROF_NVCC nvcc
  HINTS $ENV{CUDACXX} ENV PATH
  PATHS ${PROJECT_SOURCE_DIR}/build/cuda/bin /usr/local/cuda/bin)
if(DEFINED ENV{CUDACXX} AND EXISTS $ENV{CUDACXX})
  set(TAUPROF_NVCC $ENV{CUDACXX})
endif()
if(NOT TAUPROF_NVCC)
  message(STATUS "No nvcc: programs in CUDA are not built; scripts/setup fetches one")
  return()
endif()

set(CMAKE_CUDA_COMPILER ${TAUPROF_NVCC})
# The oldest and the newest device that the simulation has; also what a real one of them runs.
set(CMAKE_CUDA_ARCHITECTURES "80-real;90")
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
set(CMAKE_CUDA_STANDARD 20)
# The toolkit's headers serve every architecture, its libraries only this machine's: kernels for another one are compiled
# as usual, CMake's trials are not linked with CUDA, and programs link the simulated libraries.
if(CMAKE_CROSSCOMPILING)
  set(CMAKE_CUDA_RUNTIME_LIBRARY None)
  set(CMAKE_CUDA_COMPILER_WORKS TRUE)
  string(APPEND CMAKE_CUDA_FLAGS " --target-directory ${CMAKE_HOST_SYSTEM_PROCESSOR}-linux")
  set(ENV{NVCC_PREPEND_FLAGS} "--target-directory ${CMAKE_HOST_SYSTEM_PROCESSOR}-linux --cudart none --cudadevrt none \
-Xlinker --unresolved-symbols=ignore-all")
endif()
enable_language(CUDA)

# CMake before 3.26 does not know that nvcc has C++20 since 12.0.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_COMPILE_FEATURES cuda_std_20)
  list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
endif()

# nvcc does not know the warnings that are on for C and C++, and would hand some of its own code to them.
get_property(options DIRECTORY PROPERTY COMPILE_OPTIONS)
set(host_options)
foreach(option ${options})
  list(APPEND host_options $<$<COMPILE_LANGUAGE:C,CXX>:${option}>)
endforeach()
set_property(DIRECTORY PROPERTY COMPILE_OPTIONS ${host_options})

get_directory_property(TAUPROF_CUDA_PLACES DIRECTORY ${PROJECT_SOURCE_DIR}/preload DEFINITION TAUPROF_CUDA_PLACES)

# Links `target` with NVIDIA's libraries of these names (cudart, cublas, cublasLt, nccl). Where one is not installed,
# the simulated library stands in: it has the same name and symbol versions.
function(link_cuda_libraries target)
  foreach(name ${ARGN})
    set(places ${TAUPROF_CUDA_PLACES})
    list(TRANSFORM places APPEND /lib64)
    if(NOT CMAKE_CROSSCOMPILING)
      find_library(TAUPROF_LIB_${name} ${name} PATHS ${places})
    endif()
    if(TAUPROF_LIB_${name})
      target_link_libraries(${target} PRIVATE ${TAUPROF_LIB_${name}})
    else()
      target_link_libraries(${target} PRIVATE $<IF:$<TARGET_EXISTS:simgpu_${name}>,simgpu_${name},simgpu_${name}_13>)
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

# Links `target` with static archives of these libraries, which nvcc and CMake take by default for the runtime. NVIDIA's
# runtime asks the driver for private tables, so it cannot run on a simulated one: only stand-ins are linked.
function(link_cuda_archives target)
  list(TRANSFORM ARGN PREPEND simgpu_ OUTPUT_VARIABLE archives)
  list(TRANSFORM archives APPEND _static)
  target_link_libraries(${target} PRIVATE ${archives})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX SKIP_BUILD_RPATH ON)
endfunction()
