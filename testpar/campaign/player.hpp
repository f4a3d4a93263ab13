// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Plays cases against the library, beside a model in memory. Room: testpar, public headers only.

#ifndef PCIO_TESTPAR_CAMPAIGN_PLAYER_HPP
#define PCIO_TESTPAR_CAMPAIGN_PLAYER_HPP

#include "case.hpp"
#include "histogram.hpp"

namespace campaign {

/// What a dataset must hold.
struct Model {
  std::vector<std::int64_t> values;  // [element], row-major
  std::vector<bool> known;           // false: never written, and no fill value
};

/// One file with the datasets of several cases.
///
/// All calls are collective over the world, and every rank plays the same cases.
class Player {
 public:
  /// `across`: what each rank wrote is read back by the rank so many after it; 0: it is not.
  Player(std::string path, bool new_format, Histogram& histogram, int across)
      : path_(std::move(path)), new_format_(new_format), histogram_(histogram), across_(across) {}
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  bool create();
  /// True if all ranks saw everything as it must be; else *what says what this one saw, if anything.
  bool play(const Case& c, std::string* what);
  bool close();
  /// Rank `judge` reads all datasets without MPI; the others do nothing.
  bool check_serially(int judge, std::string* what) const;
  /// Writes what the file must hold, for another program to compare: lines of text.
  bool write_model(const std::string& path) const;

 private:
  struct Played {
    std::string name;
    NumberType type;
    Dims dims;
    Model model;
  };
  bool open(unsigned flags);
  bool make_dataset(const Case& c);
  bool transfer(const Case& c, std::size_t index);
  bool reopen(const Case& c);
  hid_t make_list(const Transfer& t);
  bool move(const Case& c, std::size_t index, hid_t list);
  bool read_across(const Case& c, std::size_t index);
  bool check_buffer(const Case& c, std::size_t index, const std::vector<unsigned char>& buffer);
  void update_model(const Case& c, std::size_t index);
  void count(const Case& c, const Transfer& t, hid_t list);
  bool wrong(const std::string& what);

  std::string path_;
  bool new_format_;
  Histogram& histogram_;
  int across_;
  hid_t file_ = -1, dataset_ = -1;
  std::vector<Played> played_;
  std::string wrong_;
};

int rank();
int size();

}  // namespace campaign

#endif
