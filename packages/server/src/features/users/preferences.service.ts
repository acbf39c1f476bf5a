import type { UpdatePreferences } from '@panel/contract/accounts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { canonicalTimezone } from '../../time/timezone.policy.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { lockAccount } from './account-access.ts'
import { changed } from './changed-values.policy.ts'
import { updateUser, type UserRow } from './users.repository.ts'

/** Changes the caller's own preferences; omitted members are unchanged. */
export async function updatePreferences(
  deps: Pick<Dependencies, 'config' | 'db' | 'now'>,
  origin: AuditOrigin,
  userId: string,
  input: UpdatePreferences
): Promise<UserRow> {
  const wanted = {
    ...input,
    locale: canonical('locale', input.locale, canonicalLocale, 'must be a language tag such as de or pt-BR'),
    timezone: canonical('timezone', input.timezone, canonicalTimezone, 'must be a name such as Europe/Berlin')
  }
  return deps.db.transaction(async (trx) => {
    const { actor } = await lockAccount(trx, userId, userId)
    const values = changed(actor, wanted)
    if (Object.keys(values).length === 0) return actor
    const user = await updateUser(trx, userId, values, deps.now())
    await recordAudit(deps, trx, origin, {
      action: 'user.updated',
      actorId: userId,
      targetId: userId,
      metadata: values
    })
    return user
  })
}

function canonical(
  member: keyof UpdatePreferences,
  text: string | null | undefined,
  canonicalOf: (text: string) => string | undefined,
  message: string
): string | null | undefined {
  if (text === null || text === undefined) return text
  const found = canonicalOf(text)
  if (found === undefined)
    throw new AppError('VALIDATION_ERROR', `${member} ${message}`, { details: [{ path: member, message }] })
  return found
}

function canonicalLocale(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}
