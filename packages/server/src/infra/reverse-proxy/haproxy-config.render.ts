import { createHash } from 'node:crypto'
import { renderPages } from './haproxy-pages.render.ts'
import { type HaproxyPaths, haproxyPaths } from './haproxy-paths.ts'
import { parseIpv4, parseSubnet } from './ipv4.ts'

export interface HaproxyConfigOptions {
  /** Holds the configuration, the routes and the pages. */
  directory: string
  /** Holds the certificates with their plaintext keys: on a file system in memory, if there is one. */
  certificateDirectory: string
  /** A short path for the sockets: a UNIX socket's path has at most 107 bytes. */
  runtimeDirectory: string
  /** `0.0.0.0:80`, `[::]:80`. */
  httpBinds: readonly string[]
  httpsBinds: readonly string[]
  /** Clients at the same time; each needs two file descriptors. */
  maxConnections: number
  /** CIDR of the containers: the proxy connects to nothing else, but for the panel. */
  containerSubnet: string
  /** The host's address in that subnet; no route leads there. */
  gateway: string
  panelAddress: { host: string; port: number }
  /** Whom the workers become that speak with the Internet, once they have read and bound all: only root can say so. */
  user?: { uid: number; gid: number }
}

/** The whole haproxy.cfg. Throws on a value that has no place in it. */
export function renderHaproxyConfig(options: HaproxyConfigOptions): string {
  check(options)
  const paths = haproxyPaths(options.directory, options.runtimeDirectory, options.certificateDirectory)
  const body = renderBody(options, paths)
  return `${renderGlobal(options, paths)}  description ${fingerprint(options, paths)}\n${body}`
}

/**
 * Names this configuration and its pages: the running proxy tells it as the `description` of `show info`, so that we know what it
 * runs and need not believe a file.
 */
export function haproxyFingerprint(options: HaproxyConfigOptions): string {
  check(options)
  return fingerprint(options, haproxyPaths(options.directory, options.runtimeDirectory, options.certificateDirectory))
}

function fingerprint(options: HaproxyConfigOptions, paths: HaproxyPaths): string {
  const hash = createHash('sha256').update(renderGlobal(options, paths)).update(renderBody(options, paths))
  for (const [name, content] of renderPages()) hash.update(`${name}\0${content}\0`)
  return `panel-${hash.digest('hex').slice(0, 32)}`
}

const renderGlobal = (
  { maxConnections, user }: HaproxyConfigOptions,
  paths: HaproxyPaths
): string => `# Written by the panel.
global
  log stdout format raw local0 notice
  maxconn ${maxConnections}
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

const renderBody = (options: HaproxyConfigOptions, { crtList, map, pages }: HaproxyPaths): string => `
defaults
  mode http
  log global
  # Without it server-sent events and other small chunks wait some 200 ms.
  option http-no-delay
  retries 1
  timeout connect 2s
  timeout http-request 15s
  timeout http-keep-alive 60s
  timeout client 65s
  timeout server 120s
  timeout client-fin 10s
  timeout tunnel 1h
  errorfile 502 ${pages}/502.http
  errorfile 503 ${pages}/503.http
  errorfile 504 ${pages}/504.http

frontend web
${options.httpBinds.map((bind) => `  bind ${renderBind(bind)}\n`).join('')}${options.httpsBinds
  .map((bind) => `  bind ${renderBind(bind)} ssl crt-list ${crtList} alpn h2,http/1.1\n`)
  .join('')}
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
  http-request redirect location https://%[var(txn.host)]%[pathq] code 301 if !acme !{ ssl_fc } { var(txn.target),field(3,:) 1 }

  # What the client says about its own way here is not true until proven. Some programs read X_Real_IP as X-Real-IP.
  http-request del-header ^(x[-_]forwarded[-_].*|x[-_]real[-_]ip|forwarded|proxy)$ -m reg
  http-request set-header X-Forwarded-For %[src]
  http-request set-header X-Forwarded-Proto %[ssl_fc,iif(https,http)]
  http-request set-header X-Forwarded-Host %[req.fhdr(host)]
  http-request set-header X-Real-IP %[src]
  # A tunnel of HTTP/2 through an upgrade would pass by all of the above.
  http-request del-header upgrade if { req.fhdr(upgrade) -m sub -i h2c }
  http-request del-header http2-settings

  use_backend panel if acme
  use_backend panel if { var(txn.target),field(1,:) -m str panel }
  use_backend stopped if { var(txn.target),field(1,:) -m str stopped }
  use_backend starting if { var(txn.target),field(1,:) -m str starting }
  use_backend unknown if { var(txn.target),field(1,:) -m str nothing }
  use_backend site if { var(txn.target) -m found }
  default_backend unknown

