import type { ClientLimits, ProxyLimits } from '../../net/connection-limits.policy.ts'

/** For the ACLs `container` and `unlimited`. */
export const renderClientRule = (action: string, test: (limits: ClientLimits) => string, limits: ProxyLimits): string =>
  [
    `  ${action} if container !unlimited { ${test(limits.perContainer)} }`,
    `  ${action} if !container !unlimited { ${test(limits.perAddress)} }`
  ].join('\n')

// IPv6 sockets accept IPv4 too by default and would collide with 0.0.0.0.
export const renderBind = (bind: string): string => (bind.startsWith('[') ? `${bind} v6only` : bind)
