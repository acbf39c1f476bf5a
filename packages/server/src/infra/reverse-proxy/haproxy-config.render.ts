import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { uptimeAgent } from '../../net/uptime-agent.ts'
import { renderPages } from './haproxy-pages.render.ts'
import { type HaproxyPaths, haproxyPaths } from './haproxy-paths.ts'
import { connectionTimeHeader, proxyHeader } from '../../security/proxy-proof.ts'
import { renderBind, renderClientRule } from './haproxy-rules.render.ts'
import { renderTcp } from './haproxy-tcp.render.ts'
import { renderInstances } from './haproxy-instances.render.ts'
import { renderSiteBackends, subnetsOf } from './haproxy-site-config.render.ts'
import {
  checkHaproxyOptions,
  type EdgeState,
  type HaproxyConfigOptions,
  type PanelUpstream,
  type RelayName
} from './haproxy-options.ts'

export function renderHaproxyConfig(options: HaproxyConfigOptions): string {
  checkHaproxyOptions(options)
  const paths = haproxyPaths(options.directory, options.runtimeDirectory, options.certificateDirectory)
  const body = renderBody(options, paths)
  return `${renderGlobal(options, paths)}  description ${fingerprint(options, paths)}\n${body}`
}

/** The running proxy reports it in `show info`, so that we know which configuration it runs. */
export function haproxyFingerprint(options: HaproxyConfigOptions): string {
  checkHaproxyOptions(options)
  return fingerprint(options, haproxyPaths(options.directory, options.runtimeDirectory, options.certificateDirectory))
}

function fingerprint(all: HaproxyConfigOptions, paths: HaproxyPaths): string {
  const options = all.edge ? { ...all, edge: { ...all.edge, relays: undefined, pools: [] } } : all
  const hash = createHash('sha256').update(renderGlobal(options, paths)).update(renderBody(options, paths))
  for (const [name, content] of renderPages()) hash.update(`${name}\0${content}\0`)
  return `panel-${hash.digest('hex').slice(0, 32)}`
}

const renderGlobal = ({ limits, user }: HaproxyConfigOptions, paths: HaproxyPaths): string => `# Written by the panel.
global
  log stdout format raw local0 notice
  maxconn ${limits.connections}
${user ? `  uid ${user.uid}\n  gid ${user.gid}\n  chroot ${paths.emptyDirectory}\n` : ''}  stats socket ${paths.adminSocket} mode 600 level admin expose-fd listeners
  stats timeout 1m
  hard-stop-after 10m
  # A certificate chain with its key must fit into ONE buffer of the admin socket.
  tune.bufsize 32768
  # One file per certificate. No OCSP stapling: CAs have ended OCSP.
  ssl-load-extra-files none
  ssl-default-bind-options ssl-min-ver TLSv1.2 no-tls-tickets
  ssl-default-bind-ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305
`

