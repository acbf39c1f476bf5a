import { ChangeSettings, type ServerSettings } from '@panel/contract/settings'
import { z } from 'zod'
import { sampleRepository } from '../../config/git.ts'
import { decryptedSettings } from '../../config/live-settings.ts'
import { secretVariables } from '../../config/variable-facts.ts'
import type { Transaction } from '../../db/database.ts'
import { lockName } from '../../db/lock.ts'
import {
  ensureSetting,
  listSettings,
  removeSetting,
  saveSetting,
  timezoneKey,
  variablePrefix
} from '../../db/settings.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { runtimeTimezone } from '../../time/timezone.policy.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getActor } from '../users/account-access.ts'
import { findChanges, type SettingChange, shownChange } from './settings-change.policy.ts'
import { settingsView } from './settings-view.ts'

type Deps = Pick<Dependencies, 'config' | 'settings' | 'db' | 'events' | 'now' | 'secretBox'>

export async function getSettings(deps: Pick<Deps, 'settings' | 'db'>, userId: string): Promise<ServerSettings> {
  const { role } = await getActor(deps.db, userId)
  const known = { timezone: deps.settings.timezone(), sampleRepository: sampleRepository(deps.settings.config) }
  return role === 'ADMIN' ? { ...known, variables: settingsView(deps.settings) } : known
}

/** Resolves when the web process and worker have the new values; other processes follow shortly. */
export async function changeSettings(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  input: ChangeSettings
): Promise<ServerSettings> {
  await saveSettings(deps, origin, userId, input)
  await deps.settings.reload()
  return getSettings(deps, userId)
}

/** Runs in the worker, which has the key for secrets. */
const saveSettings = workerVerb('settings.save', [Origin, z.string(), ChangeSettings], saveSettingsHere)

/** Serialized by a lock, so that each change is validated against the previous one. */
async function saveSettingsHere(deps: Deps, origin: AuditOrigin, userId: string, input: ChangeSettings): Promise<void> {
  await deps.db.transaction(async (trx) => {
    await lockName(trx, 'settings')
    const stored = decryptedSettings(await listSettings(trx, variablePrefix), deps.secretBox)
    const timezone = await ensureSetting(trx, timezoneKey, runtimeTimezone)
    const changes = findChanges(deps.settings.base, { timezone, stored }, input)
    await refuseLockingOut(trx, userId, changes)
    for (const { name, after } of changes) await write(deps, trx, name, after)
    if (changes.length === 0) return
    await recordAudit(deps, trx, origin, {
      action: 'settings.changed',
      actorId: userId,
      targetId: null,
      metadata: { changes: changes.map(shownChange) }
    })
    await deps.events.publish(trx, { to: 'processes', name: 'settings:changed', data: {} })
  })
  await deps.settings.reload()
}

function write(
  { secretBox }: Pick<Deps, 'secretBox'>,
  trx: Transaction,
  name: string,
  value: string | null
): Promise<void> {
  const key = name === 'timezone' ? timezoneKey : `${variablePrefix}${name}`
  if (value === null) return removeSetting(trx, key)
  return saveSetting(trx, key, secretVariables.has(name) ? secretBox.seal(value) : value)
}

/** An administrator without two-factor must not enable REQUIRE_ADMIN_2FA, which would lock them out. */
async function refuseLockingOut(trx: Transaction, userId: string, changes: readonly SettingChange[]): Promise<void> {
  const isTurnedOn = changes.some(({ name, after }) => name === 'REQUIRE_ADMIN_2FA' && after !== null)
  if (isTurnedOn && !(await getActor(trx, userId)).totpEnabled)
    throw new AppError(
      'ADMIN_2FA_REQUIRED',
      'Enable two-factor for your own account first. Otherwise you could not sign in again.'
    )
}
