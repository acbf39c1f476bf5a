import type {
  FirewallAction,
  FirewallPreset,
  FirewallRule,
  FirewallRuleset,
  FirewallService
} from '@panel/contract/firewall'
import type { Config } from '../../config.ts'
import { publishedPorts } from '../../config/tcp-ports.ts'
import type { ServerRuleset } from '../../infra/server-firewall/server-firewall.ts'
import { portRanges } from '../../net/port-ranges.ts'
import { isLoopback, networkContains, plainAddress } from '../../net/plain-address.ts'

type Protocol = 'TCP' | 'UDP'
type Rules = Pick<FirewallRuleset, 'defaultAction' | 'rules'>

interface Connection {
  /** An address; null: everyone, so that only rules for everyone count as allowing it. */
  source: string | null
  protocol: Protocol
  port: number
}

/** What the rules do with a new connection. The first enabled rule that matches decides. */
export function decide({ defaultAction, rules }: Rules, connection: Connection): FirewallAction {
  for (const rule of rules) {
    if (!rule.enabled || !coversProtocol(rule, connection.protocol) || !coversPort(rule, connection.port)) continue
    if (connection.source === null) {
      // A rule that denies one address still denies it to a part of everyone.
      if (rule.source === null || rule.action === 'DENY') return rule.action
      continue
    }
    if (rule.source === null || networkContains(rule.source, connection.source)) return rule.action
  }
  return defaultAction
}

export interface Caller {
  /** The address that reaches the panel's port: the client's, or that of a trusted proxy in front. */
  peer: string
  /** The client's address, which SSH connections come from. */
  client: string
  panelPort: number
}

export interface Lockout {
  service: 'PANEL' | 'SSH'
  address: string
  port: number
}

/** How these rules would shut out the caller; undefined if they do not. Connections over loopback always pass. */
export function findLockout(
  ruleset: FirewallRuleset,
  caller: Caller,
  sshPorts: readonly number[]
): Lockout | undefined {
  if (!ruleset.enabled) return undefined
  const peer = plainAddress(caller.peer)
  const client = plainAddress(caller.client)
  const isBlocked = (source: string, port: number) =>
    !isLoopback(source) && decide(ruleset, { source, protocol: 'TCP', port }) === 'DENY'
  if (isBlocked(peer, caller.panelPort)) return { service: 'PANEL', address: peer, port: caller.panelPort }
  const port = sshPorts.find((each) => isBlocked(client, each))
  return port === undefined ? undefined : { service: 'SSH', address: client, port }
}

/** Whether both rulesets give the packet filter the same rules: notes and disabled rules do not matter to it. */
export const isSameFilter = (one: FirewallRuleset, other: FirewallRuleset): boolean =>
  JSON.stringify(filterOf(one)) === JSON.stringify(filterOf(other))

/** What the packet filter gets; undefined: no firewall. */
export function filterOf({ enabled, defaultAction, rules }: FirewallRuleset): ServerRuleset | undefined {
  if (!enabled) return undefined
  const used = rules.filter((rule) => rule.enabled)
  return {
    defaultAction,
    // In this order, because jsonb does not keep that of members.
    rules: used.map(({ action, protocol, ports, source }) => ({ action, protocol, ports, source }))
  }
}

type Ports = Pick<
  Config,
  | 'DNS_PORT'
  | 'IMAPS_PORT'
  | 'IMAP_PORT'
  | 'MAIL'
  | 'MANAGESIEVE_PORT'
  | 'PORT'
  | 'PROXY_HTTPS_PORT'
  | 'PROXY_HTTP_PORT'
  | 'SFTP_PORT'
  | 'SMTP_PORT'
  | 'SUBMISSIONS_PORT'
  | 'SUBMISSION_PORT'
  | 'TCP_PORTS'
  | 'TCP_TLS_PORT'
>

/** The services of this server that people on the Internet use. Databases are for containers only. */
export function listPresets(config: Ports, sshPorts: readonly number[], rules: Rules): FirewallPreset[] {
  const preset = (
    service: FirewallService,
    protocol: 'TCP' | 'TCP_UDP',
    numbers: readonly number[]
  ): FirewallPreset => {
    const ports = [...new Set(numbers)]
    const protocols: Protocol[] = protocol === 'TCP' ? ['TCP'] : ['TCP', 'UDP']
    const open = ports.every((port) =>
      protocols.every((each) => decide(rules, { source: null, protocol: each, port }) === 'ALLOW')
    )
    return { service, protocol, ports: portRanges(ports), open }
  }
  const published = publishedPorts(config)
  const isOwnSftp = !sshPorts.includes(config.SFTP_PORT)
  return [
    ...(sshPorts.length > 0 ? [preset('SSH', 'TCP', sshPorts)] : []),
    preset('WEB', 'TCP', [config.PROXY_HTTP_PORT, config.PROXY_HTTPS_PORT]),
    ...(published.length > 0 ? [preset('TCP_PORTS', 'TCP', published)] : []),
    preset('PANEL', 'TCP', [config.PORT]),
    ...(isOwnSftp ? [preset('SFTP', 'TCP', [config.SFTP_PORT])] : []),
    preset('DNS', 'TCP_UDP', [config.DNS_PORT]),
    ...(config.MAIL
      ? [
          preset('SMTP', 'TCP', [config.SMTP_PORT]),
          preset('SUBMISSION', 'TCP', [config.SUBMISSION_PORT, config.SUBMISSIONS_PORT]),
          preset('IMAP', 'TCP', [config.IMAP_PORT, config.IMAPS_PORT]),
          preset('MANAGESIEVE', 'TCP', [config.MANAGESIEVE_PORT])
        ]
      : [])
  ]
}

const coversProtocol = ({ protocol }: FirewallRule, wanted: Protocol): boolean =>
  protocol === 'ANY' || protocol === wanted || protocol === 'TCP_UDP'

const coversPort = ({ ports }: FirewallRule, port: number): boolean =>
  ports.length === 0 ||
  ports.some((text) => {
    const [first, last = first] = text.split('-').map(Number) as [number, number?]
    return first <= port && port <= last
  })
