import {
  channelTypes,
  deliveryStatuses,
  type Notification,
  type NotificationKind,
  type NotificationSubjectType
} from '@panel/contract/notifications'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgEnum, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { at, createdAt, updatedAt } from './columns.ts'
import { users } from './users.ts'

export const notificationChannelType = pgEnum('notification_channel_type', channelTypes)
export const notificationDeliveryStatus = pgEnum('notification_delivery_status', deliveryStatuses)

const ownerId = () =>
  text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** Kinds are stored as text, so that a version that no longer knows one can skip it. */
export const notifications = pgTable(
  'notifications',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    kind: text('kind').$type<NotificationKind>().notNull(),
    subjectType: text('subject_type').$type<NotificationSubjectType>().notNull(),
    subjectId: text('subject_id').notNull(),
    subjectName: text('subject_name').notNull(),
    state: text('state').$type<'problem' | 'recovered'>(),
    text: text('text').notNull(),
    // The text as codes, for translation; empty for custom texts.
    sentences: jsonb('sentences').$type<Notification['sentences']>().notNull().default([]),
    link: text('link'),
    readAt: at('read_at'),
    plannedAt: at('planned_at'),
    createdAt: createdAt()
  },
  (t) => [
    index('notifications_user').on(t.userId, t.createdAt, t.id),
    index('notifications_unread')
      .on(t.userId)
      .where(sql`read_at is null`),
    index('notifications_created').on(t.createdAt)
  ]
)

/** `secret` is sealed JSON. It includes addresses, because webhook URLs of most services are credentials. */
export const notificationChannels = pgTable(
  'notification_channels',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    type: notificationChannelType('type').notNull(),
    name: text('name').notNull(),
    target: text('target').notNull(),
    secret: text('secret'),
    isEnabled: boolean('is_enabled').notNull().default(true),
    problem: text('problem'),
    failingSince: at('failing_since'),
    lastSentAt: at('last_sent_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [index('notification_channels_user').on(t.userId)]
)

/** A message to a channel about one notification, or a digest of several. Its id is part of the message. */
export const notificationDeliveries = pgTable(
  'notification_deliveries',
  {
    id: text('id').primaryKey(),
    userId: ownerId(),
    channelId: text('channel_id').references(() => notificationChannels.id, { onDelete: 'set null' }),
    channelType: notificationChannelType('channel_type').notNull(),
    channelName: text('channel_name').notNull(),
    status: notificationDeliveryStatus('status').notNull(),
    notificationIds: jsonb('notification_ids').$type<string[]>().notNull(),
    count: integer('count').notNull().default(1),
    kinds: jsonb('kinds').$type<Partial<Record<NotificationKind, number>>>().notNull(),
    isTest: boolean('is_test').notNull().default(false),
    // Others may be added until it is sent.
    isDigest: boolean('is_digest').notNull().default(false),
    note: text('note').$type<'FLAPPING'>(),
    attempts: integer('attempts').notNull().default(0),
    dueAt: at('due_at').notNull(),
    lastError: text('last_error'),
    responseCode: integer('response_code'),
    createdAt: createdAt(),
    endedAt: at('ended_at')
  },
  (t) => [
    index('notification_deliveries_user').on(t.userId, t.createdAt, t.id),
    index('notification_deliveries_channel').on(t.channelId, t.createdAt),
    index('notification_deliveries_open')
      .on(t.dueAt)
      .where(sql`ended_at is null`),
    index('notification_deliveries_created').on(t.createdAt)
  ]
)

export const notificationPreferences = pgTable('notification_preferences', {
  userId: ownerId().primaryKey(),
  timezone: text('timezone'),
  quietFrom: text('quiet_from'),
  quietTo: text('quiet_to'),
  choices: jsonb('choices').$type<Partial<Record<NotificationKind, string[]>>>().notNull().default({}),
  updatedAt: updatedAt()
})

/** Recent notifications per subject, to damp flapping. */
export const notificationSubjects = pgTable(
  'notification_subjects',
  {
    userId: ownerId(),
    pair: text('pair').notNull(),
    subjectType: text('subject_type').notNull(),
    subjectId: text('subject_id').notNull(),
    toldState: text('told_state').$type<'problem' | 'recovered'>(),
    // Milliseconds since the epoch, latest last.
    toldAt: jsonb('told_at').$type<number[]>().notNull(),
    heldId: text('held_id'),
    settleAt: at('settle_at'),
    updatedAt: updatedAt()
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.pair, t.subjectType, t.subjectId] }),
    index('notification_subjects_settle').on(t.settleAt),
    index('notification_subjects_updated').on(t.updatedAt)
  ]
)
