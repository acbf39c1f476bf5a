import type { Dependencies } from '../../dependencies.ts'
import { tryApplyAccount } from './sftp-account.service.ts'
import { listLinuxUsernames, listOutdatedSftpUsers, markUnappliedExcept } from './sftp-users.repository.ts'

type Deps = Pick<Dependencies, 'db' | 'hostHelper' | 'secretBox' | 'logger'>

const inARound = 20
/** Per process: each compares once after its start, and what a second one finds is done. */
const compared = new WeakSet<Dependencies['hostHelper']>()

/** Brings the accounts of the machine to what the rows say: a few in a round, and all that differ once the panel has started. */
export async function reconcileSftp(deps: Deps): Promise<'again' | 'done'> {
  if (!compared.has(deps.hostHelper)) {
    await compareWithMachine(deps)
    compared.add(deps.hostHelper)
  }
  const outdated = await listOutdatedSftpUsers(deps.db, inARound)
  for (const id of outdated) await tryApplyAccount(deps, id)
  return outdated.length > 0 ? 'again' : 'done'
}

/**
 * A restored server may lack accounts, and an older store know none of those that are there. One of those that are there is applied too:
 * with it, the machine's own SSH server is looked at.
 */
async function compareWithMachine({ db, hostHelper }: Deps): Promise<void> {
  const wanted = await listLinuxUsernames(db)
  if (wanted.length === 0 && process.getuid?.() !== 0) return
  const found = await hostHelper.listAccounts()
  for (const name of found) if (!wanted.includes(name)) await hostHelper.removeAccount(name)
  const kept = found.filter((name) => wanted.includes(name))
  if (wanted.length > 0) await markUnappliedExcept(db, kept.slice(1))
}
