import type { SpamSettings, UpdateSpamSettings } from '@panel/contract/mail-spam'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { getOwnDomain } from '../domains/domain-access.ts'
import type { DomainRow } from '../feature.ts'
import { lockForMail, refuseWithoutMail } from '../mailboxes/mail-domain-access.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { findSpamSettings, saveSpamSettings } from './mail-spam.repository.ts'
import { tryApplySpam } from './spam-apply.service.ts'
import { changedRules, defaultRules, rulesProblem, type SpamRules } from './spam-settings.policy.ts'

export async function getSpamSettings(
  deps: Pick<Dependencies, 'config' | 'db'>,
  userId: string,
  domainId: string
): Promise<SpamSettings> {
  const domain = await getOwnDomain(deps.db, domainId, userId)
  return spamSettingsView(deps, domain, (await findSpamSettings(deps.db, domainId)) ?? defaultRules)
}

export async function updateSpamSettings(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  domainId: string,
  input: UpdateSpamSettings
): Promise<SpamSettings> {
  refuseWithoutMail(deps)
  const { domain, rules } = await accountTransaction(deps.db, userId, async (trx) => {
    const domain = await lockForMail(deps, trx, domainId, userId)
    const rules = changedRules((await findSpamSettings(trx, domainId)) ?? defaultRules, input)
    const problem = rulesProblem(rules)
    if (problem !== undefined) throw new AppError('VALIDATION_ERROR', problem)
    await saveSpamSettings(trx, domainId, rules, deps.now())
    await recordAudit(deps, trx, origin, {
      action: 'mail_spam.updated',
      actorId: userId,
      targetId: domainId,
      metadata: { domain: domain.hostname, changed: Object.keys(input) }
    })
    return { domain, rules }
  })
  if (deps.config.MAIL_SPAM_FILTER) await tryApplySpam(deps, domain.hostname)
  return spamSettingsView(deps, domain, rules)
}

const spamSettingsView = (
  { config }: Pick<Dependencies, 'config'>,
  { id, hostname }: DomainRow,
  rules: SpamRules
): SpamSettings => ({
  domainId: id,
  domain: hostname,
  filter: config.MAIL && config.MAIL_SPAM_FILTER ? 'on' : 'off',
  enabled: rules.isEnabled,
  junkScore: rules.junkScore,
  refuseScore: rules.refuseScore,
  greylisting: rules.isGreylisting,
  allow: [...rules.allow],
  deny: [...rules.deny]
})
