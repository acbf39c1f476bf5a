import { isPlainPath } from '../disk/plain-path.ts'
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

export interface KnotSecondaryOptions {
  primary: SocketAddress
  transferKey: string
  listen: readonly SocketAddress[]
  user?: 'knot:knot'
  storage: string
  runtimeDirectory: string
}

export const debianSecondary = {
  listen: [
    { address: '0.0.0.0', port: 53 },
    { address: '::', port: 53 }
  ],
  user: 'knot:knot',
  storage: '/var/lib/knot',
  runtimeDirectory: '/run/knot'
} as const

export function renderKnotSecondary(options: KnotSecondaryOptions): string {
  for (const path of [options.storage, options.runtimeDirectory])
    if (!isPlainPath(path)) throw new Error(`Not an absolute path of plain characters: ${path}`)
  if (options.listen.length === 0) throw new Error('The name server has no listen address')
  return `server:
    rundir: "${options.runtimeDirectory}"
${options.user === undefined ? '' : `    user: "${options.user}"\n`}    listen: ${renderList(options.listen.map(renderAddress))}
    async-start: on
    version: ""
    identity: ""

control:
    listen: "${options.runtimeDirectory}/knot.sock"

log:
  - target: ${options.user === undefined ? 'stderr' : 'syslog'}
    any: info

database:
    storage: "${options.storage}"
    journal-db-mode: asynchronous
    journal-db-max-size: ${journalDatabaseSize}

${renderTransferKey(options.transferKey)}

remote:
  - id: primary
    address: ${renderAddress(options.primary)}
    key: ${transferKeyId}

acl:
  # By key only, because the primary may have several addresses.
  - id: notify
    key: ${transferKeyId}
    action: notify

mod-rrl:
  - id: panel
    rate-limit: 200
    slip: 1
    whitelist: [ "127.0.0.0/8", "::1" ]

template:
  - id: default
    global-module: mod-rrl/panel
    storage: "${options.storage}"
    zonefile-load: none
    zonefile-sync: -1
${journalOfZone}
  # Zones are transferred as the primary serves them, signed or unsigned.
  - id: member
    storage: "${options.storage}"
    master: primary
    acl: notify
    zonefile-load: none
    zonefile-sync: -1
${journalOfZone}
    refresh-max-interval: 300

zone:
  - domain: ${catalogName}
    master: primary
    acl: notify
    refresh-max-interval: 60
    catalog-role: interpret
    catalog-template: member
`
}
