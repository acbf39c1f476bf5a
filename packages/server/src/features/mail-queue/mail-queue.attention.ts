import { MailQueueQuery } from '@panel/contract/mail-queue'
import { withTimeLimit } from '../../concurrency/time-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { attentionItem, type AttentionSource, foundIn } from '../attention.ts'
import { listMailQueue } from './mail-queue.service.ts'

export const heldMail: AttentionSource = {
  isOfServer: true,
  async list(deps) {
    const count = await countHeldMail(deps)
    return foundIn(count > 0 ? [count] : [], (held) => attentionItem('MAIL_HELD', 'mail', 'held', String(held)))
  }
}

const heldCacheMs = 60_000
const heldTimeoutMs = 2_000

// Cached per process: listing a long queue takes Postfix seconds.
const held = new WeakMap<object, { at: number; count: Promise<number> }>()

async function countHeldMail(deps: Dependencies): Promise<number> {
  if (!deps.config.MAIL) return 0
  const known = held.get(deps)
  if (known && performance.now() - known.at < heldCacheMs) return known.count
  const count = withTimeLimit(listMailQueue(deps, MailQueueQuery.parse({ limit: 1, flagged: 'held' })), heldTimeoutMs)
    .then(({ pagination }) => pagination.total)
    // The outage itself is reported by the server status.
    .catch(() => 0)
  held.set(deps, { at: performance.now(), count })
  return count
}
