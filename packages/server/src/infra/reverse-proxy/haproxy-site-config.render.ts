import type { HaproxyConfigOptions } from './haproxy-options.ts'
import type { HaproxyPaths } from './haproxy-paths.ts'
import { poolAddresses, renderInstancesServer } from './haproxy-instances.render.ts'
import { headerFields } from './rule-map.render.ts'

/** Sites without rules, and sites with rules, so that the former do not pay for the latter. */
export const renderSiteBackends = (options: HaproxyConfigOptions, paths: HaproxyPaths): string => `backend site
${renderSite(options, paths, '(:[A-Za-z0-9_-]+|:[A-Za-z0-9_-]*::sleeping)?')}
# Rules that owners set for their domains (rule-map.render.ts). The route names the set.
backend rules
  http-request set-var(txn.set) var(txn.target),field(5,:)
  # The map is older than the route: neither logins nor networks could be checked.
  http-request return status 503 content-type "text/html; charset=utf-8" hdr Retry-After 3 hdr Cache-Control no-store file ${paths.pages}/starting.html unless { str(z=),concat(,txn.set),map_str(${paths.rules}) -m found }
  # Sites decode paths and merge slashes: /%61dmin and //admin must meet the rules of /admin.
  http-request set-var(txn.sent) path,regsub(//+,/,g)
  http-request set-var(txn.decoded) path,url_dec,regsub(//+,/,g)
  http-request deny deny_status 400 if { path -m sub %00 } or { var(txn.decoded) -m sub \\\\ } or { var(txn.decoded) -m reg (^|/)\\.\\.?(/|$) }

${renderLookup('h', 'decoded', paths)}
${headerFields.map((name, index) => renderHeader(name, index + 1)).join('\n')}

${renderLookup('a', 'decoded', paths)}
  http-request set-var(txn.rule) var(txn.a),field(1,:)
  http-request set-var(txn.address) src,hex
  http-request set-var(txn.digits) src,hex,length
  http-request set-var(txn.listed) str(i~),concat(,txn.rule,.),concat(,txn.digits,.),concat(,txn.address),map_beg(${paths.rules}) if { var(txn.a) -m found }
  http-request deny deny_status 403 if { var(txn.a),field(2,:) -m str allow } !{ var(txn.listed) -m found }
  http-request deny deny_status 403 if { var(txn.a),field(2,:) -m str deny } { var(txn.listed) -m found }

${renderLookup('m', 'decoded', paths)}
  http-request return status 503 content-type "text/html; charset=utf-8" hdr Retry-After 300 hdr Cache-Control no-store file ${paths.pages}/maintenance.html if { var(txn.m) -m found }

  # <redirect or rewrite>:<status>:<keep query>:<segments replaced>:<target>
${renderLookup('p', 'sent', paths)}
  acl moved var(txn.p) -m found
  acl exact var(txn.p),field(4,:) -m str x
  http-request set-var(txn.to) var(txn.p),field(5,:),b64dec if moved
${depths
  .map(
    (depth) =>
      `  http-request set-var(txn.rest) var(txn.sent),field(${depth + 2},/,0) if { var(txn.p),field(4,:) -m str ${depth} }`
  )
  .join('\n')}
  acl below var(txn.rest) -m len 1:65536
  acl below var(txn.sent) -m end /
  acl below var(txn.to) -m len 0
  http-request set-var-fmt(txn.to) %[var(txn.to)]/%[var(txn.rest)] if moved !exact below
  http-request set-var-fmt(txn.to) %[var(txn.to)]?%[query] if moved { var(txn.p),field(3,:) 1 } { query -m found }
${[301, 302, 307, 308]
  .map(
    (status) =>
      `  http-request return status ${status} hdr Location %[var(txn.to)] if { var(txn.p),field(2,:) ${status} }`
  )
  .join('\n')}

${renderLookup('l', 'decoded', paths)}
  # Addresses of containers cannot be forged: the answer to a connection goes to the bridge of their network.
  http-request set-var(txn.pass) str(i~),concat(,txn.l,.),concat(,txn.digits,.),concat(,txn.address),map_beg(${paths.rules}) if { var(txn.l) -m found }
  # A digest of <rule>:<user and password as sent>, as in login-digest.ts.
  http-request set-var(txn.login) req.hdr(authorization),bytes(6) if { var(txn.l) -m found } { req.hdr(authorization) -m beg -i "basic " }
  http-request set-var(txn.login) var(txn.l),concat(:,txn.login),hmac(sha256,${Buffer.from(options.loginKey, 'hex').toString('base64')}),hex if { var(txn.login) -m found }
  http-request return status 401 content-type text/plain hdr WWW-Authenticate "Basic realm=\\"%[var(txn.host)]\\", charset=\\"UTF-8\\"" hdr Cache-Control no-store string "Sign in to see this page." if { var(txn.l) -m found } !{ var(txn.pass) -m found } !{ str(u=),concat(,txn.login),map_str(${paths.rules}) -m found }
  http-request del-header authorization if { var(txn.l) -m found }
  http-request set-path %[var(txn.to)] if { var(txn.p),field(1,:) -m str rewrite }

${renderLookup('b', 'decoded', paths)}
  acl limited var(txn.b) -m found
  http-request deny deny_status 413 if limited { req.hdr(content-length),sub(txn.b) gt 0 }
  http-request return status 411 content-type text/plain string "Content-Length is required." if limited { method POST PUT PATCH } !{ req.hdr(content-length) -m found }

${renderLookup('t', 'decoded', paths)}
  http-request set-timeout server var(txn.t) if { var(txn.t) -m found }

  http-request return status 503 content-type "text/html; charset=utf-8" hdr Retry-After 30 hdr Cache-Control no-store file ${paths.pages}/stopped.html if { var(txn.target),field(1,:) -m str stopped }
  http-request return status 503 content-type "text/html; charset=utf-8" hdr Retry-After 3 hdr Cache-Control no-store file ${paths.pages}/starting.html if { var(txn.target),field(1,:) -m str starting }
  http-request return status 404 content-type "text/html; charset=utf-8" hdr Cache-Control no-store file ${paths.pages}/404.html if { var(txn.target),field(1,:) -m str nothing }
${renderSite(options, paths, ':[A-Za-z0-9_-]*:[A-Za-z0-9_-]+(:sleeping)?')}`

