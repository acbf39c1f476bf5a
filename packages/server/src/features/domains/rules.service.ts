import { Id } from '@panel/contract/common'
import { testRules } from '@panel/contract/domain-rule-test'
import {
  type DomainRule,
  type DomainRules,
  type DomainRuleTest,
  type DomainRuleTestQuery,
  SaveDomainRules
} from '@panel/contract/domain-rules'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { StoredRule } from '../../infra/reverse-proxy/reverse-proxy.ts'
import { networkContains } from '../../net/plain-address.ts'
import { newId } from '../../security/ids.ts'
import { loginDigest } from '../../security/login-digest.ts'
import { proxyLoginKey } from '../../security/proxy-proof.ts'
import { messageOf } from '../../text/message-of.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { getOwnDomain, lockOwnDomain, requireActive } from './domain-access.ts'
import type { DomainRow } from './domains.repository.ts'
import { findRedirectLoop } from './redirect-loop.policy.ts'
import { applyRoutes, withRoutes } from './routing.service.ts'
import { findRules, listOtherSites, listRuleSets, type RulesRow, saveRules } from './rules.repository.ts'

/** Each takes memory of the proxy, which all accounts share. */
const maxRulesOfAccount = 10_000

export async function getRules({ db }: Pick<Dependencies, 'db'>, userId: string, id: string): Promise<DomainRules> {
  await getOwnDomain(db, id, userId)
  return viewOf(await findRules(db, id))
}

export const saveDomainRules = workerVerb('domains.saveRules', [Origin, Id, Id, SaveDomainRules], saveRulesHere)

async function saveRulesHere(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  id: string,
  input: SaveDomainRules
): Promise<DomainRules> {
  const { before, after, domain } = await accountTransaction(deps.db, userId, async (trx) => {
    const domain = requireActive(await lockOwnDomain(trx, id, userId))
    const before = await findRules(trx, id)
    if (before.version !== input.version)
      throw new AppError('CONFLICT', 'Someone else changed these rules. Reload them and try again.')
    const rules = toStored(input.rules, before.rules, proxyLoginKey(deps.config))
    const others = await listOtherSites(trx, userId, id)
    const total = others.reduce((sum, site) => sum + site.rules.length, rules.length)
    if (total > maxRulesOfAccount)
      throw new AppError('QUOTA_EXCEEDED', `An account can have ${maxRulesOfAccount} rules. Delete some first.`)
    const loop = findRedirectLoop({ ...domain, rules }, others)
    if (loop) throw new AppError('REDIRECT_LOOP', `These redirects form a loop: ${loop.slice(0, 5).join(' → ')}`)
    const after = { rules, version: before.version + 1 }
    await saveRules(trx, id, rules, { version: after.version, now: deps.now() })
    await recordAudit(deps, trx, origin, {
      action: 'domain.rules_changed',
      actorId: userId,
      targetId: id,
      metadata: { hostname: domain.hostname, rules: rules.length, kinds: [...new Set(rules.map(({ kind }) => kind))] }
    })
    return { before, after, domain }
  })
  await tryApplyRules(deps, domain, before)
  return viewOf(after)
}

/** Logs failures and leaves them to the reconciler. */
async function tryApplyRules(deps: Dependencies, domain: DomainRow, before: RulesRow): Promise<void> {
  try {
    // Without rules there is no set in the proxy yet; one that only changes is not marked as loaded again.
    const old = before.rules.length === 0 ? [] : [{ id: domain.id, rules: before.rules }]
    // The set before the route that names it, and the other way round if it goes.
    const isGone = await withRoutes(deps, async () => {
      const { rules } = await findRules(deps.db, domain.id)
      if (rules.length > 0) await deps.proxy.changeRules(old, [{ id: domain.id, rules }])
      return rules.length === 0
    })
    if (isGone || before.rules.length === 0) await applyRoutes(deps, [domain])
    if (isGone)
      await withRoutes(deps, async () => {
        const { rules } = await findRules(deps.db, domain.id)
        if (rules.length === 0) await deps.proxy.changeRules(old, [])
      })
  } catch (error) {
    deps.logger.warn({ error: messageOf(error), domain: domain.hostname }, 'Could not apply domain rules')
  }
}

export const syncAllRules = (deps: Pick<Dependencies, 'db' | 'proxy'>): Promise<boolean> =>
  withRoutes(deps, async () => deps.proxy.syncRules(await listRuleSets(deps.db)))

export async function testDomainRules(
  { db }: Pick<Dependencies, 'db'>,
  userId: string,
  id: string,
  { url, address }: DomainRuleTestQuery
): Promise<DomainRuleTest> {
  const { hostname } = await getOwnDomain(db, id, userId)
  const { rules } = await findRules(db, id)
  // Not `new URL`, which would resolve what the proxy gets as it is.
  const [, scheme, host = '', path = '', query] = /^(https?):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(url) ?? []
  const name = host.replace(/:[0-9]+$/, '').toLowerCase()
  if (name !== hostname && name.replace(/^[^.]+/, '*') !== hostname)
    throw new AppError('VALIDATION_ERROR', `The URL must be one of ${hostname}`, {
      details: [{ path: 'url', message: `must be one of ${hostname}` }]
    })
  const isIn = (networks: readonly string[]) =>
    address !== undefined && networks.some((network) => networkContains(network, address))
  return testRules(rules, { isHttps: scheme === 'https', path: path === '' ? '/' : path, query, isIn })
}

/** Ids that the domain does not have are replaced: they are part of the keys of the proxy's map. */
function toStored(rules: readonly DomainRule[], before: readonly StoredRule[], loginKey: string): StoredRule[] {
  const known = new Map(before.map((rule) => [rule.id, rule]))
  return rules.map((rule, index) => {
    const previous = rule.id === undefined ? undefined : known.get(rule.id)
    if (rule.id !== undefined) known.delete(rule.id)
    const id = previous?.id ?? newId()
    if (rule.kind !== 'LOGIN') return { ...rule, id }
    const digests = new Map(
      previous?.kind === 'LOGIN' ? previous.users.map((user) => [user.username, user.digest]) : []
    )
    const users = rule.users.map(({ username, password }, number) => {
      const digest = password === undefined ? digests.get(username) : loginDigest(loginKey, id, username, password)
      if (digest === undefined) throw passwordMissing(`rules.${index}.users.${number}.password`)
      return { username, digest }
    })
    return { ...rule, id, users }
  })
}

const passwordMissing = (path: string) =>
  new AppError('VALIDATION_ERROR', 'A new user needs a password', { details: [{ path, message: 'must be set' }] })

const viewOf = ({ rules, version }: RulesRow): DomainRules => ({
  version,
  rules: rules.map((rule) =>
    rule.kind === 'LOGIN' ? { ...rule, users: rule.users.map(({ username }) => ({ username })) } : rule
  )
})
