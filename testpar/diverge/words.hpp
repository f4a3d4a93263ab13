// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Datasets and attributes of strings for the campaign: written together, overwritten, deleted, and read by
// each rank when it likes. Room: testpar, public headers only.

#ifndef PCIO_TESTPAR_DIVERGE_WORDS_HPP
#define PCIO_TESTPAR_DIVERGE_WORDS_HPP

#include <cstdint>
#include <hdf5.h>
#include <string>
#include <vector>

namespace diverge {

/// Numbers of all ranks alike choose what is done. Where strings lie depends on how many ranks there are.
/// Functions return whether the call had the outcome that it must have.
class Words {
 public:
  Words(int rank, int ranks);
  ~Words();
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;

  bool make(hid_t file, const std::string& path, std::uint64_t number);
  bool write(hid_t file, hid_t list, std::uint64_t number);
  /// Of one that there is: its attribute is written.
  bool note(hid_t file, std::uint64_t number);
  bool remove(hid_t file, std::uint64_t number);
  /// Of this rank alone: opens, closes or reads one, as `number` says.
  void settle(hid_t file, std::uint64_t number);
  void keep_open(hid_t file);
  /// Nothing is open any more.
  void leave();

 private:
  struct Set {
    std::string path;
    hsize_t size = 0;
    hid_t id = -1;
  };
  Set* any(std::uint64_t number);
  hid_t get(hid_t file, Set& set) const;
  void read(hid_t file, Set& set) const;

  int rank_, ranks_;
  hid_t type_ = -1;
  std::vector<Set> sets_;
};

}  // namespace diverge

#endif
