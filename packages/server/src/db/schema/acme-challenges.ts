import { index, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from './columns.ts'
import { domains } from './domains.ts'

export const acmeChallengeType = pgEnum('acme_challenge_type', ['http-01', 'dns-01'])

export const acmeChallenges = pgTable(
  'acme_challenges',
  {
    // http-01: the token. dns-01: an id.
    token: text('token').primaryKey(),
    domainId: text('domain_id')
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    type: acmeChallengeType('type').notNull(),
    // dns-01: full name of the TXT record.
    name: text('name'),
    // http-01: key authorization. dns-01: value of the TXT record.
    value: text('value').notNull(),
    createdAt: createdAt()
  },
  (t) => [index('acme_challenges_domain').on(t.domainId)]
)
