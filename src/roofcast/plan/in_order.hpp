#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace roofcast {

/// Fills chunks 0, 1, ..., count - 1 on several threads and hands them to the calling thread in
/// order. At most two chunks per thread are alive, so a slow consumer holds the producers back
/// instead of filling the memory. An exception on either side stops the other and is rethrown here.
template <class Chunk>
class InOrder {
 public:
  InOrder(std::int64_t count, std::size_t threads)
      : count_(count), threads_(threads), slots_(2 * threads) {}

  /// produce(thread, number, chunk) runs on the threads, chunk being reused; consume(chunk) runs
  /// here.
  template <class Produce, class Consume>
  void run(Produce produce, Consume consume) {
    std::vector<std::thread> pool;
    pool.reserve(threads_);
    try {
      for (std::size_t thread = 0; thread < threads_; ++thread) {
        pool.emplace_back([this, thread, &produce] { work(thread, produce); });
      }
      deliver(consume);
    } catch (...) {
      fail(std::current_exception());
    }
    for (std::thread& thread : pool)
      thread.join();
    if (failure_)
      std::rethrow_exception(failure_);
  }

 private:
  struct Slot {
    Chunk chunk;
    bool ready = false;
  };

  Slot& slot(std::int64_t number) {
    return slots_[static_cast<std::size_t>(number) % slots_.size()];
  }
  [[nodiscard]] std::int64_t window() const { return static_cast<std::int64_t>(slots_.size()); }

  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_)
      failure_ = std::move(failure);
    room_.notify_all();
    ready_.notify_all();
  }

  /// The next chunk to produce, once its slot is free; -1 when there is none left.
  std::int64_t claim() {
    std::unique_lock lock(mutex_);
    if (failure_ || next_ == count_)
      return -1;
    const std::int64_t number = next_++;
    room_.wait(lock, [&] { return failure_ || number < delivered_ + window(); });
    return failure_ ? -1 : number;
  }

  template <class Produce>
  void work(std::size_t thread, Produce& produce) {
    try {
      for (std::int64_t number = claim(); number >= 0; number = claim()) {
        Slot& mine = slot(number);
        produce(thread, number, mine.chunk);
        const std::lock_guard lock(mutex_);
        mine.ready = true;
        ready_.notify_one();
      }
    } catch (...) {
      fail(std::current_exception());
    }
  }

  template <class Consume>
  void deliver(Consume& consume) {
    for (std::int64_t number = 0; number < count_; ++number) {
      Slot& next = slot(number);
      {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [&] { return failure_ || next.ready; });
        if (failure_)
          return;
        next.ready = false;
      }
      consume(next.chunk);
      const std::lock_guard lock(mutex_);
      delivered_ = number + 1;
      room_.notify_all();
    }
  }

  std::int64_t count_;
  std::size_t threads_;
  std::vector<Slot> slots_;
  std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable ready_;
  std::exception_ptr failure_;
  std::int64_t next_ = 0;       ///< first chunk that nobody has claimed
  std::int64_t delivered_ = 0;  ///< chunks that the consumer is done with
};

}  // namespace roofcast
