import { MailQueueQuery } from '@panel/contract/mail-queue'
import type { FigureSource } from '../metric-source.ts'
import { listMailQueue } from './mail-queue.service.ts'

const family = 'panel_mail_queue_messages'

export const mailQueueFigures: FigureSource = {
  families: [
    { name: family, help: 'Undelivered messages in the mail queue, by state (held or waiting)', labels: ['state'] }
  ],
  async read(deps) {
    if (!deps.config.MAIL) return []
    const count = async (query: object) =>
      (await listMailQueue(deps, MailQueueQuery.parse({ limit: 1, ...query }))).pagination.total
    const held = await count({ flagged: 'held' })
    const waiting = Math.max(0, (await count({})) - held)
    return Object.entries({ held, waiting }).map(([state, value]) => ({ family, labels: { state }, value }))
  }
}
