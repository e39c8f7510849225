// The part of cudnn.h that is needed here, with the numbers of cuDNN 9. The package with cudnn.h has half a gigabyte.
#pragma once

#include <driver_types.h>
#include <library_types.h>

#include <cstddef>
#include <cstdint>

namespace simgpu::cudnn {

enum Status : int {
  kSuccess = 0,
  kNotInitialized = 1001,
  kBadParam = 2000,
  kBadParamNullPointer = 2002,
  kBadParamNotFinalized = 2004,
  kBadParamSizeInsufficient = 2006,
  kNotSupported = 3000,
  kExecutionFailed = 5000,
};

enum DataType : int {
  kFloat = 0,
  kDouble = 1,
  kHalf = 2,
  kInt8 = 3,
  kInt32 = 4,
  kUint8 = 6,
  kBfloat16 = 9,
  kInt64 = 10,
  kBoolean = 11,
  kFp8E4M3 = 12,
  kFp8E5M2 = 13,
};

// cudnnBackendDescriptorType_t
enum DescriptorType : int {
  kEngine = 2,
  kEngineConfig = 3,
  kEngineHeuristics = 4,
  kExecutionPlan = 5,
  kConvolutionForward = 10,
  kConvolutionBackwardFilter = 11,
  kConvolutionBackwardData = 12,
  kOperationGraph = 15,
  kVariantPack = 16,
  kTensor = 17,
  kMatmul = 19,
};

// cudnnBackendAttributeType_t
enum AttributeType : int {
  kTypeHandle = 0,
  kTypeDataType = 1,
  kTypeBoolean = 2,
  kTypeInt64 = 3,
  kTypeFloat = 4,
  kTypeDouble = 5,
  kTypeVoidPointer = 6,
  kTypeBackendDescriptor = 15,
  kTypeInt32 = 23,
  kTypeChar = 24,
  kTypeFraction = 26,
};

// cudnnBackendAttributeName_t
enum AttributeName : int {
  kHeuristicsOperationGraph = 201,
  kHeuristicsResults = 202,
  kConfigEngine = 300,
  kConfigWorkspaceSize = 303,
  kConfigSharedMemory = 304,
  kPlanEngineConfig = 401,
  kPlanWorkspaceSize = 402,
  kForwardW = 703,
  kForwardX = 704,
  kForwardY = 705,
  kBackwardDataW = 709,
  kBackwardDataX = 710,
  kBackwardDataY = 711,
  kBackwardFilterW = 715,
  kBackwardFilterX = 716,
  kBackwardFilterY = 717,
  kGraphOperations = 801,
  kGraphEngineCount = 802,
  kTensorDataType = 901,
  kTensorDimensions = 902,
  kEngineOperationGraph = 1300,
  kEngineIndex = 1301,
  kMatmulA = 1520,
  kMatmulB = 1521,
  kMatmulC = 1522,
};

}  // namespace simgpu::cudnn
