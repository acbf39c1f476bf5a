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

/** The mailbox as tar.gz with its Maildir, packed as it is read; what goes wrong on the way breaks it off, so that nobody takes a part for the whole. */
export const exportMailbox = workerVerb(
  'mailbox-moves.export',
  [Origin, Id, Id],
  async (deps: Deps, origin: AuditOrigin, userId: string, id: string): Promise<MailboxArchive> => {
    const mailbox = await getOwnMailbox(deps.db, id, userId)
    return open(deps, origin, mailbox, () => deps.mailServer.exportMaildir(addressOf(mailbox)))
  },
  { timeoutMs: Infinity, isSecret: true }
)

/** The same of one that was deleted and is kept. */
export const exportDeletedMailbox = workerVerb(
  'mailbox-moves.exportDeleted',
  [Origin, Id, Id],
  async (deps: Deps, origin: AuditOrigin, userId: string, id: string): Promise<MailboxArchive> => {
    const mailbox = await getDeletedMailbox(deps.db, id, userId, deps.now())
    // By then the address may be somebody else's.
    if (mailbox.keptAt === null)
      throw new AppError('CONFLICT', 'Its mail is just being put aside; try again in a moment')
    return open(deps, origin, mailbox, () => deps.mailServer.exportKept(mailbox.id))
  },
  { timeoutMs: Infinity, isSecret: true }
)

/** It counts as under way for as long as the archive is read. */
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
      // Whoever reads it hears of an error.
      const stream = pipeline(tar, createGzip({ level: constants.Z_BEST_SPEED }), () => {})
      resolve({ name: `${addressOf(mailbox)}.tar.gz`, stream })
      await finished(stream).catch(() => {})
    }
    exportLimit.run(mailbox.userId, work).catch(reject)
  })
}
