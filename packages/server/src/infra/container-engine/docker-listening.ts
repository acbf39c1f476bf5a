import { ifAlive } from '../process/proc.ts'
import type { ListeningPort } from './container-engine.ts'
import type { EngineHost } from './engine-host.ts'

const listen = '0A'
// The engine's name server in each container.
const engineResolver = '0B00007F'

/** Ports in the network namespace of a process; undefined if it ended or this process may not look. */
export async function readListening(
  host: Pick<EngineHost, 'readFile'>,
  pid: number
): Promise<ListeningPort[] | undefined> {
  const read = (name: string) => ifAlive(host.readFile(`/proc/${pid}/net/${name}`))
  const [tcp, tcp6] = await Promise.all([read('tcp'), read('tcp6')]).catch(() => [])
  return tcp === undefined ? undefined : parseListening(`${tcp}${tcp6 ?? ''}`)
}

/** Lines of /proc/net/tcp and tcp6: number, local address and port, remote, state, in hex. */
export function parseListening(text: string): ListeningPort[] {
  const ports = new Map<number, ListeningPort>()
  for (const line of text.split('\n')) {
    const [, address, port, state] =
      /^\s*\d+: ([0-9A-F]+):([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} ([0-9A-F]{2}) /.exec(line) ?? []
    if (address === undefined || port === undefined || state !== listen || address === engineResolver) continue
    const found = { port: Number.parseInt(port, 16), isLocal: isLoopback(address) }
    const known = ports.get(found.port)
    ports.set(found.port, known?.isLocal === false ? known : found)
  }
  return [...ports.values()].toSorted((a, b) => a.port - b.port)
}

/** In host byte order: 127.0.0.1 is 0100007F. */
const isLoopback = (hex: string): boolean =>
  hex.length === 8
    ? hex.endsWith('7F')
    : hex === '00000000000000000000000001000000' || /^0{16}FFFF0000.{6}7F$/.test(hex)
