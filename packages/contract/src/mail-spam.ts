import { z } from 'zod'
import { Id } from './common.ts'
import { words } from './details.ts'

/** Per list of a domain. */
export const maxListedSenders = 200

const points = (description: string, example: number) =>
  z
    .number()
    .min(1)
    .max(1_000)
    .multipleOf(0.1)
    .meta({ description, examples: [example] })

const domainName = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*'

const ListedSender = z
  .string()
  .trim()
  .max(254)
  .toLowerCase()
  .regex(new RegExp(`^(?:[a-z0-9!#%&'*+/=?^_\`{|}~.-]{1,64}@)?${domainName}$`), words.LISTED_SENDER)

const ListedSenders = z
  .array(ListedSender)
  .max(maxListedSenders)
  .transform((senders) => [...new Set(senders)].sort())

const listed = (description: string) => z.array(z.string()).meta({ description, examples: [['example.com']] })

const enabled = z.boolean().meta({ description: 'Whether mail to the domain is filtered.' })
const junkScore = points('Messages with at least this score go to Junk.', 6)
const refuseScore = points('Messages with at least this score are rejected during delivery; the sender is told.', 15)
const greylisting = z.boolean().meta({
  description:
    'Whether slightly suspicious messages are deferred and accepted when the sender retries a few minutes later.'
})

export const SpamFilterSwitch = z.enum(['on', 'off'])
export type SpamFilterSwitch = z.infer<typeof SpamFilterSwitch>

export const SpamSettings = z
  .object({
    domainId: Id,
    domain: z.string(),
    filter: SpamFilterSwitch.meta({
      description:
        'Whether the panel has a spam filter at all (MAIL_SPAM_FILTER). GET /api/mail/status says whether it is running.'
    }),
    enabled,
    junkScore,
    refuseScore,
    greylisting,
    allow: listed(
      'Senders whose mail is never spam: addresses, or domains including subdomains. Does not apply to mail that the sender’s own domain ' +
        'marks as forged (SPF, DMARC).'
    ),
    deny: listed('Senders whose mail is rejected. Takes precedence over `allow`.')
  })
  .meta({ id: 'SpamSettings' })
export type SpamSettings = z.infer<typeof SpamSettings>

export const UpdateSpamSettings = z
  .object({
    enabled,
    junkScore,
    refuseScore,
    greylisting,
    allow: ListedSenders.meta({ description: 'Replaces the whole list.' }),
    deny: ListedSenders.meta({ description: 'Replaces the whole list.' })
  })
  .partial()
  .refine((input) => Object.values(input).some((value) => value !== undefined), {
    error: 'must have enabled, junkScore, refuseScore, greylisting, allow or deny'
  })
export type UpdateSpamSettings = z.infer<typeof UpdateSpamSettings>