backend site
  # set-dst does nothing, silently, on a value that it cannot read: the destination stays this proxy, in a loop up to maxconn.
  http-request deny deny_status 502 unless { var(txn.target),field(1,:) -m ip ${options.containerSubnet} }
  http-request deny deny_status 502 if { var(txn.target),field(1,:) -m ip ${options.gateway} }
  http-request deny deny_status 502 unless { var(txn.target) -m reg ^[0-9]+(\\.[0-9]+){3}:[1-9][0-9]{0,4}:[01]$ }
  http-request set-dst var(txn.target),field(1,:)
  http-request set-dst-port var(txn.target),field(2,:)
  compression algo gzip
  compression type text/html text/plain text/css text/javascript application/javascript application/json application/xml image/svg+xml
  server container 0.0.0.0:0

backend panel
  server panel ${options.panelAddress.host}:${options.panelAddress.port}

backend stopped
  http-request return status 503 content-type "text/html; charset=utf-8" hdr Retry-After 30 hdr Cache-Control no-store file ${pages}/stopped.html

backend starting
  http-request return status 503 content-type "text/html; charset=utf-8" hdr Retry-After 3 hdr Cache-Control no-store file ${pages}/starting.html

backend unknown
  http-request return status 404 content-type "text/html; charset=utf-8" hdr Cache-Control no-store file ${pages}/404.html
`

// The system default of IPv6 sockets takes IPv4 too and would collide with 0.0.0.0.
const renderBind = (bind: string): string => (bind.startsWith('[') ? `${bind} v6only` : bind)

function check({
  httpBinds,
  httpsBinds,
  maxConnections,
  containerSubnet,
  gateway,
  panelAddress,
  user
}: HaproxyConfigOptions) {
  for (const bind of [...httpBinds, ...httpsBinds])
    if (!isBind(bind)) throw new Error(`Not an address to listen on: ${bind}`)
  if (httpBinds.length + httpsBinds.length === 0) throw new Error('The proxy has no address to listen on')
  if (!Number.isInteger(maxConnections) || maxConnections < 1)
    throw new Error(`Not a number of connections: ${maxConnections}`)
  const subnet = parseSubnet(containerSubnet)
  const gatewayNumber = parseIpv4(gateway)
  if (!subnet) throw new Error(`Not a subnet: ${containerSubnet}`)
  if (gatewayNumber === undefined || gatewayNumber < subnet.first || gatewayNumber > subnet.last)
    throw new Error(`The gateway is not an address of ${containerSubnet}: ${gateway}`)
  if (parseIpv4(panelAddress.host) === undefined || !isPort(String(panelAddress.port)))
    throw new Error(`Not an address of the panel: ${panelAddress.host}:${panelAddress.port}`)
  if (user && !(Number.isInteger(user.uid) && user.uid > 0 && Number.isInteger(user.gid) && user.gid > 0))
    throw new Error(`Not a user of the proxy: ${user.uid}:${user.gid}`)
}

function isBind(bind: string): boolean {
  const [, address = '', port = ''] = /^(\[[0-9a-f:]+\]|[0-9.]+):([0-9]+)$/.exec(bind) ?? []
  return (address.startsWith('[') || parseIpv4(address) !== undefined) && isPort(port)
}

const isPort = (text: string): boolean => /^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= 65_535
