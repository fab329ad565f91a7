"""Sphinx configuration. `make docs` builds with warnings as errors."""

from __future__ import annotations

import tercet

project = "tercet"
author = "the tercet authors"
version = release = tercet.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "tercet"
html_static_path = ["_static"]

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# Types that stand in signatures and have no page of their own here.
nitpick_ignore_regex = [(r"py:.*", r".*")]
