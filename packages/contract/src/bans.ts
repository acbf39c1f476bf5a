import { z } from 'zod'
import { Id, pageQuery, Pagination, singleLine, Timestamp } from './common.ts'
import { words } from './details.ts'
import { isAddressOrNetwork } from './firewall.ts'

/** Services whose failed sign-ins point to a ban. */
export const banServices = ['PANEL', 'SSH', 'SFTP', 'SMTP', 'IMAP', 'WORDPRESS'] as const
export type BanService = (typeof banServices)[number]

export const banReasons = [...banServices, 'MANUAL'] as const
export const BanReason = z
  .enum(banReasons)
  .meta({ id: 'BanReason', description: 'The service with the failed sign-ins. `MANUAL`: a person added the ban.' })
export type BanReason = z.infer<typeof BanReason>

export const Ban = z
  .object({
    id: Id,
    address: z.string().meta({
      examples: ['203.0.113.7'],
      description: 'An IPv4 address, or the /64 of an IPv6 address, because one customer holds a whole /64.'
    }),
    reason: BanReason,
    note: z.string().meta({ examples: ['Comment spam'] }),
    attempts: z.int().meta({ description: 'Failed sign-ins that led to the ban. 0 for `MANUAL`.' }),
    offences: z.int().meta({
      description: 'Bans that count for the duration of the next one. One is forgiven for each week without a ban.'
    }),
    bannedAt: Timestamp,
    until: Timestamp.nullable().meta({ description: 'Null: until someone removes the ban.' }),
    createdBy: Id.nullable().meta({ examples: ['01j9zk3v5wq8r7t2m4n6p8s0ab'] })
  })
  .meta({ id: 'Ban' })
export type Ban = z.infer<typeof Ban>

export const BanQuery = z.object({
  ...pageQuery(50, 200),
  search: singleLine(100)
    .optional()
    .meta({ examples: ['203.0.113'], description: 'Part of an address or note.' }),
  reason: BanReason.optional().meta({ description: 'Only bans for this reason.' })
})
export type BanQuery = z.infer<typeof BanQuery>

export const BanList = z
  .object({
    enabled: z.boolean().meta({ description: 'Whether bans are in force: the setting BANS.' }),
    bans: z.array(Ban),
    pagination: Pagination
  })
  .meta({ id: 'BanList' })
export type BanList = z.infer<typeof BanList>

const isBannable = (text: string): boolean => {
  const [, bits] = text.split('/')
  return isAddressOrNetwork(text) && (bits === undefined || (bits === '64' && text.includes(':')))
}

export const maxBanSeconds = 365 * 86_400

export const CreateBan = z.object({
  address: z
    .string()
    .max(64)
    .refine(isBannable, { error: words.BAN_ADDRESS })
    .meta({
      examples: ['203.0.113.7'],
      description: 'An IPv4 address, or an IPv6 address or /64. For other networks, add a firewall rule.'
    }),
  seconds: z
    .int()
    .min(60)
    .max(maxBanSeconds)
    .nullable()
    .default(null)
    .meta({ description: 'Duration. Null: until someone removes the ban.' }),
  note: singleLine(200)
    .default('')
    .meta({ examples: ['Comment spam'] })
})
export type CreateBan = z.infer<typeof CreateBan>

// A typing error such as /0 would disable the bans.
const shortestPrefix = { ipv4: 8, ipv6: 19 } as const

const isAllowable = (text: string): boolean => {
  const [, bits = '128'] = text.split('/')
  return isAddressOrNetwork(text) && Number(bits) >= shortestPrefix[text.includes(':') ? 'ipv6' : 'ipv4']
}

export const AllowedNetwork = z
  .object({
    id: Id,
    network: z.string().meta({ examples: ['203.0.113.0/24'] }),
    note: z.string().meta({ examples: ['Office'] }),
    createdAt: Timestamp
  })
  .meta({ id: 'AllowedNetwork' })
export type AllowedNetwork = z.infer<typeof AllowedNetwork>

export const AllowedNetworkList = z.object({ networks: z.array(AllowedNetwork) }).meta({ id: 'AllowedNetworkList' })

export const AllowNetwork = z.object({
  network: z
    .string()
    .max(64)
    .refine(isAllowable, { error: words.BAN_ALLOWED_NETWORK })
    .meta({
      examples: ['203.0.113.0/24'],
      description: 'An address, or a network of at most /8 (IPv4) or /19 (IPv6).'
    }),
  note: singleLine(200)
    .default('')
    .meta({ examples: ['Office'] })
})
export type AllowNetwork = z.infer<typeof AllowNetwork>
