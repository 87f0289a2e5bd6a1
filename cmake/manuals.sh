#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes a manual page for each program, and for each subcommand of echelon, from its --help with help2man,
# with sections on exit codes, settings, files and examples.
#   manuals.sh PROGRAMS FOLDER VERSION
set -eu
programs=$1 folder=$2 version=$3
mkdir -p "$folder"
# The settings in roff: a term for each variable, its meaning and values below.
settings=$("$programs/echelon" settings | sed -n '3,$p' | sed 's/\\/\\\\/g; s/^  \(ECHELON_[^ ]*\)/.TP\n\\fB\1\\fR/; s/^      //; /^$/d')
cat >"$folder/sections" <<END
[exit status]
.TP
0
done
.TP
1
it failed
.TP
2
wrong use

[environment]
$settings

[files]
.TP
/etc/echelon.conf, \$XDG_CONFIG_HOME/echelon.conf, ~/.config/echelon.conf
settings, a line NAME = value each; the user's win
.TP
profile.json and profile.d in \$XDG_CONFIG_HOME/echelon, ~/.config/echelon, /etc/echelon, lib/echelon of the installation
profiles; programs go by the first that fits the machine

[examples]
.TP
\fBechelon run --summary -- mpiexec -n 4 ./app\fR
runs a program that is not compiled again, and says what ran and why
.TP
\fBmpiexec -n 8 echelon calibrate -o \$HOME/.config/echelon/profile.json\fR
measures a machine, whose profile later runs go by
.TP
\fBechelon explain -p 64 --ranks-per-node 4 -c bcast -b 64K\fR
says what a call would run, and why
END
page() {  # name, summary, command
    # Headings as help2man knows them.
    printf '#!/bin/sh\n%s "$@" | sed "s/^usage:/Usage:/; s/^\\([a-z][a-z ,]*\\):\$/\\n\\u\\1:/"\n' "$3" >"$folder/$1"
    chmod +x "$folder/$1"
    help2man --no-info --section=1 --name="$2" --version-string="$1 $version" --include="$folder/sections" --output="$folder/$1.1" "$folder/$1" 2>"$folder/log" ||
        { echo "no manual page of $1: $(head -1 "$folder/log")"; rm -f "$folder/$1.1"; }
    rm -f "$folder/$1"
}
page echelon "hierarchical collectives above any MPI" "$programs/echelon"
"$programs/echelon" --help | sed -n 's/^  \([a-z][a-z]*\)  *\(.*\)/\1 \2/p' | while read -r name summary; do
    page "echelon-$name" "$summary" "$programs/echelon $name"
done
rm -f "$folder/log" "$folder/sections"
