import type { Dependencies } from '../../dependencies.ts'
import { tryApplyAccount } from './sftp-account.service.ts'
import { listLinuxUsernames, listOutdatedSftpUsers, markUnappliedExcept } from './sftp-users.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'hostHelper' | 'secretBox' | 'logger'>

const batchSize = 20
const compared = new WeakSet<Dependencies['hostHelper']>()

export async function reconcileSftp(deps: Deps): Promise<'again' | 'done'> {
  if (!compared.has(deps.hostHelper)) {
    await compareWithSystem(deps)
    compared.add(deps.hostHelper)
  }
  const outdated = await listOutdatedSftpUsers(deps.db, batchSize)
  for (const id of outdated) await tryApplyAccount(deps, id)
  return outdated.length > 0 ? 'again' : 'done'
}

/** After a restore, accounts may be missing or unknown. Re-applying one also checks the system's sshd. */
async function compareWithSystem({ db, hostHelper }: Deps): Promise<void> {
  const wanted = await listLinuxUsernames(db)
  if (wanted.length === 0 && process.getuid?.() !== 0) return
  const found = await hostHelper.listAccounts()
  for (const name of found) if (!wanted.includes(name)) await hostHelper.removeAccount(name)
  const kept = found.filter((name) => wanted.includes(name))
  if (wanted.length > 0) await markUnappliedExcept(db, kept.slice(1))
}
