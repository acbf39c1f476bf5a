import { Id } from '@panel/contract/common'
import { workerVerb } from '../../worker/worker-verb.ts'
import { withLock } from '../../db/lock.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { messageOf } from '../../text/message-of.ts'
import { deleteSftpUser, findSftpAccount, recordApplied } from './sftp-users.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'hostHelper' | 'secretBox'>

// Prevents stale settings from being applied after a newer change.
const lock = {
  waitMs: 30_000,
  ifHeld: () => {
    throw new AppError(
      'SFTP_UNAVAILABLE',
      'Another change to this SFTP account is in progress. Try again in a moment.',
      {
        remedy: 'TRY_AGAIN'
      }
    )
  }
}

/** Idempotent. Rejects with SFTP_UNAVAILABLE; the reconciler then retries. */
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
      await hostHelper.lockAccount(linuxUsername)
    }
    await recordApplied(db, id, row.revision)
  })
}

export async function tryApplyAccount(
  deps: Deps & Pick<Dependencies, 'logger'>,
  id: string | undefined
): Promise<void> {
  if (id === undefined) return
  try {
    await applyAccount(deps, id)
  } catch (error) {
    deps.logger.warn({ sftpUser: id, error: messageOf(error) }, 'Could not apply SFTP account')
  }
}
