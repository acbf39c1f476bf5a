import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import { isHostname } from '../../net/hostname.ts'
import { messageOf } from '../../text/message-of.ts'
import { createCoalescer } from '../../concurrency/coalescer.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { endedSessions } from './ended-sessions.ts'
import { addressOf } from './mail-address.policy.ts'
import { withMailDomainLock } from './mail-domain-access.ts'
import {
  evictAppliedMail,
  type MailDomainContents,
  markMailDomainApplied,
  readMailDomain
} from './mail-domains.repository.ts'
import { type MailboxRow, markSessionsEnded } from './mailboxes.repository.ts'
import { listLeaving, listReturning, markKept, markReturned } from './deleted-mailboxes.repository.ts'
import { servedDomain } from './served-domain.policy.ts'

type Deps = Pick<Dependencies, 'db' | 'mailServer' | 'now'>

const coalesce = createCoalescer()

const DomainName = z.string().refine(isHostname)

/** Takes a name, since deleted domains must be removed too. Rejects with MAIL_UNAVAILABLE. */
export const applyMailDomain = workerVerb('mailboxes.apply', [DomainName], applyMailDomainHere)

async function applyMailDomainHere(deps: Deps, name: string): Promise<void> {
  await coalesce(deps.mailServer, `mail domain ${name}`, () =>
    withMailDomainLock(deps.db, name, async (lost) => {
      try {
        const failures = [...(await setAsideDeleted(deps, name, lost)), ...(await putBackRestored(deps, name, lost))]
        await putWhole(deps, name)
        if (failures.length > 0) throw failures[0]
      } finally {
        // Lost the lock: another process may have applied a newer revision before ours. Apply again.
        if (lost.aborted) await evictAppliedMail(deps.db, [name])
      }
    })
  )
}

/** For committed changes: the reconcile loop retries if the mail servers are unavailable. */
export async function tryApplyMailDomain(deps: Deps & Pick<Dependencies, 'logger'>, name: string): Promise<void> {
  try {
    await applyMailDomain(deps, name)
  } catch (error) {
    deps.logger.warn({ mailDomain: name, error: messageOf(error) }, 'mail domain not applied yet')
  }
}

/** Stops delivery to the address before its mail is moved, and moves it before the next mailbox uses the address. */
async function setAsideDeleted(deps: Deps, name: string, lost: AbortSignal): Promise<unknown[]> {
  const stored = await read(deps, name)
  if (stored.leaving.length === 0) return []
  await put(deps, name, stored)
  return move(stored.leaving, lost, async (mailbox) => {
    await deps.mailServer.setAside(addressOf(mailbox), mailbox.id)
    await markKept(deps.db, mailbox.id, deps.now())
  })
}

/** Runs before the mail servers know the address: the mailbox directory must be empty. */
async function putBackRestored(deps: Deps, name: string, lost: AbortSignal): Promise<unknown[]> {
  return move(await listReturning(deps.db, name), lost, async (mailbox) => {
    await deps.mailServer.putBack(mailbox.id, addressOf(mailbox))
    await markReturned(deps.db, mailbox.id)
  })
}

/** A failed mailbox is not served, and does not delay the others. Resolves with the errors. */
async function move(
  mailboxes: readonly MailboxRow[],
  lost: AbortSignal,
  work: (mailbox: MailboxRow) => Promise<void>
): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const mailbox of mailboxes) {
    lost.throwIfAborted()
    await work(mailbox).catch((error: unknown) => failures.push(error))
  }
  return failures
}

async function putWhole(deps: Deps, name: string): Promise<void> {
  const stored = await read(deps, name)
  const { contents } = stored
  await put(deps, name, stored)
  if (!contents) return
  const changed = contents.mailboxes.filter((mailbox) => mailbox.sessionsRevision < mailbox.passwordRevision)
  if (changed.length > 0) {
    await deps.mailServer.endSessions(changed.map(addressOf))
    endedSessions(deps.mailServer).note(changed.map(addressOf), deps.now().getTime())
    for (const { id, passwordRevision } of changed) await markSessionsEnded(deps.db, id, passwordRevision)
  }
  await markMailDomainApplied(deps.db, contents.domain.domainId, contents.domain.revision)
}

interface Stored {
  contents: MailDomainContents | undefined
  leaving: readonly MailboxRow[]
}

const read = ({ db }: Pick<Deps, 'db'>, name: string): Promise<Stored> =>
  db.transaction(
    async (trx) => ({ contents: await readMailDomain(trx, name), leaving: await listLeaving(trx, name) }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' }
  )

/** Leaves out addresses whose mailbox directory still has another mailbox's mail or not yet its own. */
async function put(
  { mailServer }: Pick<Deps, 'mailServer'>,
  name: string,
  { contents, leaving }: Stored
): Promise<void> {
  const unmoved = new Set(leaving.map(({ localPart }) => localPart))
  const mailboxes = contents?.mailboxes.filter(({ keptAt, localPart }) => keptAt === null && !unmoved.has(localPart))
  const served = contents && servedDomain({ ...contents, mailboxes: mailboxes! })
  await (served ? mailServer.putDomain(served) : mailServer.removeDomain(name))
}
