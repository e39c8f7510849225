// See checkpoint.h.
#include "checkpoint.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "checks.h"

namespace training {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 20;

}  // namespace

void save_checkpoint(const Parameters& parameters, const std::string& file) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(nullptr, &std::fclose);
  if (!file.empty()) {
    out.reset(std::fopen(file.c_str(), "wb"));
    if (!out) fail("cannot write " + file);
  }
  const std::size_t total = parameters.count() * sizeof(Element);
  const auto piece = std::make_unique_for_overwrite<std::byte[]>(std::min(kPiece, total));
  const auto* weights = reinterpret_cast<const std::byte*>(parameters.all_weights());
  for (std::size_t at = 0; at < total; at += kPiece) {
    const std::size_t bytes = std::min(kPiece, total - at);
    check(cudaMemcpy(piece.get(), weights + at, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    if (out && std::fwrite(piece.get(), 1, bytes, out.get()) != bytes) fail("cannot write " + file);
  }
}

}  // namespace training
