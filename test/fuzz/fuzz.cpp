// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room test/fuzz: spoiled files, read and changed in this process. `make fuzz`, and a sample in `make check`.
//
//     fuzz [--seed S] [--first N] [--cases N] [--corpus FOLDER] [--keep FOLDER] [--here] [--list]
//
// A case follows from the seed, its number and the sound files alone: --first N --cases 1 plays one again,
// --here without the child process that catches crashes, for a debugger. A crash, a case of more than
// kSeconds of processor time or kMostMemory bytes, an id or memory that nobody gives back is a failure: it
// is told with seed and number, and the file is left in the folder of --keep.

#include "fuzz.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "exercise.hpp"
#include "limits.hpp"
#include "mend.hpp"
#include "mutate.hpp"
#include "seed_files.hpp"

namespace fuzz {

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kSeconds = 20;
#else
constexpr int kSeconds = 2;
#endif
constexpr std::uint64_t kCasesOfAChild = 5000;
constexpr std::size_t kMostImage = 1 << 22;
/// What a library may keep of a case for the next ones, on average: bytes.
constexpr std::ptrdiff_t kKeptMemory = 4 << 20;

struct Options {
  std::uint64_t seed = 1, first = 0, cases = 1000;
  std::string corpus, keep = ".";
  bool here = false, list = false;
};

/// What the child leaves for its parent, in memory that both have.
struct Board {
  std::uint64_t now = 0;  ///< number of the case
  const char* step = "";
  const char* wrong = "";
  std::size_t image_size = 0;
  std::uint64_t mended = 0, unopened = 0;
  std::ptrdiff_t peak = 0;
  Seen seen;
  MutationCounts mutations;
  unsigned char image[kMostImage];
};

class Fuzzer {
 public:
  Fuzzer(Options options, FileMaps maps, std::size_t own)
      : options_(std::move(options)), maps_(std::move(maps)), own_(own) {
    void* const memory =
        mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    board_ = new (memory) Board;
  }

  int run() {
    const std::uint64_t end = options_.first + options_.cases;
    for (std::uint64_t next = options_.first; next < end;) {
      const std::uint64_t last = std::min(end, next + kCasesOfAChild);
      if (options_.here)
        play(next, last), next = last;
      else
        next = in_child(next, last);
    }
    rusage children{}, self{};
    getrusage(RUSAGE_CHILDREN, &children);
    getrusage(RUSAGE_SELF, &self);
    const rusage& used = options_.here ? self : children;
    return summary(static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1);
  }

 private:
  /// Plays cases until the last or one that fails; the number of the next one.
  std::uint64_t in_child(std::uint64_t next, std::uint64_t last) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      if (std::freopen("stderr.txt", "w", stderr) == nullptr) _exit(3);
      std::setvbuf(stderr, nullptr, _IONBF, 0);
      play(next, last);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status == 0) return last;
    tell_failure(status);
    return board_->now + 1;
  }

  void tell_failure(int status) {
    ++failures_;
    const std::string path = options_.keep + "/fuzz-" + std::to_string(options_.seed) + "-" +
                             std::to_string(board_->now) + ".h5";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(board_->image),
               static_cast<std::streamsize>(board_->image_size));
    const char* what = *board_->wrong != '\0' ? board_->wrong
                       : WIFSIGNALED(status)  ? strsignal(WTERMSIG(status))
                                              : "ended";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) what = "takes too long";
    std::printf("FAILED seed %llu case %llu (%s), file %s: %s\n", number(options_.seed),
                number(board_->now), board_->step, path.c_str(), what);
    std::ifstream said("stderr.txt");
    std::string line;
    for (int lines = 0; lines < 30 && std::getline(said, line);)
      if (line.find("what was written") == std::string::npos)
        std::printf("  | %s\n", line.c_str()), ++lines;
    std::fflush(stdout);
  }

  static unsigned long long number(std::uint64_t value) { return value; }

  void play(std::uint64_t next, std::uint64_t last) {
    for (; next < last; ++next) {
      if (next % 256 == 0 && ftruncate(STDERR_FILENO, 0) == 0) std::rewind(stderr);
      board_->now = next;
      board_->step = "making it";
      // A process that hangs doesn't say so by itself.
      const itimerval limit{{0, 0}, {kSeconds, 0}};
      setitimer(ITIMER_PROF, &limit, nullptr);
      begin_memory_limit();
      play_case(next);
      check_kept();
    }
  }

  void play_case(std::uint64_t which) {
    Random random(options_.seed * 0x2545F4914F6CDD1DU + which);
    // The fuzzer's own files are the smaller part.
    const std::size_t file = random.one_in(2) ? random.below(own_) : random.below(maps_.size());
    Image image = mutate(maps_, file, random, &board_->mutations);
    if (image.size() > kMostImage) image.resize(kMostImage);
    read_mended(&image);
    board_->step = "changing it";
    Image changed = change_image(image, random, &board_->seen);
    if (changed.empty()) return;
    show(changed);
    board_->step = "reading what it was changed to";
    read_image(changed, &board_->seen);
    ++board_->seen.read_again;
  }

  void show(const Image& image) {
    board_->image_size = std::min(image.size(), kMostImage);
    std::copy_n(image.begin(), board_->image_size, board_->image);
  }

  /// What is wrong behind a checksum is seen only once that is right; one in eight stays wrong.
  void read_mended(Image* image) {
    board_->step = "reading it";
    const std::uint64_t opened = board_->seen.opened;
    for (int round = 0; round < 4; ++round) {
      show(*image);
      begin_watching_checksums();
      read_image(*image, &board_->seen);
      if (board_->now % 8 == 7) {
        Image copy = *image;
        mend_checksums(&copy);
        break;
      }
      const std::size_t mended = mend_checksums(image);
      board_->mended += mended;
      if (mended == 0) break;
    }
    show(*image);
    if (board_->seen.opened == opened) ++board_->unopened;
  }

  void check_kept() {
    board_->peak = std::max(board_->peak, peak_memory());
    if (H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) != 0)
      board_->wrong = "files or objects stay open", std::abort();
    if (end_memory_limit() > kKeptMemory) board_->wrong = "memory is kept", std::abort();
  }

  int summary(double seconds) {
    const Seen& seen = board_->seen;
    const MutationCounts& m = board_->mutations;
    const std::uint64_t bins[] = {m.field,      m.message,       m.splice,       m.block,
                                  m.bytes,      m.end,           m.none,         board_->mended,
                                  seen.opened,  seen.attributes, seen.values,    seen.references,
                                  seen.changes, seen.committed,  seen.read_again};
    const bool empty =
        options_.cases >= 1000 && std::count(std::begin(bins), std::end(bins), 0U) > 0;
    std::uint64_t hash = 0;
    for (const FileMap& map : maps_) hash = hash_of(map.file.bytes, hash + 1);
    std::printf(
        "fuzz: seed %llu, cases %llu to %llu of %zu own and %zu foreign files (%016llx), spoiled: "
        "field %llu message %llu splice %llu block %llu bytes %llu end %llu none %llu, mended "
        "%llu;\n",
        number(options_.seed), number(options_.first), number(options_.first + options_.cases - 1),
        own_, maps_.size() - own_, number(hash), number(m.field), number(m.message),
        number(m.splice), number(m.block), number(m.bytes), number(m.end), number(m.none),
        number(board_->mended));
    std::printf(
        "  not opened %llu, objects %llu, attributes %llu, values %llu, references %llu; opened to "
        "change %llu, "
        "changes %llu, refused %llu, committed %llu, read again %llu; most memory %td KiB, %.0f "
        "cases a second of processor time\n",
        number(board_->unopened), number(seen.objects), number(seen.attributes),
        number(seen.values), number(seen.references), number(seen.opened_to_change),
        number(seen.changes), number(seen.refused_changes), number(seen.committed),
        number(seen.read_again), board_->peak / 1024,
        static_cast<double>(options_.cases) / std::max(seconds, 0.001));
    if (empty) std::printf("FAILED: something never happened\n");
    std::printf("%llu failures\n", number(failures_));
    return failures_ > 0 || empty ? 1 : 0;
  }

  Options options_;
  FileMaps maps_;
  std::size_t own_;
  Board* board_ = nullptr;
  std::uint64_t failures_ = 0;
};

