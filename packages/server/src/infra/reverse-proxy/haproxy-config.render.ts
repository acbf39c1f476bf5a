import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { ClientLimits, ProxyLimits } from '../../net/connection-limits.policy.ts'
import { renderPages } from './haproxy-pages.render.ts'
import { type HaproxyPaths, haproxyPaths } from './haproxy-paths.ts'
import { checkHaproxyOptions, type HaproxyConfigOptions, type PanelUpstream } from './haproxy-options.ts'

/** Renders haproxy.cfg. Throws on values that cannot be written safely. */
export function renderHaproxyConfig(options: HaproxyConfigOptions): string {
  checkHaproxyOptions(options)
  const paths = haproxyPaths(options.directory, options.runtimeDirectory, options.certificateDirectory)
  const body = renderBody(options, paths)
  return `${renderGlobal(options, paths)}  description ${fingerprint(options, paths)}\n${body}`
}

/**
 * Hash of configuration and pages. The running proxy reports it as `description` in `show info`, so that we know which
 * configuration it runs.
 */
export function haproxyFingerprint(options: HaproxyConfigOptions): string {
  checkHaproxyOptions(options)
  return fingerprint(options, haproxyPaths(options.directory, options.runtimeDirectory, options.certificateDirectory))
}

function fingerprint(options: HaproxyConfigOptions, paths: HaproxyPaths): string {
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
  # A certificate is one file. No OCSP response is stapled: authorities have ended OCSP, and this one asks for none by itself.
  ssl-load-extra-files none
  ssl-default-bind-options ssl-min-ver TLSv1.2 no-tls-tickets
  ssl-default-bind-ciphers ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305
`

const renderBody = (options: HaproxyConfigOptions, { crtList, map, pages, ...paths }: HaproxyPaths): string => {
  const { limits, panel, user } = options
  // Path as seen from inside the chroot.
  const inRoot = (path: string) => (user ? `/${basename(path)}` : path)
  return `
# What becomes of requests to sites, for the panel: where nobody reads, the newest are kept and no request waits.
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
  # Without it server-sent events and other small chunks wait some 200 ms.
  option http-no-delay
  # What its client has given up would else be in hand until the site answers.
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

# A ring connects again without a pause, with all of a processor, while nobody is there: this one is always there, and waits.
listen traffic
  mode tcp
  no log
  bind unix@${paths.trafficRelay} mode 666
  timeout client 1m
  timeout server 1m
  tcp-request inspect-delay 50s
  tcp-request content accept if { nbsrv gt 0 }
  tcp-request content reject if WAIT_END
  server panel unix@${inRoot(paths.trafficSocket)} check inter 2s downinter 1s fall 1 rise 1 observe layer4 error-limit 1 on-error mark-down

# Who has how much in hand: connections and requests of a client, requests to a site. More than three at once this version cannot count.
backend clients
  stick-table type ipv6 size 100k expire 1m store conn_cur,conn_rate(10s)
backend client_requests
  stick-table type ipv6 size 100k expire 1m store conn_cur
backend live_clients
  stick-table type ipv6 size 20k expire 1m store conn_cur
backend site_requests
  stick-table type ip size 20k expire 1m store conn_cur

frontend web
${options.httpBinds.map((bind) => `  bind ${renderBind(bind)}\n`).join('')}${options.httpsBinds
    .map((bind) => `  bind ${renderBind(bind)} ssl crt-list ${crtList} alpn h2,http/1.1\n`)
    .join('')}
  # Nothing in it comes from a client: whose route it was, status, bytes up and down, ms of it all and of the site's answer.
  log global
  log ring@traffic format raw local0 info
  log-format "%[var(txn.target),field(4,:)] %ST %U %B %Ta %Tr"
  option dontlognull

  # A client is an IPv4 address or the /64 of an IPv6 address. What comes from the sites' own containers is held to less.
  acl unlimited src ${options.unlimitedSources.join(' ')}
  acl container src ${subnetsOf(options)}
  tcp-request connection track-sc0 src,ipmask(32,64) table clients
${renderClientRule('tcp-request connection reject', ({ connections }) => `sc0_conn_cur(clients) gt ${connections}`, limits)}
${renderClientRule('tcp-request connection reject', ({ connectionsIn10Seconds }) => `sc0_conn_rate(clients) gt ${connectionsIn10Seconds}`, limits)}
  # The last quarter is for those who have little yet, so that a few clients cannot keep everybody else out.
  tcp-request connection reject if !unlimited { fe_conn gt ${limits.full} } { sc0_conn_cur(clients) gt ${limits.connectionsWhenFull} }
  # Many requests come over one connection of HTTP/2.
  http-request track-sc1 src,ipmask(32,64) table client_requests
${renderClientRule('http-request deny deny_status 429', ({ requests }) => `sc1_conn_cur(client_requests) gt ${requests}`, limits)}

  # The whole header: of "a, b" the site would see both names and we only the last.
  http-request set-var(txn.host) req.fhdr(host),field(1,:),lower,rtrim(.)
  http-request deny deny_status 400 unless { var(txn.host) -m reg ^[a-z0-9._-]+$ }
  # A tunnel to wherever the site lets it. (A WebSocket over HTTP/2 is a GET by now.)
  http-request deny deny_status 405 if { method CONNECT }

  # Keys are <host><path>/: the slash at the end makes /app match /app and /app/x, never /apple. The longest key wins.
  # A wildcard stands for one label; the exact host comes first.
  http-request set-var(txn.wild) var(txn.host),regsub(^[^.]+,*)
  http-request set-var(txn.path) path
  http-request set-var(txn.key) var(txn.host),concat(,txn.path,/)
  http-request set-var(txn.wkey) var(txn.wild),concat(,txn.path,/)
  http-request set-var(txn.target) var(txn.key),map_beg(${map})
  http-request set-var(txn.target) var(txn.wkey),map_beg(${map}) unless { var(txn.target) -m found }

  # Only the token's path itself, so that nothing else of the panel is reachable under a stranger's name.
  acl acme path -m reg ^/\\.well-known/acme-challenge/[A-Za-z0-9_-]+$
  acl site var(txn.target),field(4,:) -m len 1:64
  http-request set-log-level silent if acme or !site
  http-request redirect location https://%[var(txn.host)]%[pathq] code 301 if !acme !{ ssl_fc } { var(txn.target),field(3,:) 1 }

  # What the client says about its own way here is not true until proven. Some programs read X_Real_IP as X-Real-IP.
  http-request del-header ^(x[-_]forwarded[-_].*|x[-_]real[-_]ip|forwarded|proxy|${panel.header.replaceAll('-', '[-_]')})$ -m reg
  http-request set-header X-Forwarded-For %[src]
  http-request set-header X-Forwarded-Proto %[ssl_fc,iif(https,http)]
  http-request set-header X-Forwarded-Host %[req.fhdr(host)]
  http-request set-header X-Real-IP %[src]
  # A tunnel of HTTP/2 through an upgrade would pass by all of the above.
  http-request del-header upgrade if { req.fhdr(upgrade) -m sub -i h2c }
  http-request del-header http2-settings

  use_backend acme if acme
  use_backend live if { var(txn.target),field(1,:) -m str panel } { path_beg /socket.io/ }
  use_backend panel if { var(txn.target),field(1,:) -m str panel }
  use_backend mail if { var(txn.target),field(1,:) -m str mail }
  use_backend stopped if { var(txn.target),field(1,:) -m str stopped }
  use_backend starting if { var(txn.target),field(1,:) -m str starting }
  use_backend unknown if { var(txn.target),field(1,:) -m str nothing }
  use_backend site if { var(txn.target) -m found }
  default_backend unknown

backend site
  # set-dst does nothing, silently, on a value that it cannot read: the destination stays this proxy, in a loop up to maxconn.
  http-request deny deny_status 502 unless { var(txn.target),field(1,:) -m ip ${subnetsOf(options)} }
  http-request deny deny_status 502 if { var(txn.target),field(1,:) -m ip ${options.network.gateway} }
${renderNoGateways(options)}  http-request deny deny_status 502 unless { var(txn.target) -m reg ^[0-9]+(\\.[0-9]+){3}:[1-9][0-9]{0,4}:[01](:[A-Za-z0-9_-]+)?$ }
  # By the container and not by the host, as a wildcard has any number of hosts. Requests to the panel have room beside all of these.
  http-request track-sc2 var(txn.target),field(1,:) table site_requests
  http-request deny deny_status 503 if { sc2_conn_cur(site_requests) gt ${limits.siteRequests} }
  http-request deny deny_status 503 if { be_conn gt ${limits.allSiteRequests} }
  http-request set-dst var(txn.target),field(1,:)
  http-request set-dst-port var(txn.target),field(2,:)
  compression algo gzip
  compression type text/html text/plain text/css text/javascript application/javascript application/json application/xml image/svg+xml
  server container 0.0.0.0:0

backend panel
  # Without those who have the live channel open: an office of many browsers works on.
  http-request set-var(txn.live) src,ipmask(32,64),table_conn_cur(live_clients)
  http-request deny deny_status 429 if !{ src ${options.unlimitedSources.join(' ')} } { sc1_conn_cur(client_requests),sub(txn.live) gt ${Math.ceil(panel.connections / 4)} }
  http-request set-header ${panel.header} ${panel.secret}
  ${renderPanelServer(panel, Math.floor((panel.connections * 3) / 4))}

# Connections that stay for as long as somebody looks take no room from requests.
backend live
  http-request track-sc2 src,ipmask(32,64) table live_clients
  http-request deny deny_status 429 if !{ src ${options.unlimitedSources.join(' ')} } { sc2_conn_cur(live_clients) gt ${Math.ceil(panel.liveConnections / 4)} }
  http-request set-header ${panel.header} ${panel.secret}
  ${renderPanelServer(panel, panel.liveConnections)}

# Certificate authorities do not wait behind anybody.
backend acme
  http-request set-header ${panel.header} ${panel.secret}
  ${renderPanelServer(panel, Math.ceil(panel.connections / 8))}

# What a domain's mail programs and the mail servers of others ask for, under names that are customers': the rest of the panel is not there.
backend mail
  http-request set-path %[path,lower]
  acl asked path ${mailPaths.join(' ')}
  acl asked path -m reg ^/autodiscover/autodiscover\\.json/v1\\.0/[^/]+$
  http-request return status 404 content-type "text/html; charset=utf-8" hdr Cache-Control no-store file ${pages}/404.html unless asked
  http-request deny deny_status 429 if !{ src ${options.unlimitedSources.join(' ')} } { sc1_conn_cur(client_requests) gt ${Math.ceil(panel.connections / 16)} }
  http-request del-header ^(cookie|authorization)$ -m reg
  http-request set-header ${panel.header} ${panel.secret}
  ${renderPanelServer(panel, Math.floor(panel.connections / 8))}

backend stopped
  http-request return status 503 content-type "text/html; charset=utf-8" hdr Retry-After 30 hdr Cache-Control no-store file ${pages}/stopped.html

backend starting
  http-request return status 503 content-type "text/html; charset=utf-8" hdr Retry-After 3 hdr Cache-Control no-store file ${pages}/starting.html

backend unknown
  http-request return status 404 content-type "text/html; charset=utf-8" hdr Cache-Control no-store file ${pages}/404.html
`
}

const mailPaths = [
  '/mail/config-v1.1.xml',
  '/.well-known/autoconfig/mail/config-v1.1.xml',
  '/autodiscover/autodiscover.xml',
  '/autodiscover/autodiscover.json',
  '/.well-known/mta-sts.txt'
]

/** One rule for containers and one for everybody else. */
const renderClientRule = (action: string, test: (limits: ClientLimits) => string, limits: ProxyLimits): string =>
  [
    `  ${action} if container !unlimited { ${test(limits.perContainer)} }`,
    `  ${action} if !container !unlimited { ${test(limits.perAddress)} }`
  ].join('\n')

/** Idle pooled connections count too: an eighth of all is left for them. */
const renderPanelServer = ({ host, port, source, connections }: PanelUpstream, most: number): string =>
  `server panel ${host}:${port} source ${source} maxconn ${Math.max(1, most)} pool-max-conn ${Math.max(1, Math.floor(connections / 16))}`

const subnetsOf = ({ network }: HaproxyConfigOptions): string =>
  [...new Set([network.subnet, ...network.pools])].join(' ')

/**
 * Denies the first, gateway and last address of each network in the pools, by their last octet: networks are aligned to
 * their size.
 */
function renderNoGateways({ network: { pools, networkPrefix } }: HaproxyConfigOptions): string {
  if (pools.length === 0) return ''
  const size = 2 ** (32 - networkPrefix)
  const last = Array.from({ length: 256 }, (_, number) => number).filter((number) =>
    [0, 1, size - 1].includes(number % size)
  )
  return `  http-request deny deny_status 502 if { var(txn.target),field(1,:) -m ip ${pools.join(' ')} } { var(txn.target),field(1,:) -m reg \\.(${last.join('|')})$ }
`
}

// IPv6 sockets accept IPv4 too by default and would collide with 0.0.0.0.
const renderBind = (bind: string): string => (bind.startsWith('[') ? `${bind} v6only` : bind)
