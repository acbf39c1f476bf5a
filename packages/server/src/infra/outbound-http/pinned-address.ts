import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'

export const systemAddresses = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/** For a connection to addresses that were checked: the name is not resolved again (DNS rebinding). */
export const pinnedTo = (addresses: readonly string[]): LookupFunction => {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, callback) => {
    if (options.all) callback(null, all)
    else callback(null, all[0]!.address, all[0]!.family)
  }
}
