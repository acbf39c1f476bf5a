import { z } from 'zod'
import { Id, pageQuery, Pagination, sentencesOf, singleLine, Timestamp } from './common.ts'
import { words } from './details.ts'
import { secret } from './field-scope.ts'
import { notificationTexts } from './notification-texts.ts'
import type { notificationTitles } from './notification-titles.ts'

interface KindFacts {
  severity: 'problem' | 'warning' | 'info' | 'good'
  audience: 'owner' | 'admins'
  /** Sent by email unless the account has chosen channels for it. */
  byEmail?: true
  /** Ignores quiet hours. */
  isUrgent?: true
  /** Two kinds with the same pair are a problem and its recovery, for the same subject. */
  pair?: string
  state?: 'problem' | 'recovered'
}

/** All notification kinds. A kind without `state` may get it from the sender, as thresholds do. */
const kinds = {
  'deployment-failed': {
    severity: 'problem',
    audience: 'owner',
    byEmail: true,
    pair: 'deployment',
    state: 'problem'
  },
  'deployment-recovered': {
    severity: 'good',
    audience: 'owner',
    byEmail: true,
    pair: 'deployment',
    state: 'recovered'
  },
  'site-down': {
    severity: 'problem',
    audience: 'owner',
    byEmail: true,
    isUrgent: true,
    pair: 'site',
    state: 'problem'
  },
  'site-up': {
    severity: 'good',
    audience: 'owner',
    byEmail: true,
    isUrgent: true,
    pair: 'site',
    state: 'recovered'
  },
  'certificate-failing': {
    severity: 'problem',
    audience: 'owner',
    byEmail: true
  },
  'certificate-expiring': { severity: 'warning', audience: 'owner', byEmail: true },
  threshold: { severity: 'warning', audience: 'admins', byEmail: true },
  'disk-nearly-full': {
    severity: 'problem',
    audience: 'admins',
    byEmail: true,
    isUrgent: true
  },
  'container-disk': {
    severity: 'warning',
    audience: 'owner',
    byEmail: true
  },
  'volume-full': { severity: 'warning', audience: 'owner', byEmail: true },
  'container-out-of-memory': { severity: 'problem', audience: 'owner', byEmail: true },
  'container-stopped': { severity: 'problem', audience: 'owner', byEmail: true },
  'sign-in-from-new-place': {
    severity: 'warning',
    audience: 'owner',
    byEmail: true,
    isUrgent: true
  },
  'quota-nearly-used': { severity: 'warning', audience: 'owner', byEmail: true },
  'mail-held': { severity: 'problem', audience: 'owner', byEmail: true },
  'mail-limit': { severity: 'problem', audience: 'owner', byEmail: true },
  'import-finished': { severity: 'good', audience: 'owner' },
  'wordpress-update-failed': { severity: 'problem', audience: 'owner', byEmail: true },
  'import-failed': { severity: 'problem', audience: 'owner', byEmail: true },
  'account-restored': { severity: 'good', audience: 'admins' },
  'account-restore-failed': { severity: 'problem', audience: 'admins', byEmail: true },
  'backup-drill-failed': { severity: 'problem', audience: 'admins', byEmail: true },
  'backup-failed': { severity: 'problem', audience: 'admins', byEmail: true },
  'scheduled-job-failed': { severity: 'problem', audience: 'owner', byEmail: true },
  'worker-out-of-memory': { severity: 'problem', audience: 'owner', byEmail: true },
  'instance-restarted': { severity: 'warning', audience: 'owner', byEmail: true },
  'image-newer': { severity: 'info', audience: 'owner' },
  'worker-crashing': { severity: 'problem', audience: 'owner', byEmail: true },
  'addresses-banned': { severity: 'info', audience: 'admins' },
  'update-available': { severity: 'info', audience: 'admins' },
  'upgrade-finished': { severity: 'good', audience: 'admins' },
  'upgrade-failed': { severity: 'problem', audience: 'admins', byEmail: true },
  'machine-away': {
    severity: 'problem',
    audience: 'admins',
    byEmail: true,
    isUrgent: true,
    pair: 'machine',
    state: 'problem'
  },
  'machine-back': { severity: 'good', audience: 'admins', byEmail: true, pair: 'machine', state: 'recovered' },
  'channel-off': { severity: 'warning', audience: 'owner', byEmail: true }
} as const satisfies Record<keyof typeof notificationTitles, KindFacts>

