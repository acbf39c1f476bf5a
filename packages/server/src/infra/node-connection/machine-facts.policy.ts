import { parseSubnet } from '../../net/ipv4-subnet.ts'

export interface MachineFacts {
  address: string | null
  system: string
  isDebian: boolean
  processors: number
  memory: { totalBytes: number; usedBytes: number }
  disk: { totalBytes: number; usedBytes: number }
  /** 0 if it is smaller than the time that the question took. */
  clockSkewMs: number
  /** IPv4 addresses of the SSH connection; null on the panel's own machine, and over IPv6. */
  link: { panel: string; machine: string } | null
  nameservers: string[]
}

const supported = ['debian 12', 'debian 13']

/** `before` and `after` the question, by our clock. */
export function parseMachineFacts(
  text: string,
  { before, after }: { before: number; after: number }
): Omit<MachineFacts, 'nameservers'> {
  const values = new Map(
    text.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  )
  const number = (name: string): number => {
    const value = Number(values.get(name) || Number.NaN)
    if (!Number.isFinite(value)) throw new RangeError(`The machine did not report ${name}`)
    return value
  }
  const [size = 0, used = 0, free = 0] = (values.get('disk') ?? '').split(' ').map((part) => Number(part) || 0)
  const skew = Math.round(number('time') - (before + after) / 2)
  const totalBytes = number('MemTotal') * 1024
  return {
    address: values.get('address')?.split(' ', 1)[0] || null,
    system: (values.get('system') ?? '').slice(0, 100),
    isDebian: supported.includes(values.get('release') ?? ''),
    processors: number('processors'),
    memory: { totalBytes, usedBytes: totalBytes - number('MemAvailable') * 1024 },
    // Without the blocks that only root can use.
    disk: { totalBytes: used + free || size, usedBytes: used },
    clockSkewMs: Math.abs(skew) <= (after - before) / 2 ? 0 : skew,
    link: linkOf(values.get('link') ?? '')
  }
}

/** From SSH_CONNECTION of sshd(8): address and port of the client, then of the server. */
function linkOf(text: string): MachineFacts['link'] {
  const [panel = '', , machine = ''] = text.split(' ')
  const isIpv4 = (address: string) => parseSubnet(`${address}/32`) !== undefined
  return isIpv4(panel) && isIpv4(machine) ? { panel, machine } : null
}
