#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# fresh-debian.sh [quickstart|run-tests|both [ROOT-FOLDER]]: the two commands on a Debian machine
# where nothing is installed: a chroot made by debootstrap, a fresh clone in it.
#
# Root only. The mirror is the one this machine uses. Without an argument: both, in a temporary
# folder that is removed afterwards; a folder that is named is kept, and used again if it is there.
set -u
what=${1:-both}
if [ "$(id -u)" -ne 0 ]; then echo "SKIP: only root can make a chroot"; exit 77; fi
if ! command -v debootstrap >/dev/null; then echo "SKIP: no debootstrap"; exit 77; fi
source=${PCIO_SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}
if ! git -C "$source" rev-parse --git-dir >/dev/null 2>&1; then
  echo "SKIP: not a git checkout, nothing to clone"
  exit 77
fi

# The first http(s) mirror of the machine's own release, in either form of source list.
mirror=$(
  cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
      /etc/apt/sources.list.d/*.sources 2>/dev/null |
    sed -n -e 's/^URIs: *\([^ ]*\).*/\1/p' -e 's/^deb *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\).*/\2/p' |
    grep -E '^https?://.*/debian/?$' | head -n 1)
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
if [ -z "$mirror" ] || [ -z "$suite" ]; then
  echo "SKIP: no Debian mirror in this machine's apt sources"
  exit 77
fi

if [ $# -ge 2 ]; then
  root=$2 keep=yes
else
  root=$(mktemp -d "${PCIO_TEST_TMP:-/tmp}/fresh.XXXXXX") keep=no
fi
cleanup() {
  for mount in dev proc sys; do
    ! mountpoint -q "$root/$mount" || umount --recursive --lazy "$root/$mount"
  done
  # Never remove through a mount that is still there.
  [ $keep = yes ] || grep -q " $root/" /proc/mounts || rm -rf --one-file-system "$root"
}
trap cleanup EXIT
mkdir -p "$root"
if [ ! -x "$root/usr/bin/apt-get" ]; then
  debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror" \
    >"$root.log" 2>&1 || { tail -n 20 "$root.log"; echo "FAIL: debootstrap"; exit 1; }
  # The machine's own apt settings: mirrors, proxies and their keys.
  rm -f "$root/etc/apt/sources.list"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
    [ -f "$file" ] && install -D -m 644 "$file" "$root$file"
  done
  cp -a /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/" 2>/dev/null
  cp -a /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/" 2>/dev/null
  chroot "$root" update-ca-certificates >/dev/null 2>&1
fi
rm -f "$root.log"
cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null
cp /etc/hosts "$root/etc/hosts" 2>/dev/null
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mountpoint -q "$root/sys" || mount -t sysfs -o ro sys "$root/sys"
mountpoint -q "$root/dev" || mount --rbind --make-rslave /dev "$root/dev"

rm -rf "$root/src"
mkdir -p "$root/src"
git clone -q "$source" "$root/src/libpcio" || { echo "FAIL: git clone"; exit 1; }
# The corpus lies where a developer's would: beside the source folder.
if [ -n "${PCIO_CORPUS-}" ]; then
  mkdir -p "$root/src/shared"
  cp -r "$PCIO_CORPUS" "$root/src/shared/corpus"
fi

inside() { chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  ${http_proxy+http_proxy="$http_proxy"} ${https_proxy+https_proxy="$https_proxy"} \
  /bin/bash -c "cd /src/libpcio && $1"; }
status=0
case $what in quickstart|both)
  inside 'tools/quickstart' || { echo "FAIL: tools/quickstart"; status=1; }
  [ -s "$root/src/libpcio/heat.h5" ] || { echo "FAIL: no heat.h5"; status=1; } ;;
esac
case $what in run-tests|both)
  inside 'tools/run-tests' || { echo "FAIL: tools/run-tests"; status=1; } ;;
esac
[ $status -eq 0 ] && echo "PASS: $what in a fresh $suite"
exit $status
