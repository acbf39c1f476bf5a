import { pipeline, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { Id } from '@panel/contract/common'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAuditAlone } from '../audit/recording.service.ts'
import { addressOf } from '../mailboxes/mail-address.policy.ts'
import { refuseWithoutMail } from '../mailboxes/mail-domain-access.ts'
import { getDeletedMailbox, getOwnMailbox, type MailboxRow } from '../mailboxes/mailbox-access.ts'
import { exportLimit } from './mailbox-moves.limits.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'mailServer' | 'now'>

interface MailboxArchive {
  name: string
  stream: Readable
}

/** Maildir as tar.gz. An error aborts the stream, so that a partial archive is not taken for a complete one. */
export const exportMailbox = workerVerb(
  'mailbox-moves.export',
  [Origin, Id, Id],
  async (deps: Deps, origin: AuditOrigin, userId: string, id: string): Promise<MailboxArchive> => {
    const mailbox = await getOwnMailbox(deps.db, id, userId)
    return open(deps, origin, mailbox, () => deps.mailServer.exportMaildir(addressOf(mailbox)))
  },
  { timeoutMs: Infinity, isSecret: true }
)

export const exportDeletedMailbox = workerVerb(
  'mailbox-moves.exportDeleted',
  [Origin, Id, Id],
  async (deps: Deps, origin: AuditOrigin, userId: string, id: string): Promise<MailboxArchive> => {
    const mailbox = await getDeletedMailbox(deps.db, id, userId, deps.now())
    // Until it is archived, the address may already belong to someone else.
    if (mailbox.keptAt === null) throw new AppError('CONFLICT', 'The mail is being archived. Try again in a moment.')
    return open(deps, origin, mailbox, () => deps.mailServer.exportKept(mailbox.id))
  },
  { timeoutMs: Infinity, isSecret: true }
)

/** Holds a slot of exportLimit until the stream ends. */
function open(
  deps: Deps,
  origin: AuditOrigin,
  mailbox: MailboxRow,
  pack: () => Promise<Readable>
): Promise<MailboxArchive> {
  refuseWithoutMail(deps)
  return new Promise((resolve, reject) => {
    const work = async () => {
      const tar = await pack()
      await recordAuditAlone(deps, origin, {
        action: 'mailbox.exported',
        actorId: mailbox.userId,
        targetId: mailbox.id,
        metadata: { address: addressOf(mailbox) }
      })
      // The reader of the stream gets the error.
      const stream = pipeline(tar, createGzip({ level: constants.Z_BEST_SPEED }), () => {})
      resolve({ name: `${addressOf(mailbox)}.tar.gz`, stream })
      await finished(stream).catch(() => {})
    }
    exportLimit.run(mailbox.userId, work).catch(reject)
  })
}
