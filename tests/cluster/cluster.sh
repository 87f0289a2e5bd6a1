# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# For tests on a cluster of namespaces: a name for it and a folder, both removed at any end of the test. Tests
# are skipped, with a message, if no cluster can be made.
# shellcheck disable=SC2034  # failures is for the sourcing test
tool=$TEST_BUILD/bin/echelon
name=test$$
folder=$(mktemp -d)
trap '"$tool" cluster down --name "$name" >/dev/null 2>&1; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0
fail() {
    echo "FAILED: $1"
    failures=1
}
obstacle=$("$tool" cluster up --name "$name" --dry-run 4 | sed -n 's/^but here //p')
if [ -n "$obstacle" ]; then
    echo "skipped: no cluster can be made here, for $obstacle"
    exit 77
fi
