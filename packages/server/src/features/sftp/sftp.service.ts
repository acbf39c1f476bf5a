import { z } from 'zod'
import { Origin } from '../audit/origin.ts'
import { Id } from '@panel/contract/common'
import { workerVerb } from '../../worker/worker-verb.ts'
import { maxSshKeys, type SftpCredentials } from '@panel/contract/sftp'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { type AuditOrigin, recordAudit, recordAuditAlone } from '../audit/recording.service.ts'
import { syncProjectDirectories } from '../files/project-directories.service.ts'
import { lockUser } from '../users/account-access.ts'
import { applyAccount } from './sftp-account.service.ts'
import { sftpAddress } from './sftp-user-view.ts'
import { newLinuxUsername, newSftpPassword } from './sftp-secrets.service.ts'
import { findSftpUser, insertSftpUser, type SftpUserRow, updateSftpUser } from './sftp-users.repository.ts'
import { fingerprintOf, formatSshKey, isSameKey, parseSshKey, type SshKey } from './ssh-key.policy.ts'

type Deps = Pick<
  Dependencies,
  'config' | 'db' | 'hostHelper' | 'logger' | 'nodeId' | 'nodes' | 'now' | 'secretBox' | 'sftpServer'
>

export const provisionSftp = workerVerb('sftp.provision', [Origin, Id], provisionSftpHere, { isSecret: true })

async function provisionSftpHere(
  deps: Deps,
  origin: AuditOrigin,
  userId: string
): Promise<{ credentials: SftpCredentials; isNew: boolean }> {
  // Creates no account if the server is down. Existing ones need no server.
  if (!(await findSftpUser(deps.db, userId))) await deps.sftpServer.ping()
  const inserted = await deps.db.transaction(async (trx) => {
    await lockUser(trx, userId)
    const row = await insertSftpUser(trx, {
      id: newId(),
      userId,
      nodeId: deps.nodeId,
      linuxUsername: newLinuxUsername(),
      encryptedPassword: deps.secretBox.seal(newSftpPassword()),
      createdAt: deps.now(),
      updatedAt: deps.now()
    })
    if (row) await recordAudit(deps, trx, origin, { action: 'sftp.provisioned', actorId: userId, targetId: row.id })
    return row
  })
  await syncProjectDirectories(deps, userId)
  const row = inserted ?? (await getSftpUser(deps, userId))
  await applyAccount(deps, row.id)
  return { credentials: await credentialsOf(deps, row), isNew: inserted !== undefined }
}

export async function getSftpUser(deps: Pick<Deps, 'db'>, userId: string): Promise<SftpUserRow> {
  return requireAccount(await findSftpUser(deps.db, userId))
}

export const showCredentials = workerVerb('sftp.credentials', [Origin, Id], showCredentialsHere, { isSecret: true })

async function showCredentialsHere(deps: Deps, origin: AuditOrigin, userId: string): Promise<SftpCredentials> {
  const row = await getSftpUser(deps, userId)
  await syncProjectDirectories(deps, userId)
  await recordAuditAlone(deps, origin, { action: 'sftp.credentials_shown', actorId: userId, targetId: row.id })
  return credentialsOf(deps, row)
}

export const rotatePassword = workerVerb('sftp.rotatePassword', [Origin, Id], rotatePasswordHere)

async function rotatePasswordHere(deps: Deps, origin: AuditOrigin, userId: string): Promise<SftpCredentials> {
  const row = await change(deps, userId, async (trx, current) => {
    await recordAudit(deps, trx, origin, { action: 'sftp.password_rotated', actorId: userId, targetId: current.id })
    return { encryptedPassword: deps.secretBox.seal(newSftpPassword()) }
  })
  return credentialsOf(deps, row)
}

export const addSshKey = workerVerb('sftp.addKey', [Origin, Id, z.string().max(16_384)], addSshKeyHere)

