/**
 * What the watchdog does, for the POSIX shell: it needs no runtime of ours, so it works in builds that refuse to act as
 * plain Node. Lines on stdin: `+PID` lists a process group by its leader, `-PID` takes it off the list. At the end of
 * stdin, which is the end of the app however it ended, each group that is still listed is asked to end and, a second
 * later, ended. A leader that started at another time than the listed one has only the same number and is left alone; a
 * group whose leader is gone keeps its number to itself for as long as anything of it runs.
 */
export const watchdogProgram = `
trap '' INT HUP QUIT TERM TSTP TTIN TTOU PIPE
start_of() {
  if [ -r /proc/self/stat ]; then
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
    set -- \${stat##*) }
    printf '%s' "\${20}"
  else
    printf '%s' "$(ps -o lstart= -p "$1" 2>/dev/null)"
  fi
}
same() {
  eval "was=\\$start_$1"
  now=$(start_of "$1")
  [ -z "$now" ] || [ "$now" = "$was" ]
}
set -f
listed=
while IFS= read -r line; do
  pid=\${line#?}
  case $pid in ''|0*|1|*[!0-9]*) continue ;; esac
  rest=
  for other in $listed; do
    [ "$other" = "$pid" ] || rest="$rest $other"
  done
  case $line in
    +*) eval "start_$pid=\\$(start_of $pid)"; listed="$rest $pid" ;;
    -*) unset "start_$pid"; listed=$rest ;;
  esac
done
asked=
for pid in $listed; do
  same "$pid" && kill -s TERM -- "-$pid" 2>/dev/null && asked="$asked $pid"
done
[ -n "$asked" ] || exit 0
sleep 1
for pid in $asked; do
  same "$pid" && kill -s KILL -- "-$pid" 2>/dev/null
done
exit 0
`;
