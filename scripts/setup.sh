# setup.sh - what ./check and ./demo have in common; sourced by them with the checkout as current folder
#
# On Debian, packages that are missing are installed with apt-get, as root directly, else through sudo. On a terminal the
# script says how many there are and how large, and waits for Enter. If nothing is missing, it does nothing.

build_packages="build-essential autoconf automake autopoint libtool gettext pkg-config xz-utils
	libncurses-dev libpcre2-dev libunistring-dev libarchive-dev"
check_packages="libcriterion-dev tmux babeltrace2"

say() {
	printf '== %s\n' "$*"
}

package_installed() {
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# need_packages NAME...: install the ones that are missing
need_packages() {
	if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
		say "not a Debian system: the packages of the same purpose as these must be there:" "$@"
		return 0
	fi
	missing=
	for package; do
		package_installed "$package" || missing="$missing $package"
	done
	[ -n "$missing" ] || return 0
	as_root=
	if [ "$(id -u)" -ne 0 ]; then
		command -v sudo >/dev/null || {
			echo "missing packages, and no sudo to install them with. As root do" >&2
			echo "    apt-get update && apt-get install --no-install-recommends$missing" >&2
			echo "then run this again" >&2
			return 1
		}
		as_root="sudo"
	fi
	say "missing packages:$missing"
	# sudo drops LC_ALL, so env sets it.
	apt="$as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300"
	# The package lists of a fresh system are empty; old ones name versions that are gone. A source that apt-get cannot
	# reach is a warning for it, because the packages may be in another source: the plan shows whether they are.
	plan=
	# apt-get ends with 1 because nobody says yes, and ./demo stops at errors.
	$apt update </dev/null >/dev/null && plan=$($apt install --assume-no --no-install-recommends $missing </dev/null 2>/dev/null) || :
	count=$(printf '%s\n' "$plan" | sed -n 's/.* \([0-9][0-9]*\) newly installed.*/\1/p')
	[ "$count" ] || {
		say "the package lists cannot be fetched: check the network, then run this again"
		return 1
	}
	size=$(printf '%s\n' "$plan" | sed -n 's/^Need to get \(.*\) of archives.*/\1/p')
	say "apt-get installs $count packages, ${size:-an unknown size} to download"
	if [ -t 0 ] && [ -t 2 ] && [ -z "${CI:-}" ]; then
		printf 'Press Enter to install them, Ctrl-C to stop. ' >&2
		read -r _ || return 1
	fi
	$apt install -y --no-install-recommends $missing </dev/null || {
		say "the packages cannot be installed: check the network, then run this again"
		return 1
	}
}

jobs=$(nproc 2>/dev/null || echo 2)

# configure_in FOLDER ARG...: make the build folder unless it is there with the same arguments
configure_in() {
	folder=$1
	shift
	if [ -e config.status ]; then
		echo "this checkout is configured in place: run 'make distclean' first" >&2
		return 1
	fi
	[ -x configure ] && [ -e po/Makefile.in.in ] && [ -e lib/po/Makefile.in.in ] && [ -e build-aux/ltmain.sh ] || ./bootstrap || return 1
	mkdir -p "$folder"
	if [ -e "$folder/Makefile" ] && [ "$(cat "$folder/arguments" 2>/dev/null)" = "$*" ]; then
		return 0
	fi
	top=$(pwd)
	(cd "$folder" && "$top/configure" -q "$@") || return 1
	echo "$*" >"$folder/arguments"
}
