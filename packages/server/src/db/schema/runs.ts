import { sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  check,
  customType,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex
} from 'drizzle-orm/pg-core'
import { type Command, overlapPolicies, runProblems, runStatuses, runTriggers } from '@panel/contract/runs'
import { at, createdAt, updatedAt } from './columns.ts'
import { projects } from './projects.ts'
import { users } from './users.ts'

export const runStatus = pgEnum('run_status', runStatuses)
export const runProblem = pgEnum('run_problem', runProblems)
export const runTrigger = pgEnum('run_trigger', runTriggers)
export const overlapPolicy = pgEnum('overlap_policy', overlapPolicies)

// JSON as text: Drizzle parses a jsonb value that is a string a second time.
const commandText = customType<{ data: Command; driverData: string }>({
  dataType: () => 'text',
  toDriver: (command) => JSON.stringify(command),
  fromDriver: (text) => JSON.parse(text) as Command
})

const ownerColumns = {
  userId: text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  projectId: text('project_id')
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' })
}

export const scheduledJobs = pgTable(
  'scheduled_jobs',
  {
    id: text('id').primaryKey(),
    ...ownerColumns,
    name: text('name').notNull(),
    schedule: text('schedule').notNull(),
    timezone: text('timezone').notNull(),
    command: commandText('command').notNull(),
    timeoutSeconds: integer('timeout_seconds').notNull(),
    overlap: overlapPolicy('overlap').notNull(),
    isEnabled: boolean('is_enabled').notNull(),
    // Null while disabled.
    nextRunAt: at('next_run_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    index('scheduled_jobs_due')
      .on(t.nextRunAt)
      .where(sql`next_run_at is not null`),
    index('scheduled_jobs_list').on(t.projectId, t.createdAt, t.id),
    index('scheduled_jobs_user').on(t.userId)
  ]
)

export const runs = pgTable(
  'runs',
  {
    id: text('id').primaryKey(),
    ...ownerColumns,
    scheduledJobId: text('scheduled_job_id').references(() => scheduledJobs.id, { onDelete: 'cascade' }),
    trigger: runTrigger('trigger').notNull(),
    command: commandText('command').notNull(),
    timeoutSeconds: integer('timeout_seconds').notNull(),
    status: runStatus('status').notNull().default('QUEUED'),
    problem: runProblem('problem'),
    exitCode: integer('exit_code'),
    dueAt: at('due_at'),
    // References nothing: the history outlives the deployment.
    deploymentId: text('deployment_id'),
    // Set before the container is started: from then on a missing container is never replaced.
    containerId: text('container_id'),
    workerId: integer('worker_id'),
    stopRequestedAt: at('stop_requested_at'),
    isTruncated: boolean('is_truncated').notNull().default(false),
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt()
  },
  (t) => [
    // A time of a schedule is run once, whatever happens to the clock or the panel.
    uniqueIndex('runs_due').on(t.scheduledJobId, t.dueAt),
    uniqueIndex('runs_running')
      .on(t.scheduledJobId)
      .where(sql`status = 'RUNNING'`),
    index('runs_of_job').on(t.scheduledJobId, t.createdAt, t.id),
    index('runs_list').on(t.projectId, t.createdAt, t.id),
    index('runs_open')
      .on(t.userId, t.createdAt)
      .where(sql`status in ('QUEUED', 'RUNNING')`),
    check('runs_worker', sql`(status = 'RUNNING') = (worker_id is not null)`),
    check('runs_of', sql`(trigger = 'COMMAND') = (scheduled_job_id is null)`)
  ]
)

/** Append-only chunks; the oldest are removed when a run writes more than is kept. */
export const runOutput = pgTable(
  'run_output',
  {
    runId: text('run_id')
      .notNull()
      .references(() => runs.id, { onDelete: 'cascade' }),
    seq: bigserial('seq', { mode: 'number' }).notNull(),
    text: text('text').notNull()
  },
  (t) => [primaryKey({ columns: [t.runId, t.seq] })]
)