const renderBody = (options: HaproxyConfigOptions, paths: HaproxyPaths): string => {
  const { crtList, map, pages } = paths
  const { limits, panel, edge, user } = options
  const inRoot = (path: string) => (user ? `/${basename(path)}` : path)
  return `
# Request log for the panel. Without a reader, the latest entries are kept and requests are not delayed.
ring traffic
  format raw
  maxlen 256
  size 4194304
  timeout connect 1s
  timeout server 1m
  server panel unix@${inRoot(paths.trafficRelay)}

defaults
  mode http
  log global
  # Otherwise server-sent events and other small chunks are delayed by about 200 ms.
  option http-no-delay
  # Otherwise requests aborted by the client occupy a slot until the site responds.
  option abortonclose
  retries 1
  timeout connect 2s
  timeout http-request 15s
  timeout http-keep-alive 10s
  timeout client 65s
  timeout server 120s
  timeout client-fin 10s
  timeout tunnel 1h
  timeout queue 10s
  errorfile 502 ${pages}/502.http
  errorfile 503 ${pages}/503.http
  errorfile 504 ${pages}/504.http

# A ring reconnects in a busy loop while its target is down, so this relay always accepts and waits.
listen traffic
  mode tcp
  no log
  bind unix@${paths.trafficRelay} mode 666
  timeout client 1m
  timeout server 1m
  tcp-request inspect-delay 50s
  tcp-request content accept if { nbsrv gt 0 }
  tcp-request content reject if WAIT_END
  server panel ${edge ? relayAddress(edge, 'traffic') : `unix@${inRoot(paths.trafficSocket)}`} check inter 2s downinter 1s fall 1 rise 1 observe layer4 error-limit 1 on-error mark-down

# Concurrent connections and requests per client, and requests per site. HAProxy 2.6 has three counters.
backend clients
  stick-table type ipv6 size 100k expire 1m store conn_cur,conn_rate(10s)
backend client_requests
  stick-table type ipv6 size 100k expire 1m store conn_cur
backend live_clients
  stick-table type ipv6 size 20k expire 1m store conn_cur
backend site_requests
  stick-table type string len 21 size 20k expire 1m store conn_cur

frontend web
${options.httpBinds.map((bind) => `  bind ${renderBind(bind)}\n`).join('')}${options.httpsBinds
    .map((bind) => `  bind ${renderBind(bind)} ssl crt-list ${crtList} alpn h2,http/1.1\n`)
    .join('')}${panel ? renderEdgeBinds(paths) : ''}
  # Route id, status, bytes received and sent, total and response time in ms. The client only for a sign-in to WordPress.
  log global
  log ring@traffic format raw local0 info
  log-format "%[var(txn.target),field(4,:)] %ST %U %B %Ta %Tr %[var(txn.signin)]"
  option dontlognull

  # A client is an IPv4 address or an IPv6 /64. Containers have lower limits.
  acl unlimited src ${options.unlimitedSources.join(' ')}
  acl container src ${subnetsOf(options)}
  tcp-request connection set-var(sess.connected) date(0,ms)
  tcp-request connection track-sc0 src,ipmask(32,64) table clients
${renderClientRule('tcp-request connection reject', ({ connections }) => `sc0_conn_cur(clients) gt ${connections}`, limits)}
${renderClientRule('tcp-request connection reject', ({ connectionsIn10Seconds }) => `sc0_conn_rate(clients) gt ${connectionsIn10Seconds}`, limits)}
  # The last quarter is reserved for clients with few connections, so that a few cannot lock out everyone else.
  tcp-request connection reject if !unlimited { fe_conn gt ${limits.full} } { sc0_conn_cur(clients) gt ${limits.connectionsWhenFull} }
  # An HTTP/2 connection carries many requests.
  http-request track-sc1 src,ipmask(32,64) table client_requests
${renderClientRule('http-request deny deny_status 429', ({ requests }) => `sc1_conn_cur(client_requests) gt ${requests}`, limits)}

  # The whole header: of "a, b" the site would see both names, but req.hdr only the last.
  http-request set-var(txn.host) req.fhdr(host),field(1,:),lower,rtrim(.)
  http-request set-var(txn.secure) bool(true) if { ssl_fc }${panel ? ` or { so_name -m str ${edgeTlsName} }` : ''}
  http-request deny deny_status 400 unless { var(txn.host) -m reg ^[a-z0-9._-]+$ }
  # Would open a tunnel through the site. (HAProxy has already turned a WebSocket over HTTP/2 into a GET.)
  http-request deny deny_status 405 if { method CONNECT }

  # Keys are <host><path>/: the slash at the end makes /app match /app and /app/x, never /apple. The longest key wins.
  # A wildcard covers one label; an exact host wins.
  http-request set-var(txn.wild) var(txn.host),regsub(^[^.]+,*)
  http-request set-var(txn.path) path
  http-request set-var(txn.key) var(txn.host),concat(,txn.path,/)
  http-request set-var(txn.wkey) var(txn.wild),concat(,txn.path,/)
  http-request set-var(txn.target) var(txn.key),map_beg(${map})
  http-request set-var(txn.target) var(txn.wkey),map_beg(${map}) unless { var(txn.target) -m found }

  # Exactly the token path, so that nothing else of the panel is reachable under other hostnames.
  acl acme path -m reg ^/\\.well-known/acme-challenge/[A-Za-z0-9_-]+$
  acl site var(txn.target),field(4,:) -m len 1:64
  # Uptime checks are not traffic: they keep no site awake.
  acl check src 127.0.0.0/8
  acl check_agent req.fhdr(user-agent) -m str ${uptimeAgent}
  http-request set-log-level silent if acme or !site or check check_agent
  http-request redirect location https://%[var(txn.host)]%[pathq] code 301 if !acme !{ var(txn.secure) -m bool } { var(txn.target),field(3,:) 1 }

  # For bans (features/bans). Behind a proxy of the site's own, such as a CDN, the address is that of all its visitors.
  acl relayed req.hdr_cnt(x-forwarded-for) gt 0
  acl relayed req.hdr_cnt(forwarded) gt 0
  acl relayed req.hdr_cnt(via) gt 0
${edge ? '  http-request set-var(txn.relayed) bool(true) if relayed\n' : ''}  http-request set-var-fmt(txn.signin) login=%[src] if METH_POST !relayed { path,url_dec -m sub /wp-login.php }
  http-request set-var-fmt(txn.signin) xmlrpc=%[src] if METH_POST !relayed { path,url_dec -m sub /xmlrpc.php }

  # Client-supplied forwarding headers are not trusted. Some programs read X_Real_IP as X-Real-IP.
  http-request del-header ^(x[-_]forwarded[-_].*|x[-_]real[-_]ip|forwarded|proxy|${[proxyHeader, connectionTimeHeader].map((header) => header.replaceAll('-', '[-_]')).join('|')})$ -m reg
  http-request set-header X-Forwarded-For %[src]
  http-request set-header X-Forwarded-Proto http
  http-request set-header X-Forwarded-Proto https if { var(txn.secure) -m bool }
  http-request set-header X-Forwarded-Host %[req.fhdr(host)]
  http-request set-header X-Real-IP %[src]
  # An h2c upgrade would bypass all of the above.
  http-request del-header upgrade if { req.fhdr(upgrade) -m sub -i h2c }
  http-request del-header http2-settings

${panel ? useUpstreams : useRelay}  use_backend rules if { var(txn.target),field(5,:) -m len 1:64 }
  use_backend stopped if { var(txn.target),field(1,:) -m str stopped }
  use_backend starting if { var(txn.target),field(1,:) -m str starting }
  use_backend unknown if { var(txn.target),field(1,:) -m str nothing }
  use_backend site if { var(txn.target) -m found }
  default_backend unknown

${renderSiteBackends(options, paths)}
${renderInstances(options, paths)}
${renderTcp(options, paths)}
${panel ? renderUpstreams(options, panel, paths) : ''}${edge ? renderRelay(edge) : ''}
backend stopped
  http-request return status 503 content-type "text/html; charset=utf-8" hdr Retry-After 30 hdr Cache-Control no-store file ${pages}/stopped.html

backend starting
  http-request return status 503 content-type "text/html; charset=utf-8" hdr Retry-After 3 hdr Cache-Control no-store file ${pages}/starting.html

backend unknown
  http-request return status 404 content-type "text/html; charset=utf-8" hdr Cache-Control no-store file ${pages}/404.html
`
}

