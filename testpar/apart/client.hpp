// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What this process asked of the client that client.cpp plays. Room: testpar.

#pragma once

/// Calls since the program began.
struct ClientCalls {
  unsigned long long syncs = 0;      ///< fsync, fdatasync
  unsigned late_microseconds = 0;    ///< new sizes come so late
  unsigned long long new_sizes = 0;  ///< ftruncate
  unsigned long long emptied = 0;    ///< of these, to nothing
  long long last_size = -1;          ///< of the last of these
  unsigned long long opens = 0;      ///< open, of names that end in .h5
  /// The next one's answer tells what another client has made of the file just then: that it has no bytes.
  bool next_is_overtaken = false;
  /// The next sync tells, once, that bytes were lost which this machine has written before.
  bool next_sync_tells_loss = false;
  /// This process runs on the machine that has the files themselves.
  bool is_server = false;
};
extern ClientCalls client_calls;
