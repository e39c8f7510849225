// The thread that issues backward, like that of an automatic-differentiation engine. Meanwhile the main thread waits.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace training {

class BackwardThread {
 public:
  BackwardThread(const std::string& name, int device);
  ~BackwardThread();
  BackwardThread(const BackwardThread&) = delete;
  BackwardThread& operator=(const BackwardThread&) = delete;

  // Returns when the thread has finished `work`.
  void run(const std::function<void()>& work);

 private:
  void serve(int device);

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;  // null: no work
  bool is_over_ = false;
  std::thread thread_;  // last, because it uses the other members
};

}  // namespace training
