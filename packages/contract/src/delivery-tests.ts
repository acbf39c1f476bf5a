import { z } from 'zod'
import { Id, sentencesOf, singleLine, Timestamp } from './common.ts'
import { deliveryCheckTexts } from './delivery-check-texts.ts'

export const CreateDeliveryTest = z.object({
  mailboxId: Id.meta({ description: 'The sending mailbox: one of yours.' }),
  to: singleLine(254).meta({
    description:
      '`delivery-test@mail.<domain of a panel>`, which inspects the message and replies; an address in one of your verified domains; or ' +
      'your own email address.',
    examples: ['delivery-test@mail.panel.example.net']
  })
})
export type CreateDeliveryTest = z.infer<typeof CreateDeliveryTest>

export const DeliveryTestStatus = z.enum([
  'SENDING',
  'QUEUED',
  'DEFERRED',
  'DELIVERED',
  'ANSWERED',
  'BOUNCED',
  'FAILED'
])
export type DeliveryTestStatus = z.infer<typeof DeliveryTestStatus>

const verdict = singleLine(200).nullable()

/** What the receiving panel saw. Sent back as the text of an email. */
export const DeliveryTestAnswer = z.object({
  clientIp: singleLine(64).nullable().meta({ description: 'Source address of the message.' }),
  tls: singleLine(100)
    .nullable()
    .meta({ description: 'Null: not encrypted.', examples: ['TLSv1.3'] }),
  spf: z.object({ result: singleLine(20), domain: verdict }),
  dkim: z.array(z.object({ result: singleLine(20), domain: verdict, selector: verdict })).max(5),
  dmarc: z.object({ result: singleLine(20), policy: verdict })
})
export type DeliveryTestAnswer = z.infer<typeof DeliveryTestAnswer>

export const DeliveryCheckStatus = z.enum(['pass', 'fail', 'pending', 'unknown'])
export type DeliveryCheckStatus = z.infer<typeof DeliveryCheckStatus>

export const DeliveryCheck = z.object({
  status: DeliveryCheckStatus.meta({
    description: 'unknown: only a receiver that replies can tell.'
  }),
  detail: z.string(),
  sentences: sentencesOf('DeliveryCheckCode', deliveryCheckTexts)
})
export type DeliveryCheck = z.infer<typeof DeliveryCheck>

export const DeliveryTest = z
  .object({
    id: Id,
    mailboxId: Id,
    from: z.string(),
    to: z.string(),
    status: DeliveryTestStatus.meta({
      description:
        'QUEUED: accepted by our server. DEFERRED: the next server has not accepted it yet. DELIVERED: accepted by the next server. ' +
        'ANSWERED: the receiver replied. FAILED: our server did not accept it.'
    }),
    queueId: z
      .string()
      .nullable()
      .meta({ examples: ['4jXzYh19STzXS6P'] }),
    relay: z.string().nullable().meta({ description: 'The server contacted last.' }),
    reply: z.string().nullable().meta({ description: 'Its response.' }),
    checks: z.object({
      accepted: DeliveryCheck,
      delivered: DeliveryCheck,
      tls: DeliveryCheck,
      spf: DeliveryCheck,
      dkim: DeliveryCheck,
      dmarc: DeliveryCheck
    }),
    answer: DeliveryTestAnswer.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp
  })
  .meta({ id: 'DeliveryTest' })
export type DeliveryTest = z.infer<typeof DeliveryTest>
