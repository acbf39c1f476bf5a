import { createHash } from 'node:crypto'
import { signedGroup } from './catalog-zone.render.ts'
import { type KnotDirectories, type KnotPaths, knotPaths } from './knot-paths.ts'
import {
  journalDatabaseSize,
  journalOfZone,
  renderAddress,
  renderList,
  renderTransferKey,
  type SocketAddress,
  transferKeyId
} from './knot-values.ts'
import { catalogName } from './zone-name.ts'

export interface KnotConfigOptions extends KnotDirectories {
  listen: readonly SocketAddress[]
  user?: 'knot:knot'
  transferKey: string
  /** Secondaries: they are notified of changes and may transfer all zones with the key. */
  secondaries: readonly SocketAddress[]
}

export function renderKnotConfig(options: KnotConfigOptions): string {
  return renderWith(options, knotFingerprint(options))
}

/** The running server reports it, so that we know which configuration it runs. */
export function knotFingerprint(options: KnotConfigOptions): string {
  return `panel-${createHash('sha256').update(renderWith(options, '')).digest('hex').slice(0, 32)}`
}

function renderWith(options: KnotConfigOptions, fingerprint: string): string {
  const paths = knotPaths(options)
  if (options.listen.length === 0) throw new Error('The name server has no listen address')
  return `# Written by the panel.
server:
    rundir: "${paths.runtimeDirectory}"
${options.user === undefined ? '' : `    user: "${options.user}"\n`}    listen: ${renderList(options.listen.map(renderAddress))}
    # Serve loaded zones while others are still loading.
    async-start: on
    # The default is one per CPU, where one or two large zones would block all others.
    background-workers: 4
    version: ""
    identity: ""

control:
    listen: "${paths.socket}"

log:
  - target: stderr
    server: info
    zone: info
    control: warning

database:
    storage: "${paths.database}"
    # Starts 10,000 zones in 2 s instead of 20 s. Affects the journal only, not the keys.
    journal-db-mode: asynchronous
    journal-db-max-size: ${journalDatabaseSize}
    kasp-db-max-size: 512M

${renderTransferKey(options.transferKey)}

${renderSecondaries(options.secondaries)}${renderRateLimit(options.secondaries)}
policy:
  - id: panel
    comment: "${fingerprint}"
    algorithm: ecdsap256sha256
    single-type-signing: on
    # No automatic rollover: only the domain's owner can update the DS record at the registrar.
    ksk-lifetime: 0
    cds-cdnskey-publish: always

template:
  # Applies to the catalog too.
  - id: default
    global-module: mod-rrl/panel
${renderTemplate(paths, options)}
  - id: plain
${renderTemplate(paths, options)}
  - id: ${signedGroup}
${renderTemplate(paths, options)}
    dnssec-signing: on
    dnssec-policy: panel

zone:
  - domain: ${catalogName}
    file: "${paths.catalog}"
    catalog-role: interpret
    # Members without a group use the first template.
    catalog-template: [ plain, ${signedGroup} ]
`
}

// The panel owns the zone files, so the server never writes them; it maintains the served serials, which never
// decrease.
const renderTemplate = ({ zones }: KnotPaths, { secondaries }: KnotConfigOptions): string => `    storage: "${zones}"
    file: "%s"
    zonefile-sync: -1
    zonefile-load: difference-no-serial
${journalOfZone}
    serial-policy: dateserial${
      secondaries.length === 0 ? '' : `\n    notify: ${renderList(idsOf(secondaries))}\n    acl: transfer`
    }`

const renderSecondaries = (secondaries: readonly SocketAddress[]): string =>
  secondaries.length === 0
    ? ''
    : `remote:
${secondaries
  .map(
    (secondary, index) => `  - id: secondary${index}
    address: ${renderAddress(secondary)}
    key: ${transferKeyId}
`
  )
  .join('')}
acl:
  # By key only, because NAT or several addresses change the source address.
  - id: transfer
    key: ${transferKeyId}
    action: transfer

`

// Responses per second over UDP to one network (/24, /56). Excess ones are truncated, so that real clients retry over
// TCP.
const renderRateLimit = (secondaries: readonly SocketAddress[]): string => `mod-rrl:
  - id: panel
    rate-limit: 200
    slip: 1
    whitelist: ${renderList(['127.0.0.0/8', '::1', ...secondaries.map(({ address }) => address)].map((item) => `"${item}"`))}
`

const idsOf = (secondaries: readonly SocketAddress[]): string[] => secondaries.map((_, index) => `secondary${index}`)