export type NotificationKind = keyof typeof kinds
export const notificationKinds: Readonly<Record<NotificationKind, KindFacts>> = kinds
export const notificationKindNames = Object.keys(kinds) as [NotificationKind, ...NotificationKind[]]
export const NotificationKind = z.enum(notificationKindNames)

export const NotificationSeverity = z.enum(['problem', 'warning', 'info', 'good'])
export type NotificationSeverity = z.infer<typeof NotificationSeverity>

const notificationStates = ['problem', 'recovered'] as const
export const NotificationState = z.enum(notificationStates)
export type NotificationState = z.infer<typeof NotificationState>
const subjectTypes = ['project', 'domain', 'certificate', 'mailbox', 'account', 'server', 'check', 'channel'] as const
export const NotificationSubjectType = z.enum(subjectTypes)
export type NotificationSubjectType = z.infer<typeof NotificationSubjectType>

export const Notification = z
  .object({
    id: Id,
    kind: NotificationKind,
    severity: NotificationSeverity,
    title: z.string().meta({ examples: ['Deployment failed'] }),
    subject: z.object({ type: NotificationSubjectType, id: z.string(), name: z.string() }),
    state: NotificationState.nullable(),
    text: z.string(),
    sentences: sentencesOf('NotificationCode', notificationTexts),
    link: z.string().nullable().meta({ description: 'Page in the dashboard that shows the subject: a path.' }),
    readAt: Timestamp.nullable(),
    createdAt: Timestamp
  })
  .meta({ id: 'Notification' })
export type Notification = z.infer<typeof Notification>

export const NotificationQuery = z.object({
  ...pageQuery(20, 100),
  unread: z.stringbool().optional().meta({ description: 'Only unread notifications (true) or only read ones (false).' })
})
export type NotificationQuery = z.infer<typeof NotificationQuery>

export const NotificationList = z
  .object({ notifications: z.array(Notification), unread: z.int(), pagination: Pagination })
  .meta({ id: 'NotificationList' })
export type NotificationList = z.infer<typeof NotificationList>

export const ReadNotification = z.object({ isRead: z.literal(true) })

export const UnreadCount = z.object({ unread: z.int() }).meta({ id: 'UnreadCount' })
export type UnreadCount = z.infer<typeof UnreadCount>

export const channelTypes = ['EMAIL', 'WEBHOOK', 'SLACK', 'DISCORD', 'TELEGRAM', 'NTFY', 'GOTIFY'] as const
export const ChannelType = z.enum(channelTypes)
export type ChannelType = z.infer<typeof ChannelType>
export const deliveryStatuses = ['WAITING', 'SENDING', 'SENT', 'FAILED'] as const
export const NotificationDeliveryStatus = z.enum(deliveryStatuses)
export type NotificationDeliveryStatus = z.infer<typeof NotificationDeliveryStatus>

export const channelName = singleLine(60).min(1)

const webAddress = z.url({ protocol: /^https?$/, error: words.HOOK_ADDRESS }).max(1_000)
const token = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\x21-\x7e]+$/, words.LETTERS_WITHOUT_SPACES)

