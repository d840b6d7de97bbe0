# Sourced by ./quickstart, ./tidegate, ./bench and ./check: finds Java, builds the project if it has changed, and starts a main class. The
# caller sets $home, $name, $module (the module of the main class), $plugins (the modules whose plugins it needs) and optionally
# $failed (the exit status if nothing can be started; 1 without it), $more_servers (a pattern: arguments and files that match it need
# servers beside Kafka, PostgreSQL and Elasticsearch 8, in upper or lower case), $all (the first argument that needs a build of
# everything), $all_modules (the modules of that build, each after a comma) and $most_fetched (what a first build fetches).
# shellcheck shell=bash
target=$home/$module/target
stamp=$target/launcher.built
class_path=$target/launcher.classpath
build_log=$target/launcher-build.log
lock=$home/target/launcher.lock
more_servers=${more_servers:-}
most_fetched=${most_fetched:-"200 MB"}

fail() {
  echo "$name: $*" >&2
  exit "${failed:-1}"
}

# Whatever else fails ends with the same status; the failed command has printed the reason.
set -E
trap 'exit "${failed:-1}"' ERR

find_java() {
  java=${JAVA_HOME:+$JAVA_HOME/bin/}java
  command -v "$java" >/dev/null || fail "needs a JDK, 17 or newer: '$java' was not found"
  local output version
  output=$("$java" -XshowSettings:properties -version 2>&1) ||
    fail "needs a JDK, 17 or newer: '$java' does not start${output:+: ${output%%$'\n'*}}"
  version=$(sed -n 's/^ *java\.specification\.version = //p' <<<"$output")
  [[ $version =~ ^[0-9]+$ ]] && ((version >= 17)) || fail "needs a JDK, 17 or newer: '$java' is ${version:-unknown}"
}

# How much to build: "few" servers, "more" servers, both in the profile start without what only tests or checks need, or "all". What a
# former build has is kept, so that commands do not build in turns.
choose_build() {
  extent=few
  local argument file had=
  for argument; do
    file=${argument#*=} # of --config=FILE
    if [[ -n $more_servers ]] && { grep -Eqi "$more_servers" <<<"$argument" || { [[ -f $file ]] && grep -Eqi "$more_servers" "$file"; }; }; then
      extent=more
    fi
  done
  [[ ! -f $stamp ]] || had=$(<"$stamp")
  if [[ $had == all || (-n ${all:-} && ${1:-} == "$all") ]]; then
    extent=all
  elif [[ $had == more ]]; then
    extent=more
  fi
  modules=$module
  case $extent in
    few) build_options=(-Dtidegate.start -Dtidegate.few-servers) ;;
    more) build_options=(-Dtidegate.start) most_fetched="800 MB" ;;
    all) build_options=(-DskipTests) most_fetched="800 MB" modules+=${all_modules:-} ;;
  esac
}

# Whether the last successful build had less, a file is newer, or what it made is elsewhere now. A deleted file changes the time of its
# folder.
is_stale() {
  [[ -f $stamp && -f $class_path && $(<"$stamp") == "$extent" && -d $target/classes ]] || return 0
  local plugin entry
  local -a entries
  IFS=: read -r -a entries <"$class_path" || true
  for entry in "${entries[@]+"${entries[@]}"}"; do # may be empty, which is unset for bash 3
    [[ -e $entry ]] || return 0
  done
  for plugin in "${plugins[@]+"${plugins[@]}"}"; do
    [[ -d $home/$plugin/target/plugin ]] || return 0
  done
  [[ -n $(find "$home" \( -name target -o -name .git -o -path "$home/docs" -o -path '*/src/test' \) -prune \
    -o \( -name pom.xml -o -path '*/src/*' \) -newer "$stamp" -print -quit) ]]
}

