import type { HaproxyConfigOptions } from './haproxy-options.ts'
import type { HaproxyPaths } from './haproxy-paths.ts'
import { renderBind, renderClientRule } from './haproxy-rules.render.ts'
import { renderNoGateways, subnetsOf } from './haproxy-site-config.render.ts'

/**
 * Published TCP ports. One frontend has the whole range, another the port for TLS; the map (tcp-map.render.ts) names the
 * container, so that publishing a port needs no reload. Nothing waits for the client to send first: many servers do.
 */
export const renderTcp = (options: HaproxyConfigOptions, paths: HaproxyPaths): string => {
  const { tcpBinds = [], tcpTlsBinds = [] } = options
  if (tcpBinds.length + tcpTlsBinds.length === 0) return ''
  return [
    renderTargets(options, paths),
    ...(tcpBinds.length > 0 ? [renderPorts(options, paths, tcpBinds)] : []),
    ...(tcpTlsBinds.length > 0 ? [renderNames(options, paths, tcpTlsBinds)] : [])
  ].join('\n')
}

const renderPorts = (options: HaproxyConfigOptions, { tcpMap }: HaproxyPaths, binds: readonly string[]): string =>
  `frontend tcp_ports
${binds.map((bind) => `  bind ${renderBind(bind)}\n`).join('')}  tcp-request connection set-var(sess.target) dst_port,map_str(${tcpMap})
  tcp-request connection reject unless { var(sess.target) -m found }
${renderClients(options)}
  default_backend tcp
`

// Without a certificate for the name there is no handshake, so a client cannot ask for a key of another kind.
const renderNames = (
  options: HaproxyConfigOptions,
  { tcpMap, crtList }: HaproxyPaths,
  binds: readonly string[]
): string => `frontend tcp_names
${binds.map((bind) => `  bind ${renderBind(bind)} ssl crt-list ${crtList} strict-sni\n`).join('')}${renderClients(options)}
  tcp-request session set-var(sess.name) ssl_fc_sni,lower
  tcp-request session set-var(sess.wild) ssl_fc_sni,lower,regsub(^[^.]+,*)
  tcp-request session set-var(sess.target) var(sess.name),map_str(${tcpMap})
  tcp-request session set-var(sess.target) var(sess.wild),map_str(${tcpMap}) unless { var(sess.target) -m found }
  tcp-request session reject unless { var(sess.target) -m found }
  default_backend tcp
`

/** Keepalive finds clients that are gone, so that connections may be silent for a day. */
const renderClients = (options: HaproxyConfigOptions): string => `  mode tcp
  no log
  no option http-no-delay
  option clitcpka
  clitcpka-idle 60s
  clitcpka-intvl 15s
  clitcpka-cnt 4
  timeout client 1d
  timeout client-fin 1m
  acl unlimited src ${options.unlimitedSources.join(' ')}
  acl container src ${subnetsOf(options)}
  tcp-request connection track-sc0 src,ipmask(32,64) table clients
${renderClientRule('tcp-request connection reject', ({ connections }) => `sc0_conn_cur(clients) gt ${connections}`, options.limits)}
${renderClientRule('tcp-request connection reject', ({ connectionsIn10Seconds }) => `sc0_conn_rate(clients) gt ${connectionsIn10Seconds}`, options.limits)}`

const renderTargets = (options: HaproxyConfigOptions, paths: HaproxyPaths): string => `# Connections per container.
backend tcp_targets
  stick-table type string len 21 size 20k expire 1m store conn_cur

backend tcp
  mode tcp
  no log
  no option http-no-delay
  option srvtcpka
  srvtcpka-idle 60s
  srvtcpka-intvl 15s
  srvtcpka-cnt 4
  timeout connect 5s
  timeout server 1d
  timeout server-fin 1m
  timeout tunnel 1d
  tcp-request content reject unless { var(sess.target) -m reg ^[0-9]+(\\.[0-9]+){3}:[1-9][0-9]{0,4}$ }
  # As for sites: an invalid target would be the proxy itself, and a gateway is the host.
  tcp-request content reject unless { var(sess.target),field(1,:) -m ip ${subnetsOf(options)} } or { var(sess.target),field(1,:),map_str(${paths.machines}) -m found }
  tcp-request content reject if { var(sess.target),field(1,:) -m ip ${options.network.gateway} }
${renderNoGateways(options, 'tcp-request content reject', 'sess.target')}  tcp-request content track-sc1 var(sess.target) table tcp_targets
  tcp-request content reject if { sc1_conn_cur(tcp_targets) gt ${options.limits.tcpConnectionsPerTarget} }
  tcp-request content reject if { be_conn gt ${options.limits.tcpConnections} }
  tcp-request content set-dst var(sess.target),field(1,:)
  tcp-request content set-dst-port var(sess.target),field(2,:)
  server container 0.0.0.0:0
`
