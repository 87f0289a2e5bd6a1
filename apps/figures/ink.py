# SPDX-License-Identifier: Apache-2.0
"""Ink and paper of pictures and pages. Data never have these colours, hence an SVG can replace them by its
reader's."""
INK, PAPER = "#232427", "#fefefe"
DARK_INK, DARK_PAPER = "#e4e5e9", "#17181b"
# In an SVG, parts painted with currentColor and var(--paper) follow the reader's dark or light setting.
OF_READER = (f"<style>svg{{color:{INK};--paper:#ffffff;background:#ffffff}}"
             f"@media (prefers-color-scheme:dark){{svg{{color:{DARK_INK};--paper:{DARK_PAPER};background:{DARK_PAPER}}}}}</style>")
