import { z } from 'zod'
import { pageQuery, Pagination, singleLine, Timestamp } from './common.ts'

/** Postfix queue ids, long and short. Nothing else may reach its tools, which accept `ALL` for the whole queue. */
export const QueueId = z
  .string()
  .max(64)
  .regex(
    /^(?:[0-9A-F]{6,}|[0-9B-DF-HJ-NP-TV-Zb-df-hj-np-tv-z]{10,}z[0-9B-DF-HJ-NP-TV-Zb-df-hj-np-tv-y]+)$/,
    'must be the id of a queued message'
  )
  .meta({ description: 'The queue id of the message.', examples: ['4jXzYh19STzXS6P'] })

export const isQueueId = (text: string): boolean => QueueId.safeParse(text).success

export const QueueFlag = z
  .enum(['held', 'active', 'none'])
  .meta({ description: '`held`: on hold, not tried until released. `active`: being delivered. `none`: waiting.' })
export type QueueFlag = z.infer<typeof QueueFlag>

export const maxListedRecipients = 20

const reason = z
  .string()
  .nullable()
  .meta({
    description: 'The response of the next server, or why it could not be reached; null before the first attempt.',
    examples: ['connect to mx.example.net[192.0.2.25]:25: Connection timed out']
  })

export const QueueMessage = z
  .object({
    queueId: z.string().meta({ examples: ['4jXzYh19STzXS6P'] }),
    flagged: QueueFlag,
    arrivedAt: Timestamp,
    size: z.int().meta({ description: 'Bytes.', examples: [48_213] }),
    sender: z.string().meta({ description: 'Empty for a bounce.', examples: ['ann@example.com'] }),
    recipients: z
      .array(z.object({ address: z.string().meta({ examples: ['bob@example.net'] }), reason }))
      .max(maxListedRecipients)
      .meta({ description: `Recipients that are still pending: the first ${maxListedRecipients}.` }),
    recipientCount: z.int().meta({ description: 'Number of pending recipients.' }),
    reason: reason.meta({ description: 'Why it is waiting: the first reason among its recipients.' })
  })
  .meta({ id: 'QueueMessage' })
export type QueueMessage = z.infer<typeof QueueMessage>

/** Postfix returns the queue unordered, so all messages before a page must be held in memory. */
export const maxListedMessages = 1_000

export const MailQueueQuery = z
  .object({
    ...pageQuery(50, 100),
    flagged: QueueFlag.optional(),
    search: singleLine(320)
      .optional()
      .meta({
        description: 'Part of the sender, a recipient or a reason, case-insensitive.',
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
      description: `The total counts all matches; the oldest ${maxListedMessages.toLocaleString('en')} of them can be listed.`
    })
  })
  .meta({ id: 'MailQueueList' })
export type MailQueueList = z.infer<typeof MailQueueList>

export const QueueOperation = z.enum(['delete', 'flush', 'hold', 'release'])
export type QueueOperation = z.infer<typeof QueueOperation>
