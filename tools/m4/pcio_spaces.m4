# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Folders with a space in their names.

# PCIO_WITHOUT_SPACES: libtool takes paths apart at spaces. Where the source's folder has one in its name, a link without leads there:
# configure starts anew behind it, and a GNUmakefile has make do the same, for a shell takes $PWD for the name of its folder where it is one.
# What is installed can't have such a name at all.
AC_DEFUN([PCIO_WITHOUT_SPACES], [
AS_CASE(["$prefix$exec_prefix$bindir$libdir$includedir"], [*[[\ \	]]*],
  [AC_MSG_ERROR([libtool can't install to a folder with a space in its name])])
pcio_here=`pwd` pcio_top=`cd "$srcdir" && pwd`
AS_CASE([$pcio_here], [*[[\ \	]]*], [
  # Where this is below the source's folder; a space, which is not possible, where it is elsewhere.
  AS_CASE(["$pcio_here/"], ["$pcio_top"/*], [pcio_below=`AS_ECHO(["$pcio_here"]) | cut -c "${@%:@pcio_top}-" | sed 's/^.//'`], [pcio_below=' '])
  AS_CASE([$pcio_below${TMPDIR-}], [*[[\ \	]]*],
    [AC_MSG_ERROR([libtool can't build in a folder with a space in its name; it is led around those further up than the source's folder, if that is where you build, or one below it (mkdir build; cd build; ../configure)])])
  pcio_way=`umask 077 && mktemp -d "${TMPDIR-/tmp}/pcio-way.XXXXXX"` && ln -s "$pcio_top" "$pcio_way/source" ||
    AC_MSG_ERROR([no link without spaces can be made in ${TMPDIR-/tmp}])
  AC_MSG_NOTICE([spaces in the name of this folder: built by way of $pcio_way])
  eval "set x $ac_configure_args"
  shift
  cd "$pcio_way/source$pcio_below" && exec ${CONFIG_SHELL-/bin/sh} "$[0]" "$[@]"
  AC_MSG_ERROR([can't start anew])])
AS_CASE([`pwd -P`], [*[[\ \	]]*], [
  AC_CONFIG_COMMANDS([GNUmakefile], [cat >GNUmakefile <<EOF
# Made by configure: the spaces in the name of this folder are out of libtool's sight.
# link: $pcio_link
export PWD := $pcio_here
ifneq (\$(shell test "\$(PWD)" -ef . && echo is),is)
\$(shell mkdir -p -m 700 '${pcio_link%/*}' && test -O '${pcio_link%/*}' && ln -sfn '$pcio_real' '$pcio_link')
endif
ifneq (\$(word 2,x\$(DESTDIR)),)
override DESTDIR := \$(shell mkdir -p '\$(DESTDIR)' && cd '\$(DESTDIR)' && ln -sfn "\`pwd -P\`" '$pcio_link.installed' && echo '$pcio_link.installed')
endif
include Makefile
EOF
], [pcio_here='$pcio_here' pcio_link='$pcio_top' pcio_real='`cd "$srcdir" && pwd -P`'])])
])
