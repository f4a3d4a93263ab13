// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What this process asked of the client that client.cpp plays. Room: testpar.

#pragma once

/// Calls since the program began.
struct ClientCalls {
  unsigned long long syncs = 0;      ///< fsync, fdatasync
  unsigned long long new_sizes = 0;  ///< ftruncate
};
extern ClientCalls client_calls;
