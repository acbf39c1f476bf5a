import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { FailureCode } from '@panel/contract/failure-texts'
import type { Sentence } from '@panel/contract/sentences'
import { at } from './columns.ts'
import { projects } from './projects.ts'

/** The latest check for a newer image. Apart from `projects`, whose writes start reconcile steps. */
export const imageChecks = pgTable(
  'image_checks',
  {
    projectId: text('project_id')
      .primaryKey()
      .references(() => projects.id, { onDelete: 'cascade' }),
    // What was checked: a changed project waits for its next check.
    reference: text('reference').notNull(),
    digest: text('digest'),
    problem: jsonb('problem').$type<Sentence<FailureCode>[]>(),
    checkedAt: at('checked_at').notNull(),
    // When it is due again; spread, so that a restart does not make all due at once.
    nextAt: at('next_at').notNull(),
    // The digest that was deployed automatically: a failing one is not deployed twice.
    deployedDigest: text('deployed_digest'),
    // The digest that the owner was notified of.
    notifiedDigest: text('notified_digest')
  },
  (t) => [index('image_checks_due').on(t.nextAt)]
)
