#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes a manual page for each program, and for each subcommand of echelon, from its --help with help2man.
#   manuals.sh PROGRAMS FOLDER VERSION
set -eu
programs=$1 folder=$2 version=$3
mkdir -p "$folder"
page() {  # name, summary, command
    # Headings as help2man knows them.
    printf '#!/bin/sh\n%s "$@" | sed "s/^usage:/Usage:/; s/^\\([a-z][a-z ,]*\\):\$/\\n\\u\\1:/"\n' "$3" >"$folder/$1"
    chmod +x "$folder/$1"
    help2man --no-info --section=1 --name="$2" --version-string="$1 $version" --output="$folder/$1.1" "$folder/$1" 2>"$folder/log" ||
        { echo "no manual page of $1: $(head -1 "$folder/log")"; rm -f "$folder/$1.1"; }
    rm -f "$folder/$1"
}
page echelon "hierarchical collectives above any MPI" "$programs/echelon"
"$programs/echelon" --help | sed -n 's/^  \([a-z][a-z]*\)  *\(.*\)/\1 \2/p' | while read -r name summary; do
    page "echelon-$name" "$summary" "$programs/echelon $name"
done
rm -f "$folder/log"
