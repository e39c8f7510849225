#include "metrics/efficiency/device_peaks.h"

#include "names/glob.h"

namespace tauprof {
namespace {

struct DeviceModel {
  std::string_view name;
  double fp64, fp32, tf32, fp16, bf16, fp8, int8, fp4, link, memory, clock;
};

constexpr DeviceModel kModels[] = {
#define TAUPROF_PEAK(...) {__VA_ARGS__},
#include "metrics/efficiency/device_peaks.def"
#undef TAUPROF_PEAK
};

// The simulated stack says which device it imitates.
std::string_view model_name(std::string_view name) {
  for (const std::string_view brand : {"NVIDIA ", "Tesla "})
    if (name.starts_with(brand)) name.remove_prefix(brand.size());
  constexpr std::string_view kSimulated = " (simulated)";
  if (name.ends_with(kSimulated)) name.remove_suffix(kSimulated.size());
  return name;
}

// Null: the table does not know it.
const DeviceModel* model_of(std::string_view device_name) {
  const std::string_view name = model_name(device_name);
  for (const DeviceModel& model : kModels)
    if (matches_glob(model.name, name)) return &model;
  return nullptr;
}

constexpr double kTera = 1e12;

}  // namespace

std::optional<PerPrecision<double>> device_peaks(std::string_view device_name) {
  const DeviceModel* const model = model_of(device_name);
  if (model == nullptr) return std::nullopt;
  return PerPrecision<double>{0,
                              model->fp64 * kTera,
                              model->fp32 * kTera,
                              model->tf32 * kTera,
                              model->fp16 * kTera,
                              model->bf16 * kTera,
                              model->fp8 * kTera,
                              model->int8 * kTera,
                              model->fp4 * kTera};
}

PerPrecision<double> peaks_of(std::string_view device_name, const std::optional<double>& given) {
  if (!given) return device_peaks(device_name).value_or(PerPrecision<double>{});
  PerPrecision<double> peaks{};
  peaks.fill(*given);
  return peaks;
}

std::optional<double> device_link_gb_per_s(std::string_view device_name) {
  const DeviceModel* const model = model_of(device_name);
  if (model == nullptr || model->link <= 0) return std::nullopt;
  return model->link;
}

std::optional<double> device_peak_clock_mhz(std::string_view device_name) {
  const DeviceModel* const model = model_of(device_name);
  if (model == nullptr || model->clock <= 0) return std::nullopt;
  return model->clock;
}

std::optional<double> memory_bandwidth(std::string_view device_name) {
  const DeviceModel* const model = model_of(device_name);
  return model == nullptr ? std::nullopt : std::optional(model->memory * kTera);
}

}  // namespace tauprof
