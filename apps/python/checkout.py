# SPDX-License-Identifier: Apache-2.0
"""Of which commit figures are."""
import subprocess


def commit_of(folder):
    """Of the checkout that a folder belongs to, with -dirty where more than its pages is changed; empty: it is none."""
    try:
        said = lambda *words: subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True).stdout.strip()
        changed = said("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)docs", ":(top,exclude)README.md")
        return said("rev-parse", "--short", "HEAD") + ("-dirty" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


if __name__ == "__main__":
    print(commit_of("."))
