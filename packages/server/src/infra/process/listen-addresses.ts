import { existsSync } from 'node:fs'

/** What to listen on for every address of the machine; IPv6 may be switched off. */
export const listenAddresses = (): string[] => ['0.0.0.0', ...(existsSync('/proc/net/if_inet6') ? ['::'] : [])]
