import { z } from 'zod'
import { pageQuery, Pagination, singleLine, Timestamp } from './common.ts'

export const DeliveryStatus = z.enum(['success', 'deferred', 'bounced', 'rejected']).meta({
  description:
    '`deferred`: tried again later, by us, or without a `queueId` by who wanted to bring it. `bounced`: given back to its sender. `rejected`: not ' +
    'taken in the first place.'
})
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** So many of the log's last lines are looked at. */
export const maxScannedLines = 20_000

/** One recipient of a message, at one try. */
export const Delivery = z
  .object({
    at: Timestamp,
    status: DeliveryStatus,
    sender: z
      .string()
      .nullable()
      .meta({
        description: 'Empty of a bounce; null where the lines that were looked at do not name it.',
        examples: ['ann@example.com']
      }),
    recipient: z
      .string()
      .nullable()
      .meta({
        description: 'Null of a message that was given up as a whole, or refused before it named one.',
        examples: ['bob@example.net']
      }),
    originalRecipient: z
      .string()
      .nullable()
      .meta({ description: 'The alias that has led to the recipient.', examples: ['sales@example.net'] }),
    queueId: z
      .string()
      .nullable()
      .meta({ description: 'Null of what was never in the queue.', examples: ['4jXzYh19STzXS6P'] }),
    relay: z
      .string()
      .nullable()
      .meta({
        description: 'The server that was to take it, and of what was not taken here the one that brought it.',
        examples: ['mx.example.net[192.0.2.25]:25']
      }),
    delay: z
      .number()
      .nullable()
      .meta({ description: 'Seconds since it arrived.', examples: [1.4] }),
    reason: z.string().meta({ description: 'What the server said.', examples: ['250 2.0.0 Ok: queued as 5B1D31C0A1'] })
  })
  .meta({ id: 'Delivery' })
export type Delivery = z.infer<typeof Delivery>

export const DeliveryQuery = z.object({
  ...pageQuery(50, 200),
  domain: singleLine(255)
    .min(1)
    .optional()
    .meta({ description: 'Of the sender or a recipient.', examples: ['example.com'] }),
  mailbox: singleLine(320)
    .min(1)
    .optional()
    .meta({
      description: 'An address, as sender or recipient, with or without a detail (`+`).',
      examples: ['ann@example.com']
    }),
  status: DeliveryStatus.optional()
})
export type DeliveryQuery = z.infer<typeof DeliveryQuery>

export const DeliveryLog = z
  .object({
    deliveries: z.array(Delivery).meta({ description: 'Newest first.' }),
    scannedLines: z.int().meta({
      description: `How many of the log’s last lines were looked at, at most ${maxScannedLines.toLocaleString('en')}.`
    }),
    pagination: Pagination
  })
  .meta({ id: 'DeliveryLog' })
export type DeliveryLog = z.infer<typeof DeliveryLog>
