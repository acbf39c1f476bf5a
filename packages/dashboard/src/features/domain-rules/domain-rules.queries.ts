import type { DomainRule, DomainRuleKind, DomainRuleTestQuery, SaveDomainRules } from '@panel/contract/domain-rules'
import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'

export type { DomainRule, DomainRuleKind }
export type RuleOf<K extends DomainRuleKind> = Extract<DomainRule, { kind: K }>

/** Below the domain’s key, which live events invalidate. */
export const rulesQuery = (id: string) =>
  queryOptions({
    queryKey: ['domains', id, 'rules'],
    queryFn: () => data(api.GET('/api/domains/{id}/rules', { params: { path: { id } } }))
  })

export const saveRules = (id: string, body: SaveDomainRules) =>
  data(api.PUT('/api/domains/{id}/rules', { params: { path: { id } }, body }))

export const testRules = (id: string, query: DomainRuleTestQuery) =>
  data(api.GET('/api/domains/{id}/rules/test', { params: { path: { id }, query } }))
