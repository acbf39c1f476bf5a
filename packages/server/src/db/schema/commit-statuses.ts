import { jsonb, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { commitStates, statusOutcomes, statusProviders, type CommitStatusCode } from '@panel/contract/commit-status'
import type { Sentence } from '@panel/contract/sentences'
import { at, createdAt, updatedAt } from './columns.ts'
import { projects } from './projects.ts'

export const statusProvider = pgEnum('status_provider', statusProviders)
export const commitState = pgEnum('commit_state', commitStates)
export const statusOutcome = pgEnum('status_outcome', statusOutcomes)

/** Where a project's deployments are reported, and how the latest report ended. */
export const commitStatuses = pgTable('commit_statuses', {
  projectId: text('project_id')
    .primaryKey()
    .references(() => projects.id, { onDelete: 'cascade' }),
  provider: statusProvider('provider').notNull(),
  // Fixed when the token is saved: a changed repository cannot send the token to another host.
  apiUrl: text('api_url').notNull(),
  token: text('token').notNull(), // sealed by the secret box
  lastState: commitState('last_state'),
  lastCommitHash: text('last_commit_hash'),
  // References nothing: the entry outlives its deployment.
  lastDeploymentId: text('last_deployment_id'),
  lastOutcome: statusOutcome('last_outcome'),
  lastProblem: jsonb('last_problem').$type<Sentence<CommitStatusCode>>(),
  lastAt: at('last_at'),
  createdAt: createdAt(),
  updatedAt: updatedAt()
})
