import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProcessError, type Run } from '../process/process.ts'
import { FirewallError } from './host-firewall.ts'

const settings = '/proc/sys/net/bridge'
const ofIpv4 = 'bridge-nf-call-iptables'

/** If off, traffic within a bridge bypasses the packet filter and networks are not isolated. Undefined: unknown. */
export async function isBridgeFilterOn(directory = settings): Promise<boolean | undefined> {
  const text = await read(join(directory, ofIpv4))
  return text === undefined ? undefined : text.trim() === '1'
}

export async function switchOnBridgeFilter(run: Run, directory = settings): Promise<void> {
  if ((await isBridgeFilterOn(directory)) === undefined) {
    await run(['modprobe', 'br_netfilter'], { timeoutMs: 10_000 }).catch((error: unknown) => {
      if (!(error instanceof ProcessError)) throw error // built in or unavailable: the file below tells
    })
  }
  for (const name of [ofIpv4, 'bridge-nf-call-ip6tables']) {
    const path = join(directory, name)
    const text = await read(path)
    if (text === undefined || text.trim() === '1') continue
    await writeFile(path, '1').catch((cause: unknown) => {
      throw new FirewallError(`${path} could not be set to 1`, { cause })
    })
  }
  if ((await isBridgeFilterOn(directory)) !== true)
    throw new FirewallError(`${join(directory, ofIpv4)} does not exist: kernel module br_netfilter is missing`)
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
