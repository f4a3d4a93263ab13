# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""Sphinx: the site of libpcio (make site)."""
import os
import re

project = 'libpcio'
copyright = 'The libpcio authors'
release = version = os.environ.get('PCIO_VERSION', '')
extensions = ['myst_parser']
myst_heading_anchors = 3
source_suffix = {'.md': 'markdown'}
master_doc = 'index'
# What only who changes the library reads is in its source.
exclude_patterns = ['DESIGN.md', 'GLOSSARY.md']
html_theme = 'alabaster'
html_theme_options = {'description': 'Parallel I/O on HDF5 files', 'page_width': '1100px', 'code_font_size': '0.75em', 'fixed_sidebar': True}
html_sidebars = {'**': ['about.html', 'navigation.html', 'searchbox.html']}
html_show_sphinx = False
html_copy_source = False
html_last_updated_fmt = None
highlight_language = 'none'
pygments_style = 'friendly'
# Commands of several lines are no fault of a console.
suppress_warnings = ['misc.highlighting_failure']


def keep_links_inside(app, name, source):
    """A link to what is not on the site is its text alone; comments that say what is run are not shown."""
    def link(found):
        target = found.group(2).split('#')[0]
        if not target or '://' in target or os.path.exists(os.path.join(app.srcdir, target)) and \
                target not in exclude_patterns or target.startswith('api/'):
            return found.group(0)
        return found.group(1)
    source[0] = re.sub(r'\[([^\]\n]*)\]\(([^)\s]*)\)', link, source[0])
    source[0] = re.sub(r'(?m)^<!-- (file|run|part|picture).*-->\n', '', source[0])


def setup(app):
    app.connect('source-read', keep_links_inside)
    return {'parallel_read_safe': True}
