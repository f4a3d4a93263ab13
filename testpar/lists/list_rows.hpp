// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Every property of every list that a parallel program passes: how one rank comes to have another value,
// and what must come of it. Room: testpar, public headers only.

#ifndef PCIO_TESTPAR_LIST_ROWS_HPP
#define PCIO_TESTPAR_LIST_ROWS_HPP

#include <hdf5.h>
#include <string>
#include <vector>

namespace lists {

/// The lists of one run through a file's life.
struct Lists {
  hid_t fcpl = -1, fapl = -1, dcpl = -1, dapl = -1, gcpl = -1, gapl = -1, tcpl = -1, acpl = -1,
        lcpl = -1, dxpl = -1;
  unsigned flags = H5F_ACC_TRUNC;
  std::string path;
};

enum class Where { kCreate, kOpen, kObject, kTransfer };
constexpr const char* kWhereNames[] = {"file creation", "file access", "object", "transfer"};

struct Row {
  Where where;
  const char* name;
  void (*set)(Lists&);
  /// Text that every rank's error has. Empty: it may differ. "|" parts alternatives.
  const char* error;
};

const std::vector<Row>& rows();

}  // namespace lists

#endif
