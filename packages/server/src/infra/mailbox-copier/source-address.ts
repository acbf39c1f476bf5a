import { lookup } from 'node:dns/promises'
import { BlockList, connect, isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { withTimeLimit } from '../../bounded-wait.ts'
import { isPublicAddress } from '../../public-address.ts'
import { CopyFailure } from './copy-failure.policy.ts'

export interface SourceAddressOptions {
  /** Addresses and networks that may be reached although they are not of the Internet, or this machine's. */
  allow: readonly string[]
  /** Addresses at which the world finds this machine, besides those that it has itself. */
  own: readonly string[]
  /** The system's resolver; tests have another. */
  addressesOf?: (host: string) => Promise<string[]>
}

const lookUpMs = 10_000
const connectMs = 15_000
const maxAttempts = 3

/**
 * A connection to one of the host's addresses, each of which was looked at: whoever names a host here does not reach what only this machine
 * reaches. The name is not looked up again after that, so that it cannot lead elsewhere meanwhile.
 */
export async function connectToSource(
  { host, port }: { host: string; port: number },
  options: SourceAddressOptions,
  signal: AbortSignal
): Promise<Socket> {
  const addresses = isIP(host) === 0 ? await lookUp(host, options.addressesOf ?? systemAddresses) : [host]
  if (addresses.length === 0) throw new CopyFailure('host-unknown')
  const isAllowed = allowedBy(options)
  // All of them: one that is private says whose the name is.
  if (!addresses.every(isAllowed)) throw new CopyFailure('address-refused')
  let problem: unknown
  for (const address of addresses.slice(0, maxAttempts)) {
    signal.throwIfAborted()
    try {
      return await open(address, port)
    } catch (error) {
      problem = error
    }
  }
  throw new CopyFailure('unreachable', String((problem as NodeJS.ErrnoException).code ?? 'no answer'))
}

export function allowedBy({ allow, own }: Pick<SourceAddressOptions, 'allow' | 'own'>): (address: string) => boolean {
  const allowed = new BlockList()
  for (const network of allow) {
    const [address = '', bits] = network.split('/')
    const family = familyOf(address)
    if (bits === undefined) allowed.addAddress(address, family)
    else allowed.addSubnet(address, Number(bits), family)
  }
  // Not as texts: an address can be written in many ways.
  const ours = new BlockList()
  for (const address of [...own, ...machineAddresses()]) ours.addAddress(address, familyOf(address))
  return (address) =>
    allowed.check(address, familyOf(address)) || (isPublicAddress(address) && !ours.check(address, familyOf(address)))
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const machineAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address))

const lookUp = (host: string, addressesOf: (host: string) => Promise<string[]>): Promise<string[]> =>
  withTimeLimit(addressesOf(host), lookUpMs).catch(() => {
    throw new CopyFailure('host-unknown')
  })

const systemAddresses = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

function open(address: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port })
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })),
      connectMs
    )
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', reject)
      resolve(socket)
    })
    socket.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
  })
}
