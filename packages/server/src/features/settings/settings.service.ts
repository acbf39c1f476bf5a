import type { ChangeSettings, ServerSettings } from '@panel/contract/settings'
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
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getActor } from '../users/account-access.ts'
import { findChanges, type SettingChange } from './settings-change.policy.ts'
import { settingsView } from './settings-view.ts'

type Deps = Pick<Dependencies, 'config' | 'settings' | 'db' | 'events' | 'now'>

export async function getSettings(deps: Pick<Deps, 'settings' | 'db'>, userId: string): Promise<ServerSettings> {
  const { role } = await getActor(deps.db, userId)
  const timezone = deps.settings.timezone()
  return role === 'ADMIN' ? { timezone, variables: settingsView(deps.settings) } : { timezone }
}

/** Changes that come at the same time wait for each other, so that each is checked beside what the one before has left. */
export async function changeSettings(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  input: ChangeSettings
): Promise<ServerSettings> {
  await deps.db.transaction(async (trx) => {
    await lockName(trx, 'settings')
    const stored = await listSettings(trx, variablePrefix)
    const timezone = await ensureSetting(trx, timezoneKey, runtimeTimezone)
    const changes = findChanges(deps.settings.base, { timezone, stored }, input)
    await refuseLockingOut(trx, userId, changes)
    for (const { name, after } of changes) await write(trx, name, after)
    if (changes.length === 0) return
    await recordAudit(deps, trx, origin, {
      action: 'settings.changed',
      actorId: userId,
      targetId: null,
      metadata: { changes }
    })
    await deps.events.publish(trx, { to: 'processes', name: 'settings:changed', data: {} })
  })
  // The others are told; whoever asks here next sees it.
  await deps.settings.reload()
  return getSettings(deps, userId)
}

function write(trx: Transaction, name: string, value: string | null): Promise<void> {
  const key = name === 'timezone' ? timezoneKey : `${variablePrefix}${name}`
  return value === null ? removeSetting(trx, key) : saveSetting(trx, key, value)
}

/** Whoever turns it on can sign in afterwards. */
async function refuseLockingOut(trx: Transaction, userId: string, changes: readonly SettingChange[]): Promise<void> {
  const isTurnedOn = changes.some(({ name, after }) => name === 'REQUIRE_ADMIN_2FA' && after !== null)
  if (isTurnedOn && !(await getActor(trx, userId)).totpEnabled)
    throw new AppError(
      'ADMIN_2FA_REQUIRED',
      'Turn on two-factor for your own account first: you could not sign in again'
    )
}