# What Maven is doing, from its log: the module, and how much it has fetched.
build_state() {
  awk '/^\[INFO\] Building .*\[[0-9]+\/[0-9]+\]$/ {
         count = $NF; gsub(/[][]/, "", count); sub("/", " of ", count)
         name = $0; sub(/^\[INFO\] Building /, "", name); sub(/ +[0-9][^ ]* +\[.*/, "", name)
       }
       / Downloaded from / {
         size = $0; sub(/.*\(/, "", size); split(size, part, " ")
         fetched += part[1] * (part[2] ~ /^MB/ ? 1e6 : part[2] ~ /^kB/ ? 1e3 : 1)
       }
       END { printf "%s; %d MB fetched", count ? "building " count ": " name : "starting Maven", fetched / 1e6 }' "$build_log"
}

# Shows what Maven is doing until it ends: on a terminal in one line, else a line for each module.
show_build() {
  local state module last=
  while kill -0 "$1" 2>/dev/null; do
    state=$(build_state)
    if [[ -t 2 && ${TERM:-dumb} != dumb ]]; then
      printf '\r\033[K%.79s' "  $state" >&2
    else
      module=${state%%;*}
      [[ $module == "$last" ]] || echo "  $state" >&2
      last=$module
    fi
    sleep 0.5
  done
  [[ ! -t 2 || ${TERM:-dumb} == dumb ]] || printf '\r\033[K' >&2
}

is_running() {
  if [[ -d /proc/self ]]; then
    [[ -d /proc/$1 ]]
  else
    ps -p "$1" >/dev/null 2>&1
  fi
}

# Waits until no other command builds in this checkout. The lock is a link to the number of the process: it is made at once.
lock() {
  local owner error said= vain=0
  mkdir -p "$home/target" || fail "cannot write to $home/target"
  until error=$(ln -sn $$ "$lock" 2>&1); do
    owner=$(readlink "$lock" || true)
    if [[ -z $owner ]]; then # it was just removed, or cannot be made
      ((++vain < 3)) || fail "cannot make the lock $lock: $error"
      sleep 1
      continue
    fi
    if [[ $owner == $$ ]] || ! is_running "$owner"; then
      rm -f "$lock" # it was killed
      continue
    fi
    [[ -n $said ]] || echo "Waiting for another build in this checkout (process $owner, lock $lock)" >&2
    said=yes
    sleep 1
  done
}

unlock() {
  [[ $(readlink "$lock" || true) != $$ ]] || rm -f "$lock"
}

build() {
  command -v mvn >/dev/null || fail "needs Maven to build: 'mvn' was not found"
  trap unlock EXIT
  lock
  choose_build "$@" # another build may have made more
  if is_stale; then
    build_alone
  fi
  trap - EXIT
  unlock
}

build_alone() {
  mkdir -p "$target" && : >"$build_log" || fail "cannot write to $target"
  echo "Building. The first build fetches up to $most_fetched from Maven Central (log: $build_log)" >&2
  local begun=$target/launcher.begun started=$SECONDS
  echo "$extent" >"$begun"
  (cd "$home" && exec mvn -B package "${build_options[@]}" -pl "$modules" -am) >"$build_log" 2>&1 &
  local maven=$!
  trap 'kill "$maven" 2>/dev/null || true; wait "$maven" || true; exit 130' INT TERM # a kill does not reach Maven by itself
  show_build "$maven"
  if ! wait "$maven"; then
    tail -n 30 "$build_log" >&2
    fail "the build failed; the whole log: $build_log"
  fi
  trap - INT TERM
  mv "$begun" "$stamp"
  echo "Built in $((SECONDS - started)) s ($(build_state | sed 's/.*; //'))" >&2
}

# launch CLASS JVM-OPTION... -- ARGUMENT...
launch() {
  local main=$1
  shift
  local options=("-Dtidegate.home=$home"
    "-Dorg.slf4j.simpleLogger.logFile=$target/$name.log" "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn")
  while [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  shift
  find_java
  choose_build "$@"
  if is_stale; then
    build "$@"
  fi
  if [[ -t 1 && ${TERM:-dumb} != dumb ]]; then
    local size columns
    size=$(stty size 2>/dev/null </dev/tty || true)
    columns=${size#* }
    options+=("-Dtidegate.columns=${columns:-80}")
  fi
  local errors
  [[ -t 2 && ${TERM:-dumb} != dumb ]] && errors=true || errors=false
  options+=("-Dtidegate.stderr.terminal=$errors")
  # Some languages have digits that no server reads.
  exec "$java" -Duser.language=en "${options[@]}" -cp "$target/classes:$(<"$class_path")" "$main" "$@"
}
