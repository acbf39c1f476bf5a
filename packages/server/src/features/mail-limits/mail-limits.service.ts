import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../message-of.ts'
import type { DecideSending } from '../../infra/mail-server/sending-policy-server.ts'
import { renderLimitMail } from './limit-mail.render.ts'
import { findOwnerOfMailDomain } from './mail-limits.repository.ts'
import { createSendingAllowances } from './sending-limit.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'jobs' | 'logger' | 'now'>

const ownerKnownForMs = 60_000
const maxKnownOwners = 10_000
const toldAgainAfterMs = 24 * 3_600_000
const refusal = '450 4.7.1 This mailbox, its domain or its account has sent to too many recipients; try again later'

/**
 * Says of each message of a log-in whether it may be sent. It counts what this process has seen: there is one worker at a time. Where the store
 * does not say whose a domain is, its account's limit does not hold, and mail goes on.
 */
export function createSendingDecision(deps: Deps): DecideSending {
  const { MAIL_HOURLY_MAILBOX, MAIL_HOURLY_DOMAIN, MAIL_HOURLY_ACCOUNT } = deps.config
  const allowances = createSendingAllowances({
    mailbox: MAIL_HOURLY_MAILBOX,
    domain: MAIL_HOURLY_DOMAIN,
    account: MAIL_HOURLY_ACCOUNT
  })
  const owners = new Map<string, { id: string | undefined; at: number }>()
  const toldAt = new Map<string, number>()
  const ownerOf = async (domain: string, now: number): Promise<string | undefined> => {
    const known = owners.get(domain)
    if (known && now - known.at < ownerKnownForMs) return known.id
    const found = await findOwnerOfMailDomain(deps.db, domain).catch((error: unknown) => {
      deps.logger.warn({ mailDomain: domain, error: messageOf(error) }, 'limits of mail without the account’s')
      return undefined
    })
    if (owners.size >= maxKnownOwners) owners.clear()
    owners.set(domain, { id: found?.id, at: now })
    return found?.id
  }
  const tell = async (address: string, now: number) => {
    if (now - (toldAt.get(address) ?? -Infinity) < toldAgainAfterMs) return
    if (toldAt.size >= maxKnownOwners) toldAt.clear()
    toldAt.set(address, now)
    await deps.db.transaction((trx) => deps.jobs.enqueue(trx, 'mail-limits.alert', { address }))
  }
  return async ({ login, recipients }) => {
    const mailbox = login.toLowerCase()
    const domain = mailbox.slice(mailbox.lastIndexOf('@') + 1)
    const now = deps.now().getTime()
    const level = allowances.take({ mailbox, domain, account: await ownerOf(domain, now) }, recipients, now)
    if (level === undefined) return undefined
    deps.logger.warn({ mailbox, limit: level, recipients }, 'mail beyond a limit is refused for now')
    await tell(mailbox, now).catch((error: unknown) =>
      deps.logger.warn({ mailbox, error: messageOf(error) }, 'the owner of the mailbox is not told')
    )
    return refusal
  }
}

export const limitJob = z.object({ address: z.string() })

/** The job behind a mailbox that was kept from sending. */
export async function mailLimitAlert(
  deps: Pick<Dependencies, 'config' | 'db' | 'mailer'>,
  address: string
): Promise<void> {
  const owner = await findOwnerOfMailDomain(deps.db, address.slice(address.lastIndexOf('@') + 1))
  if (owner) await deps.mailer?.send(renderLimitMail(deps.config, owner, address))
}
