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

/** What has no event of its own says `changed`; and so does everything of which more than 20 change at once, with no id. */
const changedTypes = [
  'account',
  'certificate',
  'database',
  'deployment',
  'dns-records',
  'domain',
  'import',
  'mail-alias',
  'mailbox',
  'project',
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

/**
 * What the live channel sends to an account's clients without being asked for: that something of theirs has changed. Its content is the
 * API's to give, under the API's permissions. By name, as Socket.IO has it.
 */
export const liveEvents = {
  /** An uptime check stands otherwise. */
  uptime: z.object({ projectId: z.string(), checkId: z.string(), state: UptimeState }),
  'deployment:status': z.object({
    projectId: z.string(),
    deploymentId: z.string(),
    status: DeploymentStatus
  }),
  /** Added, verified, pointed elsewhere, in another mode; REMOVED when it is gone. */
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
  /** Of a WordPress site into a project, with its step; of mail into a mailbox, with how much of the messages is done. */
  import: z.object({
    kind: ImportKind,
    importId: z.string(),
    projectId: z.string().nullable(),
    mailboxId: z.string().nullable(),
    status: ImportChangeStatus,
    step: ImportStep.nullable(),
    percent: z.int().nullable()
  }),
  /** To every ADMIN, when a figure of the server has gone above its threshold. */
  'alert:threshold': AlertThreshold,
  /** Made, changed or gone. Variables and DNS records have the id of their project and their domain. */
  changed: z.object({ type: ChangedType, id: z.string().nullable(), projectId: z.string().nullable() }),
  /** Without an id where several were read, without a kind where nothing is new. */
  notification: z.object({ id: z.string().nullable(), kind: NotificationKind.nullable(), unread: z.int() })
} as const

export type LiveEventName = keyof typeof liveEvents
export type LiveEvents = { [Name in LiveEventName]: z.infer<(typeof liveEvents)[Name]> }

/** How `subscribe:<name>` is answered to a client that asks for an answer. */
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

/** Sent as `ended:<name>`: a subscription has ended, without `error` as there is nothing more to come. */
export const LiveEnded = z.object({
  id: z.string(),
  error: z.object({ code: ErrorCode, message: z.string() }).optional()
})
export type LiveEnded = z.infer<typeof LiveEnded>
