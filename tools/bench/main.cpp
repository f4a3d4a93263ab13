// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// mpirun -n N pciobench FOLDER: how fast files of the usual kinds are written and read there, by libpcio and, where one is
// found, by libhdf5. Room: tools, public headers only.
//
// Exit status: 0 measured, 1 not, 2 usage.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <mpi.h>
#include <optional>
#include <pcio.h>
#include <unistd.h>

#include "command_line.hpp"
#include "failure.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "results.hpp"
#include "workloads.hpp"

namespace {

using bench::Job;
using bench::Library;
using bench::Results;
using bench::Row;
using bench::Workload;
using tools::Failure;
using tools::Ranks;

constexpr const char* kFooter =
    "Start it under mpirun with as many ranks as a job has, on a machine that does nothing else.\n"
    "FOLDER needs room for about twice the bytes of all ranks; nothing stays there.\n"
    "Exit status: 0 measured, 1 not measured, 2 usage.";

struct Options {
  std::string folder = ".", hdf5, csv, chart;
  std::uint64_t bytes = std::uint64_t{16} << 20;
  int runs = 3;
  bool alone = false;
  std::vector<std::string> chosen;
  tools::Bar bar = tools::Bar::kOnTerminal;
};

std::string names_text() {
  std::string out;
  for (const Workload& each : bench::workloads())
    out += fmt::format("{}{}", out.empty() ? "" : ", ", each.name);
  return out;
}

void add_options(CLI::App& app, Options* options) {
  app.add_option("FOLDER", options->folder,
                 "on the file system that is asked about; the current one");
  std::vector<std::string> names;
  for (const Workload& each : bench::workloads()) names.emplace_back(each.name);
  app.add_option("-w,--workload", options->chosen, "only this one: " + names_text())
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names).description(""));
  app.add_option("-s,--size", options->bytes, "bytes of each rank, about; 16MiB")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->check(CLI::Range(std::uint64_t{1} << 12, std::uint64_t{1} << 34).description(""));
  app.add_option("-r,--runs", options->runs, "runs of each; 3")
      ->check(CLI::Range(1, 1000).description(""));
  app.add_option("--hdf5", options->hdf5,
                 "the libhdf5 beside which libpcio is measured; else one is looked for");
  app.add_flag("--no-hdf5", options->alone, "libpcio alone");
  app.add_option("--csv", options->csv, "write all runs to this file");
  app.add_option("--chart", options->chart, "draw bars in this file, an SVG");
  tools::add_progress_flags(app, &options->bar);
}

/// False where the program ends now, with *status.
bool read_options(int argc, char** argv, bool speaks, Options* options, int* status) {
  CLI::App app{
      "Measures how fast libpcio writes and reads files of the usual kinds, beside libhdf5."};
  app.name("pciobench");
  app.set_version_flag("-V,--version", std::string("pciobench ") + pcio_version_string());
  add_options(app, options);
  app.footer(kFooter);
  return tools::parse(app, speaks, status, argc, argv);
}

