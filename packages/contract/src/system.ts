import { z } from 'zod'
import { RemedySentences } from './errors.ts'

export const PartState = z.enum(['ok', 'starting', 'idle', 'missing', 'unreachable'])
export type PartState = z.infer<typeof PartState>

export const PartStatus = z.object({
  status: PartState.meta({
    description:
      '`starting`: being started. `idle`: not used yet; starts on first use. `missing`: not installed. `unreachable`: not responding.'
  }),
  remedy: z.string().optional().meta({ description: 'What to do about a component that is missing or unreachable.' }),
  sentences: RemedySentences.optional()
})
export type PartStatus = z.infer<typeof PartStatus>

export const HealthStatus = z.enum(['ok', 'starting'])

export const Health = z
  .object({
    status: HealthStatus.meta({
      description: '`starting` while any component is; `ok` does not mean that no component is missing or unreachable.'
    }),
    version: z.string(),
    parts: z.record(z.string(), PartStatus)
  })
  .meta({ id: 'Health' })
export type Health = z.infer<typeof Health>

export const PanelUpgradeStatus = z.enum(['PREPARING', 'REFUSED', 'SWITCHING', 'REVERTED', 'COMPLETED'])

export const PanelUpgrade = z
  .object({
    status: PanelUpgradeStatus.meta({
      description:
        '`REFUSED`: the release was not accepted and nothing changed. `REVERTED`: the new version did not run, and the previous one runs with its database as it was.'
    }),
    from: z.string().meta({ description: 'Version before the upgrade.' }),
    to: z.string().nullable().meta({ description: 'Null until the release was verified.' }),
    startedAt: z.string().meta({ format: 'date-time' }),
    endedAt: z.string().nullable().meta({ format: 'date-time' }),
    problem: z.string().nullable()
  })
  .meta({ id: 'PanelUpgrade' })
export type PanelUpgrade = z.infer<typeof PanelUpgrade>

export const StartUpgrade = z
  .object({
    source: z
      .url({ protocol: /^https$/ })
      .max(500)
      .meta({
        description:
          'https URL of the archive or Debian package of a release. The signature is read from the same URL with .minisig.'
      })
  })
  .meta({ id: 'StartUpgrade' })
export type StartUpgrade = z.infer<typeof StartUpgrade>

export const PanelVersion = z
  .object({
    version: z.string(),
    latest: z
      .object({
        version: z.string(),
        url: z.string(),
        security: z.boolean().meta({ description: 'Whether it fixes a security vulnerability.' }),
        seenAt: z.string().meta({ format: 'date-time' })
      })
      .nullable()
      .meta({ description: 'The latest release found by the last check; null if checks are off (UPDATE_FEED_URL).' }),
    isUpdateAvailable: z.boolean(),
    upgradeObstacle: z
      .string()
      .nullable()
      .meta({ description: 'Why this server cannot be upgraded through the API; null if it can.' }),
    upgrade: PanelUpgrade.nullable().meta({ description: 'The last upgrade; null if there was none.' })
  })
  .meta({ id: 'PanelVersion' })
export type PanelVersion = z.infer<typeof PanelVersion>

export const ServerAddresses = z
  .object({
    interfaces: z
      .array(z.object({ address: z.string(), isPublic: z.boolean() }))
      .meta({ description: 'Of the network interfaces, without loopback and containers.' }),
    service: z
      .object({ url: z.string(), address: z.string().nullable(), problem: z.string().nullable() })
      .nullable()
      .meta({ description: 'What PUBLIC_IP_SERVICE answered; null where it is not set.' }),
    publicIp: z.string().nullable().meta({ description: 'PUBLIC_IP, null where it is not set.' }),
    publicIpv6: z.string().nullable().meta({ description: 'PUBLIC_IPV6, or the first public one of an interface.' }),
    suggestedIp: z.string().nullable().meta({ description: 'The public IPv4 address that was found; null if none.' })
  })
  .meta({ id: 'ServerAddresses' })
export type ServerAddresses = z.infer<typeof ServerAddresses>

export const DnsInfoRecordType = z.enum(['A', 'AAAA'])
export const DnsInfoRecord = z
  .object({ type: DnsInfoRecordType, name: z.string(), value: z.string(), purpose: z.string() })
  .meta({ id: 'DnsInfoRecord' })
export type DnsInfoRecord = z.infer<typeof DnsInfoRecord>

export const DnsInfo = z
  .object({
    publicIp: z.string().nullable(),
    domain: z.string().nullable().meta({ description: 'PANEL_DOMAIN.' }),
    baseDomain: z.string(),
    records: z.array(DnsInfoRecord).meta({ description: 'Empty if PANEL_DOMAIN or PUBLIC_IP is not configured.' })
  })
  .meta({ id: 'DnsInfo' })
export type DnsInfo = z.infer<typeof DnsInfo>

/** Best first. */
export const dnsInfoStates = ['Live', 'Not pointed here yet', 'Not found'] as const
export const DnsInfoState = z.enum(dnsInfoStates)
export type DnsInfoState = z.infer<typeof DnsInfoState>

export const DnsInfoVerification = z
  .object({
    publicIp: z.string().nullable(),
    domain: z.string().nullable(),
    baseDomain: z.string(),
    records: z.array(
      DnsInfoRecord.extend({
        state: DnsInfoState,
        probedName: z.string().meta({ description: 'The queried name: for a wildcard, a fixed name below it.' }),
        resolvers: z.array(
          z.object({
            resolver: z.string(),
            state: DnsInfoState,
            values: z.array(z.string()),
            latencyMs: z.int(),
            error: z.string().nullable()
          })
        )
      })
    )
  })
  .meta({ id: 'DnsInfoVerification' })
export type DnsInfoVerification = z.infer<typeof DnsInfoVerification>
