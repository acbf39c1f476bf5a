import { basename } from 'node:path'
import type { HaproxyConfigOptions } from './haproxy-options.ts'
import type { HaproxyPaths } from './haproxy-paths.ts'
import { poolCount } from './reverse-proxy.ts'

/** Pool 0.0.<0 or 1>.<number>; in place of the address of a container. Those with 1 are sticky. */
export const poolAddresses = '0.0.0.0/23'

const header = 'x-panel-pool'

/** A cookie is a digest of it and the address of the instance, and need not be secret. */
export const cookieKey = 'instances'

/**
 * The second way through the proxy, for sites with several instances only. It comes after the rules and limits of the
 * first, which sends the pool in a header.
 */
export const renderInstances = (paths: HaproxyPaths): string => `frontend instances
  no log
  bind unix@${paths.instancesSocket} mode 666
  # Longer than the first frontend and its pool keep a connection, so that it is never closed under a request.
  timeout http-keep-alive 5m
  http-request set-var(txn.pool) req.hdr(${header})
  http-request del-header ${header}
  use_backend pool.%[var(txn.pool)]
  default_backend unknown

${[0, 1].map((sticky) => pools.map((pool) => renderPool(sticky, pool)).join('\n')).join('\n')}`

/** For the backends of sites: targets in `poolAddresses` go to the second frontend. */
export const renderInstancesServer = ({ user }: HaproxyConfigOptions, { instancesSocket }: HaproxyPaths): string => {
  const path = user ? `/${basename(instancesSocket)}` : instancesSocket
  return `  http-request set-header ${header} %[var(txn.target),field(1,:),field(3,.)].%[var(txn.target),field(1,:),field(4,.)] if pooled
  use-server instances if pooled
  # Without weight: never chosen for a container.
  server instances unix@${path} weight 0
`
}

const pools = Array.from({ length: poolCount }, (_, at) => at + 1)

export const poolName = (isSticky: boolean, number: number): string => `pool.${isSticky ? 1 : 0}.${number}`

const renderPool = (sticky: number, pool: number): string => `backend ${poolName(sticky === 1, pool)}
  balance leastconn
  # A request that no instance has answered goes to another one; only GET and HEAD if it may have been processed.
  retries 3
  option redispatch 1
  retry-on conn-failure empty-response
  http-request disable-l7-retry unless METH_GET
  option http-server-close
  timeout connect 1s
  timeout check 5s
  # The first backend has the time limit.
  timeout server 1d
  option httpchk HEAD /
  http-check expect rstatus ^
${sticky === 1 ? `  cookie panel_instance insert indirect nocache httponly dynamic\n  dynamic-cookie-key ${cookieKey}\n` : ''}`
