import { z } from 'zod'
import { words } from './details.ts'
import { Id, singleLine, Timestamp } from './common.ts'

export const firewallActions = ['ALLOW', 'DENY'] as const
export const FirewallAction = z.enum(firewallActions)
export type FirewallAction = z.infer<typeof FirewallAction>

export const firewallProtocols = ['TCP', 'UDP', 'TCP_UDP', 'ANY'] as const
export const FirewallProtocol = z
  .enum(firewallProtocols)
  .meta({ description: '`ANY`: every protocol; such a rule has no ports.' })
export type FirewallProtocol = z.infer<typeof FirewallProtocol>

const addressOrNetwork = z.union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()])
// Packets never carry IPv4-mapped addresses: such a rule would match nothing.
export const isAddressOrNetwork = (text: string): boolean =>
  addressOrNetwork.safeParse(text).success && !/^::ffff:/i.test(text)

/** `443` or `8000-8100`. */
export const firewallPortPattern = /^[1-9]\d{0,4}(-[1-9]\d{0,4})?$/

function isPorts(text: string): boolean {
  if (!firewallPortPattern.test(text)) return false
  const [first, last = first] = text.split('-').map(Number) as [number, number?]
  return first <= last && last <= 65_535
}

const FirewallPorts = z
  .string()
  .max(11)
  .refine(isPorts, { error: words.FIREWALL_PORTS })
  .meta({ examples: ['443'] })

export const FirewallRule = z
  .object({
    action: FirewallAction,
    protocol: FirewallProtocol,
    ports: z
      .array(FirewallPorts)
      .max(32)
      .meta({ description: 'Destination ports and ranges, such as `443` or `8000-8100`. Empty: every port.' }),
    source: z
      .string()
      .max(64)
      .refine(isAddressOrNetwork, { error: words.FIREWALL_SOURCE })
      .nullable()
      .meta({
        examples: ['203.0.113.0/24'],
        description: 'An IPv4 or IPv6 address, or a network in CIDR notation. Null: everyone.'
      }),
    note: singleLine(200).meta({ examples: ['Office'], description: 'For people; the packet filter never sees it.' }),
    enabled: z.boolean()
  })
  .refine(({ protocol, ports }) => protocol !== 'ANY' || ports.length === 0, {
    error: words.FIREWALL_ANY_PORTS,
    path: ['ports']
  })
  .meta({ id: 'FirewallRule' })
export type FirewallRule = z.infer<typeof FirewallRule>

const ruleset = {
  defaultAction: FirewallAction.meta({ description: 'What happens to a connection that no rule matches.' }),
  rules: z.array(FirewallRule).max(200).meta({ description: 'In order: the first rule that matches decides.' })
}

export const FirewallRuleset = z.object({ enabled: z.boolean(), ...ruleset }).meta({ id: 'FirewallRuleset' })
export type FirewallRuleset = z.infer<typeof FirewallRuleset>

export const firewallServices = [
  'SSH',
  'PANEL',
  'WEB',
  'TCP_PORTS',
  'SFTP',
  'DNS',
  'SMTP',
  'SUBMISSION',
  'IMAP',
  'MANAGESIEVE'
] as const
export const FirewallService = z.enum(firewallServices)
export type FirewallService = z.infer<typeof FirewallService>

export const FirewallPreset = z
  .object({
    service: FirewallService,
    protocol: FirewallProtocol,
    ports: z.array(z.string().meta({ examples: ['443'] })),
    open: z.boolean().meta({ description: 'Whether the saved rules, if enabled, let everyone reach all these ports.' })
  })
  .meta({ id: 'FirewallPreset' })
export type FirewallPreset = z.infer<typeof FirewallPreset>

export const PendingFirewallChange = FirewallRuleset.extend({
  id: Id,
  deadline: Timestamp.meta({ description: 'The change is reverted at this time unless it is confirmed.' }),
  requestedBy: Id.nullable().meta({ examples: ['01j9zk3v5wq8r7t2m4n6p8s0ab'] })
}).meta({ id: 'PendingFirewallChange' })

export const FirewallState = FirewallRuleset.extend({
  version: z.int().meta({ description: 'Send it back with a change; it increases with every change.' }),
  pending: PendingFirewallChange.nullable().meta({
    description: 'A change that is in force on trial, until it is confirmed or its deadline passes.'
  }),
  presets: z.array(FirewallPreset).meta({ description: 'The services of this server that others connect to.' }),
  confirmSeconds: z.int().meta({ description: 'How long a change stays in force without confirmation.' }),
  yourAddress: z
    .string()
    .nullable()
    .meta({ examples: ['203.0.113.7'], description: 'The address that this request came from.' })
}).meta({ id: 'FirewallState' })
export type FirewallState = z.infer<typeof FirewallState>

const change = {
  version: z.int().min(0),
  allowSshLockout: z.boolean().default(false).meta({
    description: 'Accept rules that block SSH from the address of this request.'
  })
}

export const SaveFirewall = FirewallRuleset.extend(change)
export type SaveFirewall = z.infer<typeof SaveFirewall>

export const FirewallExport = z
  .object({ format: z.literal('panel-firewall'), formatVersion: z.literal(1), ...ruleset })
  .meta({ id: 'FirewallExport' })
export type FirewallExport = z.infer<typeof FirewallExport>

export const ImportFirewall = z.object({ ...change, document: FirewallExport })
export type ImportFirewall = z.infer<typeof ImportFirewall>

export const ConfirmFirewall = z.object({
  changeId: Id.meta({ description: '`pending.id` of the change to confirm.' })
})
