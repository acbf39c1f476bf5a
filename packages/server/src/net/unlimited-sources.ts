import type { Config } from '../config.ts'

/** Addresses without the proxy's limits per client: this machine, and what `PROXY_UNLIMITED_SOURCES` names. */
export const unlimitedSources = ({ PROXY_UNLIMITED_SOURCES }: Pick<Config, 'PROXY_UNLIMITED_SOURCES'>): string[] => [
  '127.0.0.0/8',
  '::1',
  ...PROXY_UNLIMITED_SOURCES
]
