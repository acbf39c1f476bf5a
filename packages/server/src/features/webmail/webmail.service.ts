import type { WebmailActivity, WebmailLink } from '@panel/contract/webmail'
import { Id } from '@panel/contract/common'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import { webmailHostname } from '../../config/mail.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { WebmailQueryError } from '../../infra/webmail/webmail.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { addressOf } from '../mailboxes/mail-address.policy.ts'
import { getOwnMailbox, listOwnMailboxes } from '../mailboxes/mailbox-access.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'logger' | 'webmail'>

// Each call uses CPU time of the webmail container, which has one core.
const activityLimit = createConcurrencyLimit({ total: 4, perKey: 1, what: 'webmail requests' })

/** Last webmail login per mailbox of the account. If webmail is unavailable, returns the reason. */
export const showActivity = workerVerb('webmail.activity', [Id], showActivityHere)

async function showActivityHere(deps: Deps, userId: string): Promise<WebmailActivity> {
  if (webmailHostname(deps.config) === undefined) return { logins: [] }
  const mailboxes = (await listOwnMailboxes(deps.db, userId)).map((row) => ({ ...row, address: addressOf(row) }))
  try {
    const addresses = mailboxes.map(({ address }) => address)
    const lastLogins = await activityLimit.run(userId, () => deps.webmail.lastLogins(addresses))
    const logins = mailboxes.flatMap(({ id, address, createdAt }) => {
      const at = lastLogins.get(address)
      // An older login belongs to a deleted mailbox with the same address. Webmail times are whole seconds.
      const isOfThis = at !== undefined && at.getTime() >= Math.floor(createdAt.getTime() / 1000) * 1000
      return isOfThis ? [{ mailboxId: id, mailbox: address, lastLogin: at.toISOString() }] : []
    })
    return { logins: logins.sort((a, b) => b.lastLogin.localeCompare(a.lastLogin)) }
  } catch (error) {
    if (!(error instanceof WebmailQueryError)) throw error
    deps.logger.warn({ error: error.message, cause: error.cause }, 'webmail activity')
    return { logins: [], error: error.message, code: 'SQLITE_QUERY_ERROR' }
  }
}

/** Webmail URL with the mailbox address filled in. */
export async function webmailLink(
  { config, db }: Pick<Dependencies, 'config' | 'db'>,
  userId: string,
  id: string
): Promise<WebmailLink> {
  const address = addressOf(await getOwnMailbox(db, id, userId))
  const hostname = webmailHostname(config)
  if (hostname === undefined)
    throw new AppError('MAIL_UNAVAILABLE', 'Webmail is disabled on this server', { remedy: 'TURN_ON_WEBMAIL' })
  return { url: `https://${hostname}/?${new URLSearchParams({ _user: address })}` }
}