/// Collective: all ranks.
int count_nodes() {
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int place = 0, nodes = 0;
  MPI_Comm_rank(node, &place);
  const int leads = place == 0 ? 1 : 0;
  MPI_Allreduce(&leads, &nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_free(&node);
  return nodes;
}

/// Throws on all ranks where the first one says why not.
void need_all(const Ranks& ranks, const std::string& why) {
  const std::string told = ranks.broadcast(why);
  if (!told.empty()) throw Failure(told);
}

/// "" where the file can be written, else why not.
std::string unwritable(const std::string& file) {
  std::FILE* const tried = std::fopen(file.c_str(), "ae");
  if (tried == nullptr) return fmt::format("{}: {}", tools::printable(file), std::strerror(errno));
  std::fclose(tried);
  return "";
}

/// The file that is written and read, for all ranks of this job and no other's.
std::string file_in(const Ranks& ranks, const std::string& folder) {
  return fmt::format("{}/pciobench-{}.h5", folder, ranks.broadcast(static_cast<int>(::getpid())));
}

class Measurement {
 public:
  Measurement(const Ranks& ranks, const Options& options)
      : ranks_(ranks), options_(options), own_(bench::own_library()) {}

  Results run() {
    prepare();
    const std::string file = file_in(ranks_, options_.folder);
    need_all(ranks_, ranks_.first() ? unwritable(file) : "");
    std::vector<Workload> chosen;
    for (const Workload& each : bench::workloads())
      if (is_chosen(each.name)) chosen.push_back(each);
    const auto rounds = static_cast<std::uint64_t>(options_.runs) * (other_ ? 2 : 1);
    tools::Progress progress(
        ranks_.first() ? options_.bar : tools::Bar::kOff,
        rounds * chosen.size() * options_.bytes * static_cast<std::uint64_t>(ranks_.size()));
    for (const Workload& each : chosen) {
      Row write{each.name, "write", 0, {}, {}}, read{each.name, "read", 0, {}, {}};
      for (int i = 0; i < options_.runs; ++i) {
        measure(each, own_, file, &write.own, &read.own, &write.bytes, &progress);
        if (other_)
          measure(each, *other_, file, &write.other, &read.other, &write.bytes, &progress);
      }
      read.bytes = write.bytes;
      results_.rows.push_back(write);
      results_.rows.push_back(read);
    }
    return results_;
  }

 private:
  void prepare() {
    results_.folder = options_.folder;
    results_.ranks = ranks_.size();
    results_.nodes = count_nodes();
    results_.own = fmt::format("{} {}", own_.name, own_.version);
    std::string why;
    if (!options_.alone) other_ = bench::find_hdf5(options_.hdf5, &why);
    // Where one rank has none, none is taken.
    if (!ranks_.agree(other_.has_value(), &why)) {
      if (!options_.hdf5.empty()) throw Failure(why);
      if (ranks_.first() && !options_.alone)
        fmt::print(stderr, "pciobench: libpcio alone: {}\n", tools::printable(why));
      other_.reset();
      return;
    }
    other_->H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    results_.other = fmt::format("{} {}", other_->name, other_->version);
  }

  bool is_chosen(const std::string& name) const {
    return options_.chosen.empty() ||
           std::find(options_.chosen.begin(), options_.chosen.end(), name) != options_.chosen.end();
  }

  void measure(const Workload& workload, const Library& library, const std::string& file,
               std::vector<double>* write, std::vector<double>* read, std::uint64_t* bytes,
               tools::Progress* progress) {
    const Job job{&library, ranks_.rank(), ranks_.size(), file, options_.bytes};
    try {
      const bench::Seconds seconds = workload.run(job);
      write->push_back(seconds.write);
      read->push_back(seconds.read);
      *bytes = seconds.bytes;
    } catch (const std::exception& failure) {
      // The others may be within a call that waits for this rank.
      fmt::print(stderr, "pciobench: rank {}: {} with {}: {}\n", ranks_.rank(), workload.name,
                 library.name, failure.what());
      ::unlink(file.c_str());
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (ranks_.first()) ::unlink(file.c_str());
    progress->add(options_.bytes * static_cast<std::uint64_t>(ranks_.size()), workload.name);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  const Ranks& ranks_;
  const Options& options_;
  Library own_;
  std::optional<Library> other_;
  Results results_;
};

void save(const std::string& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) throw Failure(fmt::format("{}: can't be written", tools::printable(file)));
}

}  // namespace

int main(int argc, char** argv) {
  const Ranks ranks(&argc, &argv, Ranks::Mpi::kAlways);
  Options options;
  int status = 1;
  if (!read_options(argc, argv, ranks.first(), &options, &status)) return status;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  try {
    for (const std::string& file : {options.csv, options.chart})
      need_all(ranks, ranks.first() && !file.empty() ? unwritable(file) : "");
    const Results results = Measurement(ranks, options).run();
    if (ranks.first()) {
      fmt::print("{}", bench::table_text(results));
      if (!options.csv.empty()) save(options.csv, bench::csv_text(results));
      if (!options.chart.empty()) save(options.chart, bench::chart_svg(results));
    }
    return 0;
  } catch (const std::exception& failure) {
    if (ranks.first()) fmt::print(stderr, "pciobench: {}\n", failure.what());
    return 1;
  }
}
