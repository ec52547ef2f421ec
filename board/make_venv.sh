#!/bin/bash
# Make the virtual environment on a machine that has nothing but python3 and make.
set -eu
python=$1
venv=$2

say() { printf 'feltlock: %s\n' "$*" >&2; }

version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])') || {
    say "no '$python' here: install Python 3.11 or 3.12, or name one with make PYTHON=python3.12"
    exit 1
}
case $version in
3.11 | 3.12) ;;
*)
    say "Python $version will not do: Feltlock needs 3.11 or 3.12, because lgpio has no wheel for others." \
        "Install one and name it: make PYTHON=python3.12"
    exit 1
    ;;
esac

if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv >/dev/null
    else
        say "this Python cannot make virtual environments: run 'sudo apt-get install python3-venv' and try again"
        exit 1
    fi
fi

"$python" -m venv --clear "$venv"
"$venv/bin/python" -m pip -q --disable-pip-version-check install -e '.[dev]' || {
    say "pip could not install the pinned packages; its message stands above"
    exit 1
}