const useUpstreams = `  use_backend acme if acme
  use_backend live if { var(txn.target),field(1,:) -m str panel } { path_beg /socket.io/ }
  use_backend panel if { var(txn.target),field(1,:) -m str panel }
  use_backend mail if { var(txn.target),field(1,:) -m str mail }
`

// Those of a site that is on the panel's machine, or needs what is there.
const useRelay = ['acme', '{ var(txn.target),field(1,:) -m str relay }']
  .map((which) => `  use_backend relay_tls if ${which} { var(txn.secure) -m bool }\n  use_backend relay if ${which}\n`)
  .join('')

const edgeTlsName = 'edge_tls'

// Reached over the panel's connections only. The address of the client comes from the edge.
const renderEdgeBinds = ({ edgeSocket, edgeTlsSocket }: HaproxyPaths): string =>
  `  bind unix@${edgeSocket} mode 600 accept-proxy
  bind unix@${edgeTlsSocket} mode 600 accept-proxy name ${edgeTlsName}
`

/** Of the loopback. Nothing answers at port 1. */
const relayAddress = ({ relays }: EdgeState, name: RelayName): string => `127.0.0.1:${relays?.[name] ?? 1}`

const renderRelay = (
  edge: EdgeState
): string => `# The panel's proxy, through the panel's connection to this machine. Certificates: ${edge.certificates}
backend relay
${renderRelayServer(edge, 'plain')}
backend relay_tls
${renderRelayServer(edge, 'tls')}`