bool take_options(int argc, char** argv, Options* options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--here" || name == "--list") {
      (name == "--here" ? options->here : options->list) = true;
      continue;
    }
    if (++i == argc) return false;
    if (name == "--seed")
      options->seed = std::strtoull(argv[i], nullptr, 10);
    else if (name == "--first")
      options->first = std::strtoull(argv[i], nullptr, 10);
    else if (name == "--cases")
      options->cases = std::strtoull(argv[i], nullptr, 10);
    else if (name == "--corpus")
      options->corpus = std::filesystem::absolute(argv[i]);
    else if (name == "--keep")
      options->keep = std::filesystem::absolute(argv[i]);
    else
      return false;
  }
  options->keep = std::filesystem::absolute(options->keep);
  return true;
}

int run(const Options& options) {
  const char* const given = std::getenv("PCIO_TEST_TMP");
  std::string folder = std::string(given != nullptr ? given : "/tmp") + "/fuzz.XXXXXX";
  // Whatever a case writes beside its file is written here.
  if (mkdtemp(folder.data()) == nullptr || chdir(folder.c_str()) != 0) return 2;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLset_loading_state(0);  // what is wrong in plugins is not ours
  std::vector<NamedImage> files = made_files(folder);
  const std::size_t own = files.size();
  for (NamedImage& file : corpus_files(options.corpus, 32 << 10)) files.push_back(std::move(file));
  FileMaps maps;
  for (NamedImage& file : files) maps.push_back(map_of(std::move(file)));
  if (options.list)
    for (const FileMap& map : maps)
      std::printf("%016llx %6zu bytes %4zu structures %4zu messages %5zu fields %s\n",
                  static_cast<unsigned long long>(hash_of(map.file.bytes)), map.file.bytes.size(),
                  map.blocks.size(), map.messages.size(), map.fields.size(), map.file.name.c_str());
  const int result = Fuzzer(options, std::move(maps), own).run();
  std::filesystem::remove_all(folder);
  return result;
}

}  // namespace

}  // namespace fuzz

/// Sound files are the same whenever they are made (--wrap in Makefile.inc).
extern "C" std::time_t __wrap_time(std::time_t* time) {
  constexpr std::time_t kAlways = 1000000000;
  if (time != nullptr) *time = kAlways;
  return kAlways;
}
extern "C" int __wrap_getentropy(void* buffer, std::size_t size) {
  std::memset(buffer, 7, size);
  return 0;
}

int main(int argc, char** argv) {
  fuzz::Options options;
  if (!fuzz::take_options(argc, argv, &options)) {
    std::fprintf(stderr,
                 "usage: fuzz [--seed S] [--first N] [--cases N] [--corpus FOLDER] [--keep FOLDER] "
                 "[--here] [--list]\n");
    return 2;
  }
  return fuzz::run(options);
}
