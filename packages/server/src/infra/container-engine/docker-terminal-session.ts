import type { EngineHost } from './engine-host.ts'

/**
 * Arguments: session and container. Programs of every Debian. In `status`, names of processes are escaped, so that they
 * cannot look like another line. Only processes in the container's cgroup: an id may have been given to another. Zombies
 * have already ended. A process may start others until it is gone, so all are looked for each time.
 */
const script = `
members() {
  grep -lsE "^NSsid:[[:blank:]]+$1([[:blank:]]|\\$)" /proc/[0-9]*/status | while read -r status; do
    grep -qs '^State:[[:blank:]]*[ZX]' "$status" && continue
    grep -qsF -e "$2" "\${status%status}cgroup" || continue
    status=\${status#/proc/}
    echo "\${status%/status}"
  done
}
kill -s HUP $(members "$1" "$2") 2>/dev/null
for turn in $(seq 40); do
  found=$(members "$1" "$2")
  [ -n "$found" ] || exit 0
  [ "$turn" -le 20 ] || kill -s KILL $found 2>/dev/null
  sleep 0.1
done
echo "still running: $found" >&2
exit 1
`
const timeoutMs = 30_000

/**
 * Ends all processes of a session in a container: SIGHUP as a closed terminal sends it, then SIGKILL after 2 s. The engine
 * leaves the process of an exec running when its connection closes. Requires root.
 */
export async function endSession({ run }: Pick<EngineHost, 'run'>, leader: number, containerId: string): Promise<void> {
  if (leader > 1) await run(['sh', '-c', script, 'sh', String(leader), containerId], { timeoutMs })
}