/** Settings per channel type. Each account has one EMAIL channel from the start, for its own address. */
export const CreateChannel = z.discriminatedUnion('type', [
  z.object({ type: z.literal('WEBHOOK'), name: channelName, url: webAddress }),
  z.object({ type: z.literal('SLACK'), name: channelName, url: webAddress }),
  z.object({ type: z.literal('DISCORD'), name: channelName, url: webAddress }),
  z.object({
    type: z.literal('TELEGRAM'),
    name: channelName,
    botToken: z.string().regex(/^\d{1,20}:[\w-]{10,100}$/, words.BOT_TOKEN),
    chatId: z.string().regex(/^(-?\d{1,20}|@\w{1,64})$/, words.CHAT)
  }),
  z.object({
    type: z.literal('NTFY'),
    name: channelName,
    url: webAddress,
    topic: z.string().regex(/^[\w-]{1,64}$/, words.TOPIC),
    token: token(200).optional()
  }),
  z.object({ type: z.literal('GOTIFY'), name: channelName, url: webAddress, token: token(200) })
])
export type CreateChannel = z.infer<typeof CreateChannel>

export const ChangeChannel = z.object({ name: channelName.optional(), isEnabled: z.boolean().optional() })
export type ChangeChannel = z.infer<typeof ChangeChannel>

export const NotificationChannel = z
  .object({
    id: Id,
    type: ChannelType,
    name: z.string(),
    target: z.string().meta({ description: 'Destination without its secret parts.', examples: ['hooks.example.com'] }),
    isEnabled: z.boolean(),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Why the last delivery failed, or why the channel was disabled.' }),
    failingSince: Timestamp.nullable(),
    lastSentAt: Timestamp.nullable(),
    createdAt: Timestamp
  })
  .meta({ id: 'NotificationChannel' })
export type NotificationChannel = z.infer<typeof NotificationChannel>

export const CreatedChannel = NotificationChannel.extend({
  signingSecret: secret(z.string().nullable()).meta({
    description:
      'For a WEBHOOK, shown only once: `x-panel-signature` is `sha256=` and the HMAC-SHA256 of `<x-panel-timestamp>.<body>` with it.'
  })
}).meta({ id: 'CreatedNotificationChannel' })
export type CreatedChannel = z.infer<typeof CreatedChannel>

export const NotificationChannelList = z
  .object({ channels: z.array(NotificationChannel) })
  .meta({ id: 'NotificationChannelList' })

export const ChannelTest = z
  .object({ isDelivered: z.boolean(), message: z.string(), responseCode: z.int().nullable() })
  .meta({ id: 'NotificationChannelTest' })
export type ChannelTest = z.infer<typeof ChannelTest>

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, words.CLOCK_TIME)
const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const NotificationPreferences = z
  .object({
    quietHours: z
      .object({
        from: clockTime.meta({ examples: ['22:00'] }),
        to: clockTime.meta({ examples: ['07:00'] }),
        timezone: z
          .string()
          .max(64)
          .refine(isTimeZone, words.TIME_ZONE)
          .meta({ examples: ['Europe/Berlin'] })
      })
      .nullable()
      .meta({ description: 'Notifications that are not urgent wait until they end and arrive as one message.' }),
    channels: z.partialRecord(NotificationKind, z.array(Id).max(20)).meta({
      description: 'Channel ids by kind. A kind that is not listed uses the defaults: problems by email.'
    })
  })
  .meta({ id: 'NotificationPreferences' })
export type NotificationPreferences = z.infer<typeof NotificationPreferences>

export const DeliveryQuery = z.object(pageQuery(20, 100))
export const NotificationDelivery = z
  .object({
    id: Id,
    channelId: Id.nullable(),
    channelType: ChannelType,
    channelName: z.string(),
    status: NotificationDeliveryStatus,
    notificationIds: z.array(Id),
    count: z.int(),
    isTest: z.boolean(),
    attempts: z.int(),
    dueAt: Timestamp,
    lastError: z.string().nullable(),
    responseCode: z.int().nullable(),
    createdAt: Timestamp,
    endedAt: Timestamp.nullable()
  })
  .meta({ id: 'NotificationDelivery' })
export type NotificationDelivery = z.infer<typeof NotificationDelivery>
export const NotificationDeliveryList = z
  .object({ deliveries: z.array(NotificationDelivery), pagination: Pagination })
  .meta({ id: 'NotificationDeliveryList' })
export type NotificationDeliveryList = z.infer<typeof NotificationDeliveryList>
