import { lookup } from 'node:dns/promises'

/** Addresses of servers, with their ports. Without those whose name does not resolve now. */
export async function resolveServers(
  servers: readonly { host: string; port: number }[]
): Promise<{ to: string; port: number }[]> {
  const found = await Promise.all(
    servers.map(async ({ host, port }) => {
      const addresses = await lookup(host, { all: true }).catch(() => [])
      return addresses.map(({ address }) => ({ to: address, port }))
    })
  )
  return found.flat()
}
