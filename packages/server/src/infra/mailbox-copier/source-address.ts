import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { withTimeLimit } from '../../concurrency/time-limit.ts'
import { allowedBy, type ReachableAddresses } from '../../net/reachable-address.ts'
import { CopyFailure } from './copy-failure.policy.ts'

export interface SourceAddressOptions extends ReachableAddresses {
  addressesOf?: (host: string) => Promise<string[]>
}

const lookUpMs = 10_000
const connectMs = 15_000
const maxAttempts = 3

/** Checks all addresses first (SSRF), and does not resolve the name again (DNS rebinding). */
export async function connectToSource(
  { host, port }: { host: string; port: number },
  options: SourceAddressOptions,
  signal: AbortSignal
): Promise<Socket> {
  const addresses = isIP(host) === 0 ? await lookUp(host, options.addressesOf ?? systemAddresses) : [host]
  if (addresses.length === 0) throw new CopyFailure('host-unknown')
  const isAllowed = allowedBy(options)
  // Reject if any address is private: the name belongs to an internal host.
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
