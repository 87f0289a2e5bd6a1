# SPDX-License-Identifier: Apache-2.0
"""Ink and paper of pictures and pages. Data never have these colours, hence a reader's colours can replace
them."""
INK, PAPER = "#232427", "#fefefe"
DARK_INK, DARK_PAPER = "#e4e5e9", "#17181b"
# Parts of an SVG have ink and paper as attributes, which every viewer shows; a browser with a dark setting
# replaces them.
OF_READER = ("<style>@media (prefers-color-scheme:dark){" + "".join(
    f"[{part}='{light}']{{{part}:{dark}}}" for light, dark in ((INK, DARK_INK), (PAPER, DARK_PAPER)) for part in ("fill", "stroke")) + "}</style>")
