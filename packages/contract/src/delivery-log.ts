import { z } from 'zod'
import { pageQuery, Pagination, singleLine, Timestamp } from './common.ts'

export const DeliveryStatus = z.enum(['success', 'deferred', 'bounced', 'rejected']).meta({
  description:
    '`deferred`: retried later, by our server, or by the sending server if there is no `queueId`. `bounced`: returned to the sender. ' +
    '`rejected`: not accepted.'
})
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** Number of lines read from the end of the log. */
export const maxScannedLines = 20_000

export const Delivery = z
  .object({
    at: Timestamp,
    status: DeliveryStatus,
    sender: z
      .string()
      .nullable()
      .meta({
        description: 'Empty for a bounce; null if the scanned lines do not contain it.',
        examples: ['ann@example.com']
      }),
    recipient: z
      .string()
      .nullable()
      .meta({
        description: 'Null if the whole message was given up, or rejected before it named a recipient.',
        examples: ['bob@example.net']
      }),
    originalRecipient: z
      .string()
      .nullable()
      .meta({ description: 'The alias that resolved to the recipient.', examples: ['sales@example.net'] }),
    queueId: z
      .string()
      .nullable()
      .meta({ description: 'Null if the message was never queued.', examples: ['4jXzYh19STzXS6P'] }),
    relay: z
      .string()
      .nullable()
      .meta({
        description: 'The next server; for rejected messages, the sending server.',
        examples: ['mx.example.net[192.0.2.25]:25']
      }),
    delay: z
      .number()
      .nullable()
      .meta({ description: 'Seconds since arrival.', examples: [1.4] }),
    reason: z.string().meta({ description: 'The server’s response.', examples: ['250 2.0.0 Ok: queued as 5B1D31C0A1'] })
  })
  .meta({ id: 'Delivery' })
export type Delivery = z.infer<typeof Delivery>

export const DeliveryQuery = z.object({
  ...pageQuery(50, 200),
  domain: singleLine(255)
    .min(1)
    .optional()
    .meta({ description: 'Domain of the sender or a recipient.', examples: ['example.com'] }),
  mailbox: singleLine(320)
    .min(1)
    .optional()
    .meta({
      description: 'Address of the sender or a recipient, with or without a `+` detail.',
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
