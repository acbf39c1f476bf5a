import { type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { domains } from '../../db/schema/domains.ts'
import { mailAliases } from '../../db/schema/mail-aliases.ts'
import { mailDomains } from '../../db/schema/mail-domains.ts'
import { mailboxes } from '../../db/schema/mailboxes.ts'
import { users } from '../../db/schema/users.ts'
import { roleAddresses } from './role-addresses.policy.ts'

const plainOf = (address: SQL) => sql`split_part(regexp_replace(${address}, '@[^@]*$', ''), '+', 1)`
const domainOf = (address: SQL) => sql`regexp_replace(${address}, '^.*@', '')`
const isRole = (localPart: SQL) => sql`${localPart} = any (${sql.param([...roleAddresses])}::text[])`
const email = sql`lower(${users.email})`

// Scoped to the current row of mail_domains.
const isMailbox = sql`${mailboxes.domainId} = ${mailDomains.domainId} and ${mailboxes.deletedAt} is null`
const isAlias = sql`${mailAliases.domainId} = ${mailDomains.domainId}`
const hasMailbox = (localPart: SQL) =>
  sql`exists (select from ${mailboxes} where ${isMailbox} and ${mailboxes.localPart} = ${localPart})`

/**
 * Target of a missing role address (role-addresses.policy.ts): the owner, but never a nonexistent address of the domain
 * itself.
 */
const ownerAddress = sql`coalesce((
  select ${mailboxes.localPart} || '@' || ${mailDomains.name} from ${mailboxes}
  where ${isMailbox} and ${domainOf(email)} = ${mailDomains.name} and not ${hasMailbox(plainOf(email))} and not exists (
    select from ${mailAliases} where ${isAlias} and (${mailAliases.localPart} = ${plainOf(email)}
      or (${mailAliases.localPart} = '' and not ${isRole(plainOf(email))}))
  )
  order by ${mailboxes.createdAt}, ${mailboxes.id} limit 1
), ${email})`

/**
 * Lateral subquery: how mail to an address is forwarded. By its alias; without a mailbox also by its owner's address
 * (role addresses) or by the catch-all. No row if it is not forwarded.
 */
const wayOf = (address: SQL) => sql`(
  select way.id, way.targets from ${mailDomains}
  cross join lateral (select ${plainOf(address)}) asked(plain)
  cross join lateral (
    select id, targets from (
      select ${mailAliases.id}, ${mailAliases.targets}, case ${mailAliases.localPart} when '' then 3 else 1 end as rank
      from ${mailAliases} where ${isAlias} and ${mailAliases.localPart} in (asked.plain, '')
      union all
      select null, array[${ownerAddress}], 2 from ${domains} join ${users} on ${users.id} = ${domains.userId}
      where ${domains.id} = ${mailDomains.domainId} and ${isRole(sql`asked.plain`)}
    ) ways
    where rank = 1 or not ${hasMailbox(sql`asked.plain`)}
    order by rank limit 1
  ) way
  where ${mailDomains.name} = ${domainOf(address)}
)`

/** The aliases that forward mail to these addresses; implicit role addresses have no id. */
export async function listAliasesFor(
  db: Queryable,
  addresses: readonly string[]
): Promise<{ id: string | null; targets: string[] }[]> {
  const { rows } = await db.execute<{ id: string | null; targets: string[] }>(sql`
    select distinct way.id, way.targets from unnest(${sql.param([...addresses])}::text[]) as given(address)
    cross join lateral ${wayOf(sql`given.address`)} way`)
  return rows
}

/** Number of external addresses that a domain forwards to. */
export interface ForwardedMail {
  domain: string
  userId: string
  addresses: number
}

// Above Postfix's virtual_alias_expansion_limit of 1,000, beyond which it bounces the message. Bounds the lookups that
// a stranger's message can cause.
const mostReached = 2_000

/** External addresses that mail to these addresses reaches through aliases, directly or indirectly, by domain. */
export async function countForwarded(db: Queryable, addresses: readonly string[]): Promise<ForwardedMail[]> {
  const { rows } = await db.execute<ForwardedMail & Record<string, unknown>>(sql`
    with recursive led(origin, address) as (
      select ${domainOf(sql`address`)}, address from unnest(${sql.param([...addresses])}::text[]) as given(address)
      union
      select led.origin, target from led cross join lateral ${wayOf(sql`led.address`)} way cross join lateral unnest(way.targets) target
    )
    select ${mailDomains.name} as domain, ${domains.userId} as "userId", count(*)::int as addresses
    from (select * from led limit ${mostReached}) led
    join ${mailDomains} on ${mailDomains.name} = led.origin join ${domains} on ${domains.id} = ${mailDomains.domainId}
    where not exists (select from ${mailDomains} ours where ours.name = ${domainOf(sql`led.address`)})
    group by ${mailDomains.name}, ${domains.userId}`)
  return rows
}
