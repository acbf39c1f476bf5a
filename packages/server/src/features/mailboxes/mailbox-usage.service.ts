import { z } from 'zod'
import type { Mailbox } from '@panel/contract/mailboxes'
import { withTimeLimit } from '../../concurrency/time-limit.ts'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { addressOf } from './mail-address.policy.ts'
import type { MailboxRow } from './mailboxes.repository.ts'

// After this time, lists are returned without usage.
const limitMs = 3_000
// Each is one query to the mail server for a page of mailboxes.
const usageLimit = createConcurrencyLimit({ total: 8, perKey: 2, what: 'lists of mailboxes' })

const Addresses = z.array(z.string().max(320)).max(100)

/** Entries, because a Map cannot be sent to the worker. */
const readUsageOf = workerVerb(
  'mailboxes.readUsage',
  [Addresses],
  async ({ mailServer }: Pick<Dependencies, 'mailServer'>, addresses: string[]) => [
    ...(await mailServer.readUsage(addresses))
  ]
)

/** Usage by mailbox; null if the mail server does not respond in time. */
export async function readUsage(
  deps: Pick<Dependencies, 'logger' | 'mailServer'>,
  userId: string,
  rows: readonly MailboxRow[]
): Promise<(row: MailboxRow) => Mailbox['usage']> {
  const addresses = rows.map(addressOf)
  try {
    const entries =
      addresses.length === 0
        ? []
        : await usageLimit.run(userId, () => withTimeLimit(readUsageOf(deps, addresses), limitMs))
    const known = new Map(entries)
    // The mail server omits mailboxes without mail.
    return (row) => known.get(addressOf(row)) ?? { bytes: 0, messages: 0 }
  } catch (error) {
    deps.logger.warn({ error: messageOf(error) }, 'mailbox usage not read')
    return () => null
  }
}
