import type { DomainRule, DomainRuleKind, DomainRuleTest } from './domain-rules.ts'

export interface RuleRequest {
  isHttps: boolean
  /** As the client sends it, without the query string. */
  path: string
  /** Without `?`; undefined if there is none. */
  query?: string | undefined
  /** Whether the client is in one of these networks. */
  isIn(networks: readonly string[]): boolean
}

type RuleOf<K extends DomainRuleKind> = Extract<DomainRule, { kind: K }>

/** What the proxy does with a request: the reference for the maps that `rule-map.render.ts` writes. */
export function testRules(rules: readonly DomainRule[], request: RuleRequest): DomainRuleTest {
  const sent = mergeSlashes(request.path)
  const decoded = mergeSlashes(decode(request.path))
  const result: DomainRuleTest = { matches: [], status: null, location: null, path: request.path, headers: {} }
  if (isAmbiguous(request.path, decoded)) return { ...result, status: 400 }
  const find = <K extends DomainRuleKind>(kinds: readonly K[], path: string): RuleOf<K> | undefined =>
    rules.find((rule): rule is RuleOf<K> => rule.enabled && includes(kinds, rule.kind) && isMatch(rule, path))
  const met = (rule: DomainRule) => result.matches.push({ number: rules.indexOf(rule) + 1, kind: rule.kind })
  const answer = (rule: DomainRule, status: number, location: string | null = null): DomainRuleTest => {
    met(rule)
    return { ...result, status, location }
  }
  for (const rule of headerRules(rules, decoded, request.isHttps)) {
    met(rule)
    result.headers[headerOf(rule).name] = headerOf(rule).value
  }
  const access = find(['ACCESS'], decoded)
  if (access && request.isIn(access.networks) !== (access.mode === 'ALLOW')) return answer(access, 403)
  const maintenance = find(['MAINTENANCE'], decoded)
  if (maintenance) return answer(maintenance, 503)
  const moved = find(['REDIRECT', 'REWRITE'], sent)
  if (moved?.kind === 'REDIRECT') return answer(moved, moved.status, redirectLocation(moved, request))
  const login = find(['LOGIN'], decoded)
  if (login) return answer(login, 401)
  if (moved) {
    met(moved)
    result.path = moved.match === 'EXACT' ? moved.to : withRest(moved.to, restOf(moved, sent))
  }
  for (const rule of [find(['MAX_BODY'], decoded), find(['TIMEOUT'], decoded)]) if (rule) met(rule)
  return result
}

function redirectLocation(rule: RuleOf<'REDIRECT'>, { path, query }: RuleRequest): string {
  const to = rule.match === 'EXACT' ? rule.to : withRest(rule.to, restOf(rule, mergeSlashes(path)))
  return query === undefined || /[?#]/.test(rule.to) ? to : `${to}?${query}`
}

/** The target, without its slash at the end, and what the path has below the rule's: empty, or from a slash on. */
const withRest = (to: string, rest: string): string => `${prefixOf(to)}${rest}` || '/'

const restOf = ({ path }: DomainRule, sent: string): string => sent.slice(prefixOf(path).length)

export const headerOf = (rule: RuleOf<'HEADER' | 'HSTS'>): { name: string; value: string } =>
  rule.kind === 'HEADER'
    ? { name: rule.name, value: rule.value }
    : {
        name: 'Strict-Transport-Security',
        value: `max-age=${rule.maxAgeSeconds}${rule.includeSubdomains ? '; includeSubDomains' : ''}${rule.preload ? '; preload' : ''}`
      }

function headerRules(rules: readonly DomainRule[], path: string, isHttps: boolean): RuleOf<'HEADER' | 'HSTS'>[] {
  const seen = new Set<string>()
  return rules.filter((rule): rule is RuleOf<'HEADER' | 'HSTS'> => {
    if (!rule.enabled || (rule.kind !== 'HEADER' && rule.kind !== 'HSTS') || !isMatch(rule, path)) return false
    if (rule.kind === 'HSTS' && !isHttps) return false
    const { name } = headerOf(rule)
    const isFirst = !seen.has(name)
    seen.add(name)
    return isFirst
  })
}

export const prefixOf = (path: string): string => path.replace(/\/$/, '')

const isMatch = ({ match, path }: DomainRule, of: string): boolean =>
  match === 'EXACT' ? of === path : `${of}/`.startsWith(`${prefixOf(path)}/`)

// Sites decode paths and merge slashes: /%61dmin and //admin must meet the rules of /admin.
const mergeSlashes = (path: string): string => path.replace(/\/{2,}/g, '/')
const decode = (path: string): string =>
  path.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
const isAmbiguous = (sent: string, decoded: string): boolean =>
  sent.includes('%00') || decoded.includes('\\') || /(^|\/)\.\.?(\/|$)/.test(decoded)

const includes = <K extends string>(list: readonly K[], value: string): value is K =>
  (list as readonly string[]).includes(value)
