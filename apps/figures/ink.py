# SPDX-License-Identifier: Apache-2.0
"""Ink and paper of pictures and pages. No data have these colours, so that an SVG can let its reader's take their place."""
INK, PAPER = "#232427", "#fefefe"
DARK_INK, DARK_PAPER = "#e4e5e9", "#17181b"
# In an SVG: what is painted with currentColor and var(--paper) is dark or light as its reader has it.
OF_READER = (f"<style>svg{{color:{INK};--paper:#ffffff;background:#ffffff}}"
             f"@media (prefers-color-scheme:dark){{svg{{color:{DARK_INK};--paper:{DARK_PAPER};background:{DARK_PAPER}}}}}</style>")
