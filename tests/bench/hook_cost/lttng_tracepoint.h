// The tracepoint of lttng_wrapper.cpp: 32 bytes of payload.
#undef TRACEPOINT_PROVIDER
#define TRACEPOINT_PROVIDER tauprof_bench
#undef TRACEPOINT_INCLUDE
#define TRACEPOINT_INCLUDE "./lttng_tracepoint.h"

#if !defined(TAUPROF_LTTNG_TRACEPOINT_H) || defined(TRACEPOINT_HEADER_MULTI_READ)
#define TAUPROF_LTTNG_TRACEPOINT_H

#include <lttng/tracepoint.h>
#include <stdint.h>

TRACEPOINT_EVENT(tauprof_bench, call,
                 TP_ARGS(uint64_t, start, uint64_t, duration, uint64_t, function, uint64_t, stream),
                 TP_FIELDS(ctf_integer(uint64_t, start, start) ctf_integer(uint64_t, duration, duration)
                               ctf_integer(uint64_t, function, function) ctf_integer(uint64_t, stream, stream)))

#endif

#include <lttng/tracepoint-event.h>
