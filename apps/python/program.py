# SPDX-License-Identifier: Apache-2.0
"""Options and exit of programs in Python, equal to the programs in C++."""
import argparse
import difflib
import os
import re
import sys

FAILED, WRONG_USE = 1, 2


def say(name, code, sentence):
    """Ends the program with a sentence."""
    print(f"{name}: {sentence}", file=sys.stderr)
    sys.exit(code)


def did_you_mean(word, words):
    """Returns "; did you mean bcast?", or an empty string if no word is near."""
    near = difflib.get_close_matches(word, list(words), 1, 0.7)
    return f"; did you mean {near[0]}?" if near else ""


class Parser(argparse.ArgumentParser):
    """Suggests the nearest option for a misspelt or shortened one; reports every mistake in one sentence."""

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **{"allow_abbrev": False, **keywords})

    def parse_args(self, arguments=None, namespace=None):
        given, unknown = self.parse_known_args(arguments, namespace)
        if unknown:
            word = unknown[0].partition("=")[0]
            if not word.startswith("-"):
                self.error(f"unexpected word '{word}'")
            self.error(f"unrecognised option '{word}'{did_you_mean(word, re.findall(r'--[a-z-]+', self.format_help()))}")
        return given

    def _print_message(self, message, file=None):
        if message:  # argparse's own ignores a failing write
            (file or sys.stderr).write(message)

    def error(self, message):
        say(self.prog, WRONG_USE, f"{message}{' See' if message.endswith('?') else '; see'} {self.prog} --help")


def run(name, main):
    """Exits with the code of main(), or with 1 and a sentence if standard output fails."""
    code, failure = 0, None
    try:
        main()
    except SystemExit as end:
        code = end.code
    except OSError as error:
        if error.filename is not None:
            raise
        failure = error  # standard output failed
    if sys.stdout is None:
        say(name, FAILED, "standard output cannot be written: it is closed")
    try:
        sys.stdout.flush()
    except OSError as error:
        failure = error
    if failure:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python would try again at exit
        say(name, FAILED, f"standard output cannot be written: {failure.strerror}")
    sys.exit(code)
