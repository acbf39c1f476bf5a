import type { DatabaseAddress } from './database-server.ts'

/** `server` is where the panel connects; `host` is the address shown to programs on this machine. */
export function addressesOf(adminUrl: string, defaultPort: number): { server: DatabaseAddress; host: DatabaseAddress } {
  const server = { host: hostOf(adminUrl), port: Number(new URL(adminUrl).port || defaultPort) }
  return { server, host: { ...server, host: isOnThisMachine(adminUrl) ? 'localhost' : server.host } }
}

export const hostOf = (adminUrl: string): string =>
  new URL(adminUrl).hostname.replace(/^\[(.*)\]$/, '$1') || '127.0.0.1'

/** Whether the engine runs on this machine, so that containers reach it at their network's gateway. */
export const isOnThisMachine = (adminUrl: string): boolean =>
  ['localhost', '127.0.0.1', '::1'].includes(hostOf(adminUrl))