async function addSshKeyHere(deps: Deps, origin: AuditOrigin, userId: string, text: string): Promise<SftpUserRow> {
  const key = readKey(text)
  return change(deps, userId, async (trx, { id, sshPublicKeys }) => {
    if (sshPublicKeys.some((line) => isSameKey(line, key)))
      throw new AppError('SSH_KEY_EXISTS', 'Your SFTP account already has this key')
    if (sshPublicKeys.length >= maxSshKeys)
      throw new AppError(
        'QUOTA_EXCEEDED',
        `Your SFTP account has reached its limit of ${maxSshKeys} keys. Remove one first.`
      )
    await recordAudit(deps, trx, origin, {
      action: 'sftp.key_added',
      actorId: userId,
      targetId: id,
      metadata: { type: key.type, fingerprint: fingerprintOf(key) }
    })
    return { sshPublicKeys: [...sshPublicKeys, formatSshKey(key)] }
  })
}

export const removeSshKey = workerVerb('sftp.removeKey', [Origin, Id, z.string().max(16_384)], removeSshKeyHere)

async function removeSshKeyHere(deps: Deps, origin: AuditOrigin, userId: string, text: string): Promise<SftpUserRow> {
  const key = readKey(text)
  return change(deps, userId, async (trx, { id, sshPublicKeys }) => {
    const kept = sshPublicKeys.filter((line) => !isSameKey(line, key))
    if (kept.length === sshPublicKeys.length)
      throw new AppError('NOT_FOUND', 'Your SFTP account does not have this key')
    await recordAudit(deps, trx, origin, {
      action: 'sftp.key_removed',
      actorId: userId,
      targetId: id,
      metadata: { type: key.type, fingerprint: fingerprintOf(key) }
    })
    return { sshPublicKeys: kept }
  })
}

/** Locks the account, which ends its sessions, or unlocks it. */
export const setEnabled = workerVerb('sftp.setEnabled', [Origin, Id, z.boolean()], setEnabledHere)

async function setEnabledHere(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  isEnabled: boolean
): Promise<SftpUserRow> {
  if (isEnabled) {
    await getSftpUser(deps, userId)
    await syncProjectDirectories(deps, userId)
  }
  return change(deps, userId, async (trx, current) => {
    if (current.isEnabled !== isEnabled)
      await recordAudit(deps, trx, origin, {
        action: isEnabled ? 'sftp.enabled' : 'sftp.disabled',
        actorId: userId,
        targetId: current.id
      })
    return { isEnabled }
  })
}

type Change = Parameters<typeof updateSftpUser>[2]

async function change(
  deps: Deps,
  userId: string,
  decide: (trx: Transaction, current: SftpUserRow) => Promise<Change>
): Promise<SftpUserRow> {
  const row = await deps.db.transaction(async (trx) => {
    await lockUser(trx, userId)
    const current = requireAccount(await findSftpUser(trx, userId))
    return updateSftpUser(trx, current.id, await decide(trx, current), deps.now())
  })
  await applyAccount(deps, row.id)
  return row
}

function readKey(text: string): SshKey {
  const key = parseSshKey(text)
  if ('problem' in key) throw new AppError('SSH_KEY_INVALID', `The key ${key.problem}`)
  return key
}

async function credentialsOf(deps: Deps, row: SftpUserRow): Promise<SftpCredentials> {
  return {
    ...sftpAddress(deps),
    username: row.linuxUsername,
    password: deps.secretBox.open(row.encryptedPassword),
    isEnabled: row.isEnabled,
    hostKeys: await readHostKeys(deps)
  }
}

async function readHostKeys({ sftpServer }: Deps): Promise<string[]> {
  try {
    return [...(await sftpServer.hostKeys())]
  } catch (error) {
    if (error instanceof AdapterError && error.kind === 'sftp-unavailable') return []
    throw error
  }
}

function requireAccount(row: SftpUserRow | undefined): SftpUserRow {
  if (!row) throw new AppError('NOT_FOUND', 'You have no SFTP account yet. Create one first.')
  return row
}
