import type { MetricSource } from '../metric-source.ts'
import { countAllMailboxes } from './mailboxes.repository.ts'

export const mailboxMetrics: MetricSource = {
  families: [{ name: 'panel_mailboxes', help: 'Mailboxes of all accounts', labels: [] }],
  cacheSeconds: 30,
  read: async ({ db }) => [{ family: 'panel_mailboxes', value: await countAllMailboxes(db) }]
}
