import type { DatabaseAddress } from './database-server.ts'

/** The engine of the address: where it is (`server`), and what programs on this machine are told (`host`). */
export function addressesOf(adminUrl: string, defaultPort: number): { server: DatabaseAddress; host: DatabaseAddress } {
  const server = { host: hostOf(adminUrl), port: Number(new URL(adminUrl).port || defaultPort) }
  return { server, host: { ...server, host: isOnThisMachine(adminUrl) ? 'localhost' : server.host } }
}

/** The host of the address, an IPv6 address without its brackets. */
export const hostOf = (adminUrl: string): string =>
  new URL(adminUrl).hostname.replace(/^\[(.*)\]$/, '$1') || '127.0.0.1'

/** Whether the engine listens on the machine itself: then containers reach it at the gateway of their network. */
export const isOnThisMachine = (adminUrl: string): boolean =>
  ['localhost', '127.0.0.1', '::1'].includes(hostOf(adminUrl))
