import { z } from 'zod'
import { certificateStatuses } from './certificates.ts'
import { DeploymentStatus } from './deployments.ts'
import { DnsMode, domainStatuses } from './domains.ts'
import { ErrorBody, ErrorCode } from './errors.ts'
import { AlertThreshold } from './monitoring.ts'
import { mailboxImportStatuses } from './mailbox-imports.ts'
import { NotificationKind } from './notifications.ts'
import { UptimeState } from './uptime-checks.ts'
import { importStatuses, ImportStep } from './wordpress.ts'

/** For objects without an event of their own. Also sent, without an id, if more than 20 of a type change at once. */
const changedTypes = [
  'account',
  'ban',
  'certificate',
  'database',
  'deployment',
  'dns-records',
  'domain',
  'import',
  'mail-alias',
  'mailbox',
  'process',
  'project',
  'run',
  'sftp',
  'variables'
] as const
export const ChangedType = z.enum(changedTypes)
export type ChangedType = z.infer<typeof ChangedType>

const gone = 'REMOVED'
export const DomainChangeStatus = z.enum([...domainStatuses, gone])
export type DomainChangeStatus = z.infer<typeof DomainChangeStatus>
export const CertificateChangeStatus = z.enum([...certificateStatuses, gone])
export type CertificateChangeStatus = z.infer<typeof CertificateChangeStatus>
export const ImportKind = z.enum(['wordpress', 'mailbox'])
export type ImportKind = z.infer<typeof ImportKind>
export const ImportChangeStatus = z.enum([...new Set([...importStatuses, ...mailboxImportStatuses])])
export type ImportChangeStatus = z.infer<typeof ImportChangeStatus>

/** Sent without a subscription. Events only announce changes; clients read the data through the API. */
export const liveEvents = {
  uptime: z.object({ projectId: z.string(), checkId: z.string(), state: UptimeState }),
  'deployment:status': z.object({
    projectId: z.string(),
    deploymentId: z.string(),
    status: DeploymentStatus
  }),
  /** Added, verified, moved to another project or mode; REMOVED when deleted. */
  domain: z.object({
    domainId: z.string(),
    projectId: z.string().nullable(),
    status: DomainChangeStatus,
    dnsMode: DnsMode
  }),
  certificate: z.object({
    domainId: z.string(),
    projectId: z.string().nullable(),
    status: CertificateChangeStatus
  }),
  /** A WordPress import, with its step, or a mailbox import, with its progress. */
  import: z.object({
    kind: ImportKind,
    importId: z.string(),
    projectId: z.string().nullable(),
    mailboxId: z.string().nullable(),
    status: ImportChangeStatus,
    step: ImportStep.nullable(),
    percent: z.int().nullable()
  }),
  'alert:threshold': AlertThreshold,
  /** Created, changed or deleted. Variables and DNS records carry the id of their project or domain. */
  changed: z.object({ type: ChangedType, id: z.string().nullable(), projectId: z.string().nullable() }),
  /** Without an id if several were read; without a kind if none is new. */
  notification: z.object({ id: z.string().nullable(), kind: NotificationKind.nullable(), unread: z.int() })
} as const

export type LiveEventName = keyof typeof liveEvents
export type LiveEvents = { [Name in LiveEventName]: z.infer<(typeof liveEvents)[Name]> }

export const LiveAnswer = z.union([
  z.object({ ok: z.literal(true), id: z.string() }),
  z.object({
    ok: z.literal(false),
    error: z.object({
      code: ErrorCode,
      message: z.string(),
      details: ErrorBody.shape.details
    })
  })
])
export type LiveAnswer = z.infer<typeof LiveAnswer>

/** Sent as `ended:<name>` when a subscription ends; without `error` if it is complete. */
export const LiveEnded = z.object({
  id: z.string(),
  error: z.object({ code: ErrorCode, message: z.string() }).optional()
})
export type LiveEnded = z.infer<typeof LiveEnded>
