import { Id } from '@panel/contract/common'
import { workerVerb } from '../../worker/worker-verb.ts'
import { withLock } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import { deleteSftpUser, findSftpAccount, recordApplied } from './sftp-users.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'hostHelper' | 'secretBox'>

// What was read before a change must not reach the machine after it.
const lock = {
  waitMs: 30_000,
  ifHeld: () => {
    throw new AppError('SFTP_UNAVAILABLE', 'This SFTP account is being changed just now; try again in a moment', {
      remedy: 'TRY_AGAIN'
    })
  }
}

/** Gives the machine all that the row says, whatever it had before. Rejects with SFTP_UNAVAILABLE; then the reconcile loop tries again. */
export const applyAccount = workerVerb('sftp.apply', [Id], applyAccountHere)

async function applyAccountHere(deps: Deps, id: string): Promise<void> {
  await withLock(deps.db, `sftp-account:${id}`, lock, async () => {
    const { db, hostHelper, secretBox } = deps
    const row = await findSftpAccount(db, id)
    if (!row) return
    const { linuxUsername } = row
    if (row.removedAt !== null) {
      await hostHelper.removeAccount(linuxUsername)
      await deleteSftpUser(db, id)
      return
    }
    await hostHelper.createAccount(linuxUsername, row.uid)
    if (row.isEnabled && !row.isSuspended) {
      await hostHelper.setKeys(linuxUsername, row.sshPublicKeys)
      await hostHelper.setPassword(linuxUsername, secretBox.open(row.encryptedPassword))
      await hostHelper.unlockAccount(linuxUsername)
    } else {
      // Keys and password follow when it is opened again.
      await hostHelper.lockAccount(linuxUsername)
    }
    await recordApplied(db, id, row.revision)
  })
}

/** After a commit whose answer does not wait for it: what it could not do, the reconcile loop does. */
export async function tryApplyAccount(
  deps: Deps & Pick<Dependencies, 'logger'>,
  id: string | undefined
): Promise<void> {
  if (id === undefined) return
  try {
    await applyAccount(deps, id)
  } catch (error) {
    deps.logger.warn({ sftpUser: id, error: messageOf(error) }, 'SFTP account lags behind')
  }
}
