// The binary log, version 1: constants, record types, header and block layout.
//
// The writer and the readers include this file and never each other. It includes nothing of ours and needs no C++
// runtime library. docs/log-format.md is the specification, with a worked example.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace tauprof::log {

// ---- File header --------------------------------------------------------------------------------

inline constexpr char kFileMagic[8] = {'T', 'A', 'U', 'P', 'R', 'O', 'F', '\n'};
inline constexpr uint16_t kVersion = 1;        // the version that this code writes
inline constexpr uint16_t kMinimumReader = 1;  // the oldest reader that can read it
inline constexpr uint32_t kByteOrderMark = 0x01020304;
inline constexpr char kFileSuffix[] = ".tauprof";
inline constexpr char kTimelineSuffix[] = ".timeline";
// The attribute of a process that was about to replace itself by another program, if the log has no end.
inline constexpr char kReplacedItself[] = "replaced_itself";

// Bits of FileHeader::required_features: a reader that does not know a set bit must refuse the file.
enum Feature : uint64_t {
  kFeatureZstd = 1u << 0,       // blocks may be zstd-compressed
  kFeatureTimelines = 1u << 1,  // it holds timelines of logs (tauprof reduce) and is none itself
};
inline constexpr uint64_t kKnownFeatures = kFeatureZstd | kFeatureTimelines;

// The clock of all times in the file.
enum class Clock : uint32_t {
  kUnknown = 0,
  kMonotonic = 1,  // CLOCK_MONOTONIC of the host named in the header, since its boot
  kRealtime = 2,   // CLOCK_REALTIME, since 1970
  kTrace = 3,      // the clock of the imported trace
  kVirtual = 4,    // a generated log
  kTsc = 5,        // raw time stamp counter (only as ClockAnchor::clock)
  kDevice = 6,     // a device's global timer (only as ClockAnchor::clock)
};

// 320 bytes, little endian, at offset 0.
struct FileHeader {
  char magic[8];
  uint32_t byte_order;
  uint16_t version;
  uint16_t minimum_reader;
  uint32_t header_size;  // the first block starts here
  uint32_t clock;        // Clock
  uint64_t required_features;
  uint64_t optional_features;
  int64_t start_time_ns;      // on the log's clock
  int64_t start_realtime_ns;  // CLOCK_REALTIME at the same instant; 0: not known
  uint32_t pid;
  uint32_t reserved;
  uint8_t boot_id[16];  // /proc/sys/kernel/random/boot_id; zeros: not known
  char run_id[96];      // NUL-padded UTF-8; an attribute record `run_id` overrides it
  char host[128];       // NUL-padded UTF-8
  uint8_t padding[8];
  uint64_t checksum;  // XXH3-64 of all bytes before this one
};
static_assert(sizeof(FileHeader) == 320 && offsetof(FileHeader, checksum) == 312);

// ---- Blocks ---------------------------------------------------------------------------------------

inline constexpr uint8_t kBlockSync[8] = {0xF7, 'T', 'P', 0xB1, 0x0C, 0x9E, 'K', 0x8A};
inline constexpr uint32_t kMaxBlockBytes = 64u << 20;  // stored and raw size of a payload
inline constexpr uint32_t kMaxBlockRecords = 1u << 20;
inline constexpr uint32_t kMaxTextBytes = 16u << 20;  // longest interned text

enum class Compression : uint8_t { kNone = 0, kZstd = 1 };

enum BlockFlag : uint8_t {
  kBlockRecap = 1u << 0,  // repeats state that was written before; does not count in totals
};

// 56 bytes, followed by stored_size bytes of payload.
struct BlockHeader {
  uint8_t sync[8];
  uint16_t header_size;  // the payload starts here
  uint16_t kind;         // RecordKind
  uint8_t compression;   // Compression
  uint8_t flags;         // BlockFlag
  uint16_t columns;      // number of columns in the payload
  uint32_t records;      // rows
  uint32_t stored_size;  // bytes of payload in the file
  uint32_t raw_size;     // bytes of payload, decompressed
  uint32_t reserved;
  uint64_t first_record;      // number of records in all earlier blocks, without recaps
  uint64_t payload_checksum;  // XXH3-64 of the stored payload
  uint64_t header_checksum;   // XXH3-64 of all header bytes before this one
};
static_assert(sizeof(BlockHeader) == 56 && offsetof(BlockHeader, header_checksum) == 48);

// The raw payload is a sequence of columns: a ColumnHeader, then `size` bytes.
struct ColumnHeader {
  uint16_t column;   // position in the record; kTextColumn: the texts of string records
  uint8_t encoding;  // Encoding
  uint8_t reserved;
  uint32_t size;
};
static_assert(sizeof(ColumnHeader) == 8);

inline constexpr uint16_t kTextColumn = 0xFFFF;

// Integers are LEB128: seven bits per byte, low bits first; the high bit says that more bytes follow.
enum class Encoding : uint8_t {
  kConstant = 0,  // one LEB128 value for all rows
  kPlain = 1,     // one LEB128 value per row, as uint64
  kDelta = 2,     // zigzag LEB128 of the difference from the previous row (from 0 for the first)
  kText = 3,      // one LEB128 length per row, then all bytes
};

