import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProcessError, type Run } from '../process/process.ts'
import { FirewallError } from './host-firewall.ts'

const settings = '/proc/sys/net/bridge'
const ofIpv4 = 'bridge-nf-call-iptables'

/**
 * Whether packets between two containers on one bridge pass the packet filter. Without it they are switched past it, and a network
 * "without communication between containers" does nothing. Undefined where the kernel does not say.
 */
export async function isBridgeFilterOn(directory = settings): Promise<boolean | undefined> {
  const text = await read(join(directory, ofIpv4))
  return text === undefined ? undefined : text.trim() === '1'
}

/** Switches it on for IPv4 and, where there is IPv6, for that too. Rejects with FirewallError where that is not possible. */
export async function switchOnBridgeFilter(run: Run, directory = settings): Promise<void> {
  if ((await isBridgeFilterOn(directory)) === undefined) {
    await run(['modprobe', 'br_netfilter'], { timeoutMs: 10_000 }).catch((error: unknown) => {
      if (!(error instanceof ProcessError)) throw error // Built into the kernel or not to be had: the file tells.
    })
  }
  for (const name of [ofIpv4, 'bridge-nf-call-ip6tables']) {
    const path = join(directory, name)
    const text = await read(path)
    if (text === undefined || text.trim() === '1') continue
    await writeFile(path, '1').catch((cause: unknown) => {
      throw new FirewallError(`${path} is not 1 and cannot be set`, { cause })
    })
  }
  if ((await isBridgeFilterOn(directory)) !== true)
    throw new FirewallError(`${join(directory, ofIpv4)} does not exist: the kernel module br_netfilter is missing`)
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
