// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: the objects of a file that are in memory, by address.

#pragma once

#include <map>
#include <memory>

#include "storage/objects/stored_object.hpp"

namespace pcio {

/// Finds objects that somebody holds. What nobody holds any more leaves nothing behind, also where the
/// file is gone before it. Threads: one thread drives a file.
class LoadedObjects {
 public:
  /// An object that has no address yet; add() it when it has.
  [[nodiscard]] StoredObjectPtr make() const { return std::make_shared<Loaded>(map_); }
  void add(const StoredObjectPtr& object) {
    map_->insert_or_assign(map_->end(), object->address, object);
  }
  void remove(FileAddress address) { map_->erase(address); }
  /// Null where nobody holds it.
  [[nodiscard]] StoredObjectPtr find(FileAddress address) const {
    const auto it = map_->find(address);
    return it == map_->end() ? nullptr : it->second.lock();
  }

 private:
  using Map = std::map<FileAddress, std::weak_ptr<StoredObject>>;
  /// In one piece of memory with what counts its holders.
  struct Loaded final : StoredObject {
    explicit Loaded(std::shared_ptr<Map> map) : map_(std::move(map)) {}
    Loaded(const Loaded&) = delete;
    Loaded& operator=(const Loaded&) = delete;
    ~Loaded() {
      // By now another one may have its place in the file.
      if (auto it = map_->find(address); it != map_->end() && it->second.expired()) map_->erase(it);
    }

   private:
    std::shared_ptr<Map> map_;
  };
  std::shared_ptr<Map> map_ = std::make_shared<Map>();
};

}  // namespace pcio