// A server each: a retry would choose the other one.
const renderRelayServer = (
  edge: EdgeState,
  name: RelayName
): string => `  # Set above; the next proxy must see what the client sent, for bans.
  http-request del-header x-forwarded-for unless { var(txn.relayed) -m bool }
  # While the panel restarts, there is no connection for some seconds.
  retries 20
  option redispatch 1
  server panel ${relayAddress(edge, name)} send-proxy-v2
`

const renderUpstreams = (
  options: HaproxyConfigOptions,
  panel: PanelUpstream,
  { pages }: HaproxyPaths
): string => `backend panel
  # Not counting live channel connections, so that an office with many browsers is not limited.
  http-request set-var(txn.live) src,ipmask(32,64),table_conn_cur(live_clients)
  http-request deny deny_status 429 if !{ src ${options.unlimitedSources.join(' ')} } { sc1_conn_cur(client_requests),sub(txn.live) gt ${Math.ceil(panel.connections / 4)} }
  # Confirming a firewall change takes a new connection, and a browser opens one only after the old one is gone.
  http-request reject if { path ${reconnectPath} }
  http-request set-header ${panel.header} ${panel.secret}
  http-request set-header ${connectionTimeHeader} %[var(sess.connected)]
  ${renderPanelServer(panel, Math.floor((panel.connections * 3) / 4))}

# Long-lived connections have their own limit and take no slots from requests.
backend live
  http-request track-sc2 src,ipmask(32,64) table live_clients
  http-request deny deny_status 429 if !{ src ${options.unlimitedSources.join(' ')} } { sc2_conn_cur(live_clients) gt ${Math.ceil(panel.liveConnections / 4)} }
  http-request set-header ${panel.header} ${panel.secret}
  ${renderPanelServer(panel, panel.liveConnections)}

# Reserved slots for ACME challenges.
backend acme
  http-request set-header ${panel.header} ${panel.secret}
  ${renderPanelServer(panel, Math.ceil(panel.connections / 8))}

# Autoconfiguration and MTA-STS under customers' hostnames; nothing else of the panel is reachable there.
backend mail
  http-request set-path %[path,lower]
  acl asked path ${mailPaths.join(' ')}
  acl asked path -m reg ^/autodiscover/autodiscover\\.json/v1\\.0/[^/]+$
  http-request return status 404 content-type "text/html; charset=utf-8" hdr Cache-Control no-store file ${pages}/404.html unless asked
  http-request deny deny_status 429 if !{ src ${options.unlimitedSources.join(' ')} } { sc1_conn_cur(client_requests) gt ${Math.ceil(panel.connections / 16)} }
  http-request del-header ^(cookie|authorization)$ -m reg
  http-request set-header ${panel.header} ${panel.secret}
  ${renderPanelServer(panel, Math.floor(panel.connections / 8))}
`

// A route of features/firewall.
const reconnectPath = '/api/firewall/reconnect'

const mailPaths = [
  '/mail/config-v1.1.xml',
  '/.well-known/autoconfig/mail/config-v1.1.xml',
  '/autodiscover/autodiscover.xml',
  '/autodiscover/autodiscover.json',
  '/.well-known/mta-sts.txt'
]

/** Idle pooled connections count too: an eighth of all is left for them. */
const renderPanelServer = ({ host, port, source, connections }: PanelUpstream, most: number): string =>
  `server panel ${host}:${port} source ${source} maxconn ${Math.max(1, most)} pool-max-conn ${Math.max(1, Math.floor(connections / 16))}`
