# SPDX-License-Identifier: Apache-2.0
"""The commit that figures belong to."""
import subprocess


def commit_of(folder):
    """Commit of the checkout that contains `folder`, with -dirty if more than its pages is changed; empty
    outside of a checkout."""
    try:
        said = lambda *words: subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True).stdout.strip()
        changed = said("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)docs", ":(top,exclude)README.md")
        return said("rev-parse", "--short", "HEAD") + ("-dirty" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


if __name__ == "__main__":
    print(commit_of("."))
