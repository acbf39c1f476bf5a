import { nameserversIn } from '../host-firewall/nameservers.ts'
import type { NodeConnection } from './node-connection.ts'
import { type MachineFacts, parseMachineFacts } from './machine-facts.policy.ts'

// Programs of every Debian. The file system is that of the first argument, or of the first of its parents that exists.
const script = `
LC_ALL=C; export LC_ALL
echo "time=$(date +%s%3N)"
echo "address=$(hostname -I)"
echo "processors=$(nproc)"
[ -r /etc/os-release ] && . /etc/os-release
echo "system=\${PRETTY_NAME:-$(uname -s)}"
echo "release=\${ID:-} \${VERSION_ID:-}"
sed -n 's/^\\(MemTotal\\|MemAvailable\\): *\\([0-9]*\\) kB$/\\1=\\2/p' /proc/meminfo
echo "link=\${SSH_CONNECTION:-}"
cat /etc/resolv.conf /run/systemd/resolve/resolv.conf 2>/dev/null | grep '^nameserver ' || true
directory=$1
while ! [ -e "$directory" ]; do directory=$(dirname "$directory"); done
df -P -B1 -- "$directory" | awk 'END { print "disk=" $2 " " $3 " " $4 }'
`

/** What the machine has, by the programs that every Debian has. `path` is on the disk whose usage is read. */
export async function readMachineFacts(connection: Pick<NodeConnection, 'run'>, path: string): Promise<MachineFacts> {
  const before = Date.now()
  const { stdout } = await connection.run(['sh', '-c', script, 'sh', path], { timeoutMs: 15_000 })
  return { ...parseMachineFacts(stdout, { before, after: Date.now() }), nameservers: nameserversIn(stdout) }
}