// `field` takes constants only. The contract allows as many segments.
const depths = Array.from({ length: 9 }, (_, depth) => depth)

const renderLookup = (letter: string, path: 'sent' | 'decoded', { rules }: HaproxyPaths): string =>
  `  http-request set-var(txn.${letter}) str(${letter}=),concat(,txn.set),concat(,txn.${path}),map_str(${rules})
  http-request set-var(txn.${letter}) str(${letter}~),concat(,txn.set),concat(,txn.${path},/),map_beg(${rules}) unless { var(txn.${letter}) -m found }`

const renderHeader = (name: string, field: number): string =>
  `  http-after-response set-header ${name} %[var(txn.h),field(${field},:),b64dec] if { var(txn.h),field(${field},:) -m len 1:2000 }${name === headerFields[0] ? ' { var(txn.secure) -m bool }' : ''}`

const renderSite = (options: HaproxyConfigOptions, paths: HaproxyPaths, ids: string): string => {
  const { limits, network } = options
  return `  acl pooled var(txn.target),field(1,:) -m ip ${poolAddresses}
  acl sleeping var(txn.target),field(6,:) -m len 8
  # set-dst silently ignores an invalid value: the proxy would then connect to itself in a loop up to maxconn.
  http-request deny deny_status 502 unless pooled or { var(txn.target),field(1,:) -m ip ${subnetsOf(options)} } or { var(txn.target),field(1,:),map_str(${paths.machines}) -m found }
  http-request deny deny_status 502 if { var(txn.target),field(1,:) -m ip ${network.gateway} }
${renderNoGateways(options, 'http-request deny deny_status 502', 'txn.target')}  http-request deny deny_status 502 unless { var(txn.target) -m reg ^[0-9]+(\\.[0-9]+){3}:[1-9][0-9]{0,4}:[01]${ids}$ }
  # Per container instead of host, because a wildcard has any number of hosts. The panel has its own share.
  http-request track-sc2 var(txn.target),field(1,:,2) table site_requests
  http-request deny deny_status 503 if { sc2_conn_cur(site_requests) gt ${limits.siteRequests} }
  http-request deny deny_status 503 if { be_conn gt ${limits.allSiteRequests} }
  http-request set-dst var(txn.target),field(1,:) unless pooled
  http-request set-dst-port var(txn.target),field(2,:) unless pooled
  compression algo gzip
  compression type text/html text/plain text/css text/javascript application/javascript application/json application/xml image/svg+xml
${renderInstancesServer(options, paths)}  server container 0.0.0.0:0
`
}

export const subnetsOf = ({ network }: HaproxyConfigOptions): string =>
  [...new Set([network.subnet, ...network.pools])].join(' ')

/** Denies the first, gateway and last address of each network, by the last octet: networks are aligned to their size. */
export function renderNoGateways(
  { network: { pools, networkPrefix } }: HaproxyConfigOptions,
  deny: string,
  variable: string
): string {
  if (pools.length === 0) return ''
  const size = 2 ** (32 - networkPrefix)
  const last = Array.from({ length: 256 }, (_, number) => number).filter((number) =>
    [0, 1, size - 1].includes(number % size)
  )
  return `  ${deny} if { var(${variable}),field(1,:) -m ip ${pools.join(' ')} } { var(${variable}),field(1,:) -m reg \\.(${last.join('|')})$ }
`
}
