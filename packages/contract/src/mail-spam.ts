import { z } from 'zod'
import { Id } from './common.ts'
import { words } from './details.ts'

/** Of each list of a domain. */
export const maxListedSenders = 200

const points = (description: string, example: number) =>
  z
    .number()
    .min(1)
    .max(1_000)
    .multipleOf(0.1)
    .meta({ description, examples: [example] })

const domainName = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*'

/** An address, or a domain with all below it. */
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

const enabled = z.boolean().meta({ description: 'Whether mail to the domain passes the filter.' })
const junkScore = points('From so many points on a message goes to Junk.', 6)
const refuseScore = points(
  'From so many points on a message is refused while it is being sent; its sender is told.',
  15
)
const greylisting = z.boolean().meta({
  description:
    'Whether a message that looks a little like spam is put off, and taken when its sender tries again minutes later.'
})

export const SpamFilterSwitch = z.enum(['on', 'off'])
export type SpamFilterSwitch = z.infer<typeof SpamFilterSwitch>

export const SpamSettings = z
  .object({
    domainId: Id,
    domain: z.string(),
    filter: SpamFilterSwitch.meta({
      description:
        'Whether the panel has a filter at all (MAIL_SPAM_FILTER). Whether it answers is in GET /api/mail/status.'
    }),
    enabled,
    junkScore,
    refuseScore,
    greylisting,
    allow: listed(
      'Senders whose mail is never spam: addresses, and domains with all below them. Nothing is allowed that its own domain says is forged (SPF, DMARC).'
    ),
    deny: listed('Senders whose mail is refused. They count before those that are allowed.')
  })
  .meta({ id: 'SpamSettings' })
export type SpamSettings = z.infer<typeof SpamSettings>

export const UpdateSpamSettings = z
  .object({
    enabled,
    junkScore,
    refuseScore,
    greylisting,
    allow: ListedSenders.meta({ description: 'The whole list, in place of the one before.' }),
    deny: ListedSenders.meta({ description: 'The whole list, in place of the one before.' })
  })
  .partial()
  .refine((input) => Object.values(input).some((value) => value !== undefined), {
    error: 'must have enabled, junkScore, refuseScore, greylisting, allow or deny'
  })
export type UpdateSpamSettings = z.infer<typeof UpdateSpamSettings>
