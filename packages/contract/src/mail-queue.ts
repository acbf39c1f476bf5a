import { z } from 'zod'
import { pageQuery, Pagination, singleLine, Timestamp } from './common.ts'

/**
 * Postfix's ids of messages: long ones (time, `z`, inode) and short ones of upper-case hexadecimal digits. Nothing else reaches its tools,
 * which take `ALL` for the whole queue.
 */
export const QueueId = z
  .string()
  .max(64)
  .regex(
    /^(?:[0-9A-F]{6,}|[0-9B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z]{10,}z[0-9B-DF-HJ-NP-TV-Zb-df-hj-np-tv-y]+)$/,
    'is not an id of a message in the queue'
  )
  .meta({ description: 'The message, as the mail server names it.', examples: ['4jXzYh19STzXS6P'] })

export const isQueueId = (text: string): boolean => QueueId.safeParse(text).success

export const QueueFlag = z
  .enum(['held', 'active', 'none'])
  .meta({ description: '`held`: on hold, not tried before it is released. `active`: being tried. `none`: it waits.' })
export type QueueFlag = z.infer<typeof QueueFlag>

/** Of one message. */
export const maxListedRecipients = 20

const reason = z
  .string()
  .nullable()
  .meta({
    description: 'What the next server said, or why it could not be asked; null before the first try.',
    examples: ['connect to mx.example.net[192.0.2.25]:25: Connection timed out']
  })

export const QueueMessage = z
  .object({
    queueId: z.string().meta({ examples: ['4jXzYh19STzXS6P'] }),
    flagged: QueueFlag,
    arrivedAt: Timestamp,
    size: z.int().meta({ description: 'Bytes.', examples: [48_213] }),
    sender: z.string().meta({ description: 'Empty of a bounce.', examples: ['ann@example.com'] }),
    recipients: z
      .array(z.object({ address: z.string().meta({ examples: ['bob@example.net'] }), reason }))
      .max(maxListedRecipients)
      .meta({ description: `To whom it is still to be delivered: the first ${maxListedRecipients}.` }),
    recipientCount: z.int().meta({ description: 'To how many in all.' }),
    reason: reason.meta({ description: 'Why it waits: the first reason among its recipients.' })
  })
  .meta({ id: 'QueueMessage' })
export type QueueMessage = z.infer<typeof QueueMessage>

/** So many of the oldest can be listed: the mail server has no order of its own, so that all before a page are held in memory for it. */
export const maxListedMessages = 1_000

export const MailQueueQuery = z
  .object({
    ...pageQuery(50, 100),
    flagged: QueueFlag.optional(),
    search: singleLine(320)
      .optional()
      .meta({
        description: 'A part of the sender, of a recipient or of a reason, in any case.',
        examples: ['example.net']
      })
  })
  .refine(({ page, limit }) => page * limit <= maxListedMessages, {
    path: ['page'],
    error: `is beyond the ${maxListedMessages.toLocaleString('en')} oldest messages; narrow the list by search or flagged`
  })
export type MailQueueQuery = z.infer<typeof MailQueueQuery>

export const MailQueueList = z
  .object({
    messages: z.array(QueueMessage),
    pagination: Pagination.meta({
      description: `The total is of all that match; the oldest ${maxListedMessages.toLocaleString('en')} of them can be listed.`
    })
  })
  .meta({ id: 'MailQueueList' })
export type MailQueueList = z.infer<typeof MailQueueList>

/** What can be done with one message. */
export const QueueOperation = z.enum(['delete', 'flush', 'hold', 'release'])
export type QueueOperation = z.infer<typeof QueueOperation>
