import { z } from 'zod'
import { Id, pageQuery, Pagination, singleLine, Timestamp } from './common.ts'

interface KindFacts {
  title: string
  severity: 'problem' | 'warning' | 'info' | 'good'
  audience: 'owner' | 'admins'
  /** Sent by e-mail where the account has chosen nothing. */
  byEmail?: true
  /** Not kept back by quiet hours. */
  isUrgent?: true
  /** Two kinds with one name are a problem and its end, told of the same subject. */
  pair?: string
  state?: 'problem' | 'recovered'
}

/** All that the panel tells people of. One that has no `state` here may get it from who tells it, as a threshold does. */
const kinds = {
  'deployment-failed': {
    title: 'Deployment failed',
    severity: 'problem',
    audience: 'owner',
    byEmail: true,
    pair: 'deployment',
    state: 'problem'
  },
  'deployment-recovered': {
    title: 'Deployment works again',
    severity: 'good',
    audience: 'owner',
    byEmail: true,
    pair: 'deployment',
    state: 'recovered'
  },
  'site-down': {
    title: 'Site does not answer',
    severity: 'problem',
    audience: 'owner',
    byEmail: true,
    isUrgent: true,
    pair: 'site',
    state: 'problem'
  },
  'site-up': {
    title: 'Site answers again',
    severity: 'good',
    audience: 'owner',
    byEmail: true,
    isUrgent: true,
    pair: 'site',
    state: 'recovered'
  },
  'certificate-failing': {
    title: 'Certificate cannot be renewed',
    severity: 'problem',
    audience: 'owner',
    byEmail: true
  },
  'certificate-expiring': { title: 'Certificate expires', severity: 'warning', audience: 'owner', byEmail: true },
  threshold: { title: 'Server under load', severity: 'warning', audience: 'admins', byEmail: true },
  'disk-nearly-full': {
    title: 'Disk nearly full',
    severity: 'problem',
    audience: 'admins',
    byEmail: true,
    isUrgent: true
  },
  'container-disk': {
    title: 'Container comes near its disk limit',
    severity: 'warning',
    audience: 'owner',
    byEmail: true
  },
  'container-stopped': { title: 'Container stopped', severity: 'problem', audience: 'owner', byEmail: true },
  'sign-in-from-new-place': {
    title: 'Sign-in from a new place',
    severity: 'warning',
    audience: 'owner',
    byEmail: true,
    isUrgent: true
  },
  'quota-nearly-used': { title: 'Quota nearly used', severity: 'warning', audience: 'owner', byEmail: true },
  'mail-held': { title: 'Mail is held as spam', severity: 'problem', audience: 'owner', byEmail: true },
  'mail-limit': { title: 'More mail than allowed', severity: 'problem', audience: 'owner', byEmail: true },
  'import-finished': { title: 'Import finished', severity: 'good', audience: 'owner' },
  'import-failed': { title: 'Import failed', severity: 'problem', audience: 'owner', byEmail: true },
  'update-available': { title: 'Update available', severity: 'info', audience: 'admins' },
  'channel-off': { title: 'Channel switched off', severity: 'warning', audience: 'owner', byEmail: true }
} as const satisfies Record<string, KindFacts>

export type NotificationKind = keyof typeof kinds
export const notificationKinds: Readonly<Record<NotificationKind, KindFacts>> = kinds
export const notificationKindNames = Object.keys(kinds) as [NotificationKind, ...NotificationKind[]]
export const NotificationKind = z.enum(notificationKindNames)

export const notificationStates = ['problem', 'recovered'] as const
export const subjectTypes = [
  'project',
  'domain',
  'certificate',
  'mailbox',
  'account',
  'server',
  'check',
  'channel'
] as const
export type NotificationSubjectType = (typeof subjectTypes)[number]

export const Notification = z
  .object({
    id: Id,
    kind: NotificationKind,
    severity: z.enum(['problem', 'warning', 'info', 'good']),
    title: z.string().meta({ examples: ['Deployment failed'] }),
    subject: z.object({ type: z.enum(subjectTypes), id: z.string(), name: z.string() }),
    state: z.enum(notificationStates).nullable(),
    text: z.string(),
    link: z.string().nullable().meta({ description: 'Where in the panel to see to it: a path.' }),
    readAt: Timestamp.nullable(),
    createdAt: Timestamp
  })
  .meta({ id: 'Notification' })
export type Notification = z.infer<typeof Notification>

export const NotificationQuery = z.object({
  ...pageQuery(20, 100),
  unread: z.stringbool().optional().meta({ description: 'Only those that are not read (true) or that are (false).' })
})
export type NotificationQuery = z.infer<typeof NotificationQuery>

export const NotificationList = z
  .object({ notifications: z.array(Notification), unread: z.int(), pagination: Pagination })
  .meta({ id: 'NotificationList' })
export type NotificationList = z.infer<typeof NotificationList>

export const UnreadCount = z.object({ unread: z.int() }).meta({ id: 'UnreadCount' })
export type UnreadCount = z.infer<typeof UnreadCount>

export const channelTypes = ['EMAIL', 'WEBHOOK', 'SLACK', 'DISCORD', 'TELEGRAM', 'NTFY', 'GOTIFY'] as const
export type ChannelType = (typeof channelTypes)[number]
export const deliveryStatuses = ['WAITING', 'SENDING', 'SENT', 'FAILED'] as const
export type NotificationDeliveryStatus = (typeof deliveryStatuses)[number]

export const channelName = singleLine(60).min(1)
