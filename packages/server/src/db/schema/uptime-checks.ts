import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgEnum, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import {
  uptimeMethods,
  uptimePauses,
  uptimeProtocols,
  uptimeReasons,
  uptimeStates,
  uptimeTextModes
} from '@panel/contract/uptime-checks'
import { at, createdAt, updatedAt } from './columns.ts'
import { projects } from './projects.ts'
import { users } from './users.ts'

export const uptimeState = pgEnum('uptime_state', uptimeStates)
export const uptimeReason = pgEnum('uptime_reason', uptimeReasons)
export const uptimePause = pgEnum('uptime_pause', uptimePauses)
export const uptimeProtocol = pgEnum('uptime_protocol', uptimeProtocols)
export const uptimeMethod = pgEnum('uptime_method', uptimeMethods)
export const uptimeTextMode = pgEnum('uptime_text_mode', uptimeTextModes)
export const uptimeOutcome = pgEnum('uptime_outcome', ['up', 'down', 'unknown'])

export const uptimeChecks = pgTable(
  'uptime_checks',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    hostname: text('hostname').notNull(),
    protocol: uptimeProtocol('protocol').notNull(),
    path: text('path').notNull(),
    method: uptimeMethod('method').notNull(),
    expectedStatus: text('expected_status').notNull(),
    text: text('text'),
    textMode: uptimeTextMode('text_mode').notNull(),
    intervalMinutes: smallint('interval_minutes').notNull(),
    timeoutSeconds: smallint('timeout_seconds').notNull(),
    retries: smallint('retries').notNull(),
    onStatusPage: boolean('on_status_page').notNull(),
    state: uptimeState('state').notNull().default('UNKNOWN'),
    stateSince: at('state_since').notNull(),
    pause: uptimePause('pause'),
    // Outcomes since the state was reached, latest last: `u` or `d` each, as many as count (uptime.machine.ts).
    recent: text('recent').notNull().default(''),
    failingSince: at('failing_since'),
    // Null while paused by the owner. The worker that takes a run advances it.
    nextRunAt: at('next_run_at'),
    // Time of the last run taken: only the worker that took it may record the result.
    takenAt: at('taken_at'),
    lastRunAt: at('last_run_at'),
    lastKnownAt: at('last_known_at'),
    lastStatus: smallint('last_status'),
    lastReason: uptimeReason('last_reason'),
    lastMs: integer('last_ms'),
    tlsDaysLeft: integer('tls_days_left'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    index('uptime_checks_due')
      .on(t.nextRunAt)
      .where(sql`next_run_at is not null`),
    index('uptime_checks_list').on(t.projectId, t.createdAt, t.id),
    index('uptime_checks_user').on(t.userId)
  ]
)

export const uptimeResults = pgTable(
  'uptime_results',
  {
    checkId: text('check_id')
      .notNull()
      .references(() => uptimeChecks.id, { onDelete: 'cascade' }),
    at: at('at').notNull(),
    outcome: uptimeOutcome('outcome').notNull(),
    status: smallint('status'),
    ms: integer('ms'),
    reason: uptimeReason('reason'),
    tlsDaysLeft: integer('tls_days_left')
  },
  (t) => [primaryKey({ columns: [t.checkId, t.at] }), index('uptime_results_at').on(t.at)]
)

/** Hourly sums (UTC), updated with each run; a run covers the time since the previous one. */
export const uptimeHours = pgTable(
  'uptime_hours',
  {
    checkId: text('check_id')
      .notNull()
      .references(() => uptimeChecks.id, { onDelete: 'cascade' }),
    hour: at('hour').notNull(),
    upSeconds: integer('up_seconds').notNull(),
    downSeconds: integer('down_seconds').notNull(),
    answers: integer('answers').notNull(),
    sumMs: integer('sum_ms').notNull(),
    maxMs: integer('max_ms').notNull()
  },
  (t) => [primaryKey({ columns: [t.checkId, t.hour] }), index('uptime_hours_hour').on(t.hour)]
)

export const uptimeIncidents = pgTable(
  'uptime_incidents',
  {
    id: text('id').primaryKey(),
    checkId: text('check_id')
      .notNull()
      .references(() => uptimeChecks.id, { onDelete: 'cascade' }),
    startedAt: at('started_at').notNull(),
    endedAt: at('ended_at'),
    reason: uptimeReason('reason').notNull(),
    status: smallint('status')
  },
  (t) => [index('uptime_incidents_list').on(t.checkId, t.startedAt, t.id), index('uptime_incidents_end').on(t.endedAt)]
)
