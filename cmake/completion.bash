# SPDX-License-Identifier: Apache-2.0
# Completion for bash: it reads the programs' own --help and therefore knows every option.
_echelon() {
    local words
    if [[ $1 == *echelon && $COMP_CWORD -eq 1 ]]; then
        words="$("$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p') --help --version"
    elif [[ $2 != -* ]]; then
        return  # a file
    elif [[ $1 == *echelon ]]; then
        words=$("$1" "${COMP_WORDS[1]}" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+')
    else
        words=$("$1" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+')
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$2")
}
complete -o default -F _echelon echelon echelon-bench echelon-calibrate
