import { headerOf, prefixOf } from '@panel/contract/domain-rule-test'
import { type DomainRuleKind, responseHeaders } from '@panel/contract/domain-rules'
import { cidrPrefixes } from './cidr-prefixes.ts'
import { RouteRefusedError, type RuleSet, type StoredRule } from './reverse-proxy.ts'
import type { RouteTable } from './route-map.render.ts'

/** Rules of which at most one applies to a request share a letter in the keys of rules.map. */
const groups: readonly (readonly [letter: string, kinds: readonly DomainRuleKind[]])[] = [
  ['a', ['ACCESS']],
  ['m', ['MAINTENANCE']],
  ['p', ['REDIRECT', 'REWRITE']],
  ['l', ['LOGIN']],
  ['b', ['MAX_BODY']],
  ['t', ['TIMEOUT']]
]

const hsts = 'Strict-Transport-Security'
/** The value of a header entry has one base64 field per name, in this order. */
export const headerFields = [hsts, ...responseHeaders] as const

// Keys and values are used in admin socket commands, where `;`, blanks and line feeds have a meaning.
const linePattern = /^([a-z][=~]?[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9._~@,+=:%/-]*)?) ([A-Za-z0-9+/=:_-]+)$/

/**
 * rules.map, by which the proxy finds the rule for a path with two look-ups: the exact path (`p=<set><path>`), then the
 * longest prefix (`p~<set><path>/`). The order of the table is in the entries: each has the first rule that covers it.
 * `z=<set>` marks a set as loaded; networks and logins of a rule have entries of their own.
 */
export function renderRuleTable(sets: readonly RuleSet[]): RouteTable {
  const table: RouteTable = new Map()
  for (const { id, rules: all, passLogins = [] } of sets) {
    const rules = all.filter(({ enabled }) => enabled)
    for (const [letter, kinds] of groups)
      for (const [node, rule] of firstRules(rules.filter(({ kind }) => kinds.includes(kind))))
        table.set(keyOf(letter, id, node), valueOf(rule))
    for (const [node, value] of headerEntries(rules)) table.set(keyOf('h', id, node), value)
    for (const rule of rules) for (const key of memberKeys(rule, passLogins)) table.set(key, '1')
    table.set(`z=${id}`, '1')
  }
  for (const [key, value] of table)
    if (!linePattern.test(`${key} ${value}`)) throw new RouteRefusedError(`Invalid rule: ${JSON.stringify(key)}`)
  return table
}

/** Skips lines that renderRuleTable cannot have written. */
export function parseRuleMap(text: string): RouteTable {
  const table: RouteTable = new Map()
  for (const line of text.split('\n')) {
    const [, key, value] = linePattern.exec(line) ?? []
    if (key !== undefined && value !== undefined) table.set(key, value)
  }
  return table
}

export function ruleTableChanges(previous: RouteTable, after: RouteTable): Map<string, string | undefined> {
  const changes = new Map<string, string | undefined>()
  for (const [key, value] of after) if (previous.get(key) !== value) changes.set(key, value)
  for (const key of previous.keys()) if (!after.has(key)) changes.set(key, undefined)
  return changes
}

/** `=<path>` for exact matches, `~<path>/` for prefixes. */
type Node = string
const nodeOf = ({ match, path }: StoredRule): Node => (match === 'EXACT' ? `=${path}` : `~${prefixOf(path)}/`)
const keyOf = (letter: string, id: string, node: Node) => `${letter}${node[0]}${id}${node.slice(1)}`

/** For each path that a rule names: the first rule that covers it. Everything below meets the same rules. */
function firstRules<Rule extends StoredRule>(rules: readonly Rule[]): Map<Node, Rule> {
  const named = new Map<Node, number>()
  rules.forEach((rule, index) => {
    if (!named.has(nodeOf(rule))) named.set(nodeOf(rule), index)
  })
  const first = new Map<Node, Rule>()
  for (const [node, index] of named) {
    const above = coveringNodes(node).map((each) => named.get(each) ?? Infinity)
    first.set(node, rules[Math.min(index, ...above)]!)
  }
  return first
}

function coveringNodes(node: Node): Node[] {
  const segments = node.slice(1).split('/')
  return segments.map((_, index) => `~${segments.slice(0, index + 1).join('/')}/`)
}

function headerEntries(rules: readonly StoredRule[]): Map<Node, string> {
  const headers = rules.filter((rule) => rule.kind === 'HEADER' || rule.kind === 'HSTS')
  const perName = headerFields.map((name) => firstRules(headers.filter((rule) => headerOf(rule).name === name)))
  const nodes = new Set(headers.map(nodeOf))
  return new Map(
    [...nodes].map((node) => {
      const fields = perName.map((first) => {
        const nearest = [node, ...coveringNodes(node).toReversed()].find((each) => first.has(each))
        return nearest === undefined ? '' : base64(headerOf(first.get(nearest)!).value)
      })
      return [node, fields.join(':')]
    })
  )
}

function valueOf(rule: StoredRule): string {
  if (rule.kind === 'ACCESS') return `${rule.id}:${rule.mode === 'ALLOW' ? 'allow' : 'deny'}`
  if (rule.kind === 'LOGIN') return rule.id
  if (rule.kind === 'REWRITE') return `rewrite:0:0:${depthOf(rule)}:${targetOf(rule)}`
  if (rule.kind === 'REDIRECT')
    return `redirect:${rule.status}:${/[?#]/.test(rule.to) ? 0 : 1}:${depthOf(rule)}:${targetOf(rule)}`
  if (rule.kind === 'MAX_BODY') return String(rule.bytes)
  if (rule.kind === 'TIMEOUT') return String(rule.seconds * 1_000)
  return '1'
}

/** How many segments of the path the target replaces; `x`: all of it. */
const depthOf = ({ match, path }: StoredRule): string =>
  match === 'EXACT' ? 'x' : String(path.split('/').filter(Boolean).length)
const targetOf = ({ match, to }: StoredRule & { to: string }): string => base64(match === 'EXACT' ? to : prefixOf(to))

function memberKeys(rule: StoredRule, passLogins: readonly string[]): string[] {
  if (rule.kind === 'LOGIN')
    return [...rule.users.map(({ digest }) => `u=${digest}`), ...networkKeys(rule.id, passLogins)]
  return rule.kind === 'ACCESS' ? networkKeys(rule.id, rule.networks) : []
}

const networkKeys = (ruleId: string, networks: readonly string[]): string[] =>
  networks.flatMap(cidrPrefixes).map((prefix) => `i~${ruleId}.${prefix}`)

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