// ---- Records ----------------------------------------------------------------------------------------

enum class RecordKind : uint16_t {
  kNone = 0,
#define TAUPROF_RECORD(number, Type, name, role) k##Type = number,
#define TAUPROF_COLUMN(name, form)
#define TAUPROF_RECORD_END()
#include "log/schema.def"
};

// One struct per kind, with one int64 per column.
#define TAUPROF_RECORD(number, Type, name, role) \
  struct Type {                                  \
    static constexpr RecordKind kKind = RecordKind::k##Type;
#define TAUPROF_COLUMN(name, form) int64_t name = 0;
#define TAUPROF_RECORD_END() \
  }                          \
  ;
#include "log/schema.def"

template <class Record>
inline constexpr uint16_t kColumnCount = sizeof(Record) / sizeof(int64_t);

inline constexpr uint16_t kMaxColumns = 32;

// Kinds from here on are tables of a timeline, which only a reader with the same layout of them understands.
inline constexpr uint16_t kFirstTable = 256;
inline constexpr uint16_t kMaxTableColumns = 512;

// ---- Enumerations of column values (0: not known) -----------------------------------------------------

enum class GraphItem : uint8_t {  // GraphContent::kind
  kUnknown = 0,
  kNodes = 1,
  kKernel = 2,
  kCopy = 3,
  kFill = 4,
  kGemm = 5,
  kConditional = 6,
};

enum class ActivityKind : uint8_t {  // DeviceActivity::activity
  kUnknown = 0,
  kKernel = 1,
  kMemcpy = 2,
  kMemset = 3,
  kGraph = 4,            // a whole graph launch without node records
  kSynchronization = 5,  // not device work
};

enum class CopyKind : uint8_t {  // as cudaMemcpyKind + 1, then CUPTI's finer kinds
  kUnknown = 0,
  kHostToHost = 1,
  kHostToDevice = 2,
  kDeviceToHost = 3,
  kDeviceToDevice = 4,
  kDefault = 5,
  kPeerToPeer = 6,
};

enum class HostMemory : uint8_t {  // DeviceActivity::host_memory
  kUnknown = 0,
  kPageable = 1,
  kPinned = 2,
};

enum class Operation : uint8_t {  // Collective::operation
  kUnknown = 0,
  kAllReduce = 1,
  kAllGather = 2,
  kReduceScatter = 3,
  kAllToAll = 4,
  kBroadcast = 5,
  kReduce = 6,
  kGather = 7,
  kScatter = 8,
  kSend = 9,
  kReceive = 10,
  kSendReceive = 11,  // a group of sends and receives that is not an all-to-all
  kBarrier = 12,
};

enum class DataType : uint8_t {  // Collective::datatype, Gemm::type_*
  kUnknown = 0,
  kInt8 = 1,
  kUint8 = 2,
  kInt32 = 3,
  kUint32 = 4,
  kInt64 = 5,
  kUint64 = 6,
  kFloat16 = 7,
  kFloat32 = 8,
  kFloat64 = 9,
  kBfloat16 = 10,
  kFloat8E4M3 = 11,
  kFloat8E5M2 = 12,
  kTf32 = 13,
  kInt16 = 14,
  kComplex64 = 15,
  kComplex128 = 16,
  kFloat4 = 17,
};

enum class ProductForm : uint8_t {  // Gemm::form, GraphContent::form, OperatorWork::form
  kMatrices = 0,
  kConvolution = 1,
  kConvolutionData = 2,    // the gradient of its input, or all that one operator computes
  kConvolutionFilter = 3,  // the gradient of its weight
  kAttention = 4,
  kAttentionBackward = 5,
};

enum class RangeSource : uint8_t {  // Range::source, Mark::source
  kUnknown = 0,
  kNvtx = 1,         // push/pop on one thread
  kNvtxProcess = 2,  // start/end, may cross threads
  kAnnotation = 3,   // a framework's user annotation (record_function)
  kOperator = 4,     // a framework's operator (aten::…, autograd)
  kPython = 5,       // a Python function
  kProfiler = 6,     // the recording profiler's own overhead
  kFramework = 7,    // the framework's own word for what it does (forward, update, …), asked by the recorder
};

enum class MemoryAction : uint8_t { kUnknown = 0, kAllocate = 1, kFree = 2, kTrim = 3 };

enum class GapScope : uint8_t { kUnknown = 0, kAll = 1, kHost = 2, kDevice = 3, kCollectives = 4, kRanges = 5 };

enum class DeviceTimesState : uint8_t {  // DeviceTimes::state
  kUnknown = 0,
  kOff = 1,        // nothing takes them: hooks only
  kTaken = 2,      // each launch from here on has its record
  kSwitching = 3,  // they are being switched on or off, or records of earlier launches are awaited
  kLent = 4,       // another profiler has their source
  kRefused = 5,    // the source refused
};

enum class FrameLanguage : uint8_t { kUnknown = 0, kNative = 1, kPython = 2 };

}  // namespace tauprof::log
