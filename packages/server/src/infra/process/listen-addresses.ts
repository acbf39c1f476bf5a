import { existsSync } from 'node:fs'

export const listenAddresses = (): string[] => ['0.0.0.0', ...(existsSync('/proc/net/if_inet6') ? ['::'] : [])]
