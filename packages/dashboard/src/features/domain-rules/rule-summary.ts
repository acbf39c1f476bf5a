import { headerOf } from '@panel/contract/domain-rule-test'
import type { Formats } from '../../i18n/formats.ts'
import type { Translate } from '../../i18n/messages.ts'
import type { DomainRule, DomainRuleKind, RuleOf } from './domain-rules.queries.ts'
import type english from './domain-rules.en.json'

type T = Translate<typeof english>

const header = (rule: RuleOf<'HEADER' | 'HSTS'>) => `${headerOf(rule).name}: ${headerOf(rule).value}`

const summaries: { [K in DomainRuleKind]: (rule: RuleOf<K>, t: T, formats: Formats) => string } = {
  ACCESS: ({ mode, networks }, t) => t(`access.${mode}`, { networks: networks.join(', ') }),
  MAINTENANCE: (_rule, t) => t('effect.MAINTENANCE'),
  REDIRECT: ({ to, status }, t) => t('effect.REDIRECT', { to, status }),
  LOGIN: ({ users }, t) => t('effect.LOGIN', { users: users.map(({ username }) => username).join(', ') }),
  REWRITE: ({ to }, t) => t('effect.REWRITE', { to }),
  MAX_BODY: ({ bytes }, t, formats) => t('effect.MAX_BODY', { size: formats.bytes(bytes) }),
  TIMEOUT: ({ seconds }, t, formats) => t('effect.TIMEOUT', { duration: formats.duration(seconds) }),
  HEADER: header,
  HSTS: header
}

/** What a rule does, in a few words. */
export const summaryOf = (rule: DomainRule, t: T, formats: Formats): string =>
  (summaries[rule.kind] as (rule: DomainRule, t: T, formats: Formats) => string)(rule, t, formats)
