import { basename } from 'node:path'
import type { HaproxyConfigOptions } from './haproxy-options.ts'
import type { HaproxyPaths } from './haproxy-paths.ts'
import { type InstancePool, poolCount } from './reverse-proxy.ts'

/** Pool 0.0.<0 or 1>.<number>; in place of the address of a container. Those with 1 are sticky. */
export const poolAddresses = '0.0.0.0/23'

// A pool, or the address and port of a sleeping container.
const header = 'x-panel-pool'

/** A cookie is a digest of it and the address of the instance, and need not be secret. */
export const cookieKey = 'instances'

/**
 * The second way through the proxy, for sites with several instances or asleep. It comes after the rules and limits of the
 * first, which sends the pool in a header.
 */
export const renderInstances = (options: HaproxyConfigOptions, paths: HaproxyPaths): string => `frontend instances
  no log
  bind unix@${paths.instancesSocket} mode 666
  # Longer than the first frontend and its pool keep a connection, so that it is never closed under a request.
  timeout http-keep-alive 5m
  http-request set-var(txn.pool) req.hdr(${header})
  http-request del-header ${header}
${options.edge ? '' : '  use_backend sleeping if { var(txn.pool),field(2,:) -m len 1:5 }\n'}  use_backend pool.%[var(txn.pool)]
  default_backend unknown

${options.edge ? '' : `${renderSleeping(options, paths)}\n`}${[false, true].map((isSticky) => numbers.map((number) => renderPool(isSticky, number, options.edge?.pools)).join('\n')).join('\n')}`

/** For the backends of sites: targets in `poolAddresses` go to the second frontend. */
export const renderInstancesServer = ({ user }: HaproxyConfigOptions, { instancesSocket }: HaproxyPaths): string => {
  const path = user ? `/${basename(instancesSocket)}` : instancesSocket
  return `  http-request set-header ${header} %[var(txn.target),field(1,:),field(3,.)].%[var(txn.target),field(1,:),field(4,.)] if pooled
  http-request set-header ${header} %[var(txn.target),field(1,:)]:%[var(txn.target),field(2,:)] if sleeping
  use-server instances if pooled or sleeping
  # Without weight: never chosen for a container.
  server instances unix@${path} weight 0
`
}

// On the port that the proxy has on all addresses anyway: HAProxy reaches a SOCKS proxy over TCP only.
const gateAddress = '127.0.83.1'

/**
 * HAProxy connects through the panel's SOCKS gate, which starts the container and then refuses, so that the retry goes to
 * the container itself. Nothing of a request was sent until then. Both take turns while the panel restarts, which the
 * relay slows down.
 */
const renderSleeping = (
  { limits, httpBinds, user }: HaproxyConfigOptions,
  { pages, wakeSocket }: HaproxyPaths
): string => {
  const gate = `${gateAddress}:${httpBinds[0]!.replace(/^.*:/, '')}`
  return `backend sleeping
  balance roundrobin
  retries 20
  option redispatch 1
  option http-server-close
  # The first backend has the time limit for the response, which is longer.
  timeout connect 110s
  timeout server 1d
  http-request return status 503 content-type "text/html; charset=utf-8" hdr Retry-After 3 hdr Cache-Control no-store file ${pages}/starting.html if { be_conn gt ${Math.ceil(limits.allSiteRequests / 4)} }
  http-request set-dst var(txn.pool),field(1,:)
  http-request set-dst-port var(txn.pool),field(2,:)
  use-server gate if TRUE
  server gate 0.0.0.0:0 socks4 ${gate}
  server container 0.0.0.0:0

listen gate
  mode tcp
  no log
  bind ${gate}
  retries 0
  timeout client 2m
  timeout server 2m
  tcp-request inspect-delay 2s
  tcp-request content accept if { nbsrv gt 0 }
  tcp-request content reject if WAIT_END
  server panel unix@${user ? `/${basename(wakeSocket)}` : wakeSocket} check inter 2s downinter 1s fall 1 rise 1 observe layer4 error-limit 1 on-error mark-down
`
}

const numbers = Array.from({ length: poolCount }, (_, at) => at + 1)

export const poolName = (isSticky: boolean, number: number): string => `pool.${isSticky ? 1 : 0}.${number}`

/** HAProxy's name of an instance, and how it is checked and used. Without both pool options, a server that is added at run time keeps no idle connection (HAProxy 2.6). */
export const serverName = (endpoint: string): string => endpoint.replace(':', '-')
export const serverOptions =
  'check inter 5s fastinter 1s fall 2 rise 1 observe layer4 error-limit 1 on-error mark-down pool-purge-delay 5s pool-max-conn 128'

const renderPool = (
  isSticky: boolean,
  number: number,
  known: readonly InstancePool[] = []
): string => `backend ${poolName(isSticky, number)}
  balance leastconn
  # A request that no instance has answered goes to another one; only GET and HEAD if it may have been processed.
  retries 3
  option redispatch 1
  retry-on conn-failure empty-response
  http-request disable-l7-retry unless METH_GET
  timeout connect 1s
  timeout check 5s
  # The first backend has the time limit.
  timeout server 1d
  option httpchk HEAD /
  http-check expect rstatus ^
${isSticky ? `  cookie panel_instance insert indirect nocache httponly dynamic\n  dynamic-cookie-key ${cookieKey}\n` : ''}${known
  .filter((pool) => pool.number === number && pool.isSticky === isSticky)
  .flatMap(({ members }) => members)
  .map(({ address, port }) => `  server ${serverName(`${address}:${port}`)} ${address}:${port} ${serverOptions}\n`)
  .join('')}`
