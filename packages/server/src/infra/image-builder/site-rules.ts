import type { DetectionNote } from './build-plan.ts'

/** What `_redirects` and `_headers` of a site say, in the format that Netlify and Cloudflare Pages read. */
export interface SiteRules {
  redirects: readonly Redirect[]
  headers: readonly HeaderRule[]
  /** Lines that are skipped, with their file and number. */
  skipped: readonly string[]
}

export interface Redirect {
  /** A regular expression of RE2 and PCRE for the decoded path. */
  pattern: string
  /** Text, and numbers of groups of the pattern. */
  target: readonly (string | number)[]
  status: RedirectStatus
  /** Also if there is a file at the path. */
  isForced: boolean
}

export interface HeaderRule {
  pattern: string
  headers: readonly (readonly [name: string, value: string])[]
}

const statuses = [200, 301, 302, 303, 307, 308, 404] as const
export type RedirectStatus = (typeof statuses)[number]

/** As much as a web server evaluates for each request without noticeable time. */
const maxRules = 500

/** A note for the log of a deployment. */
export const skippedRules = ({ skipped }: Pick<SiteRules, 'skipped'>): DetectionNote[] =>
  skipped.length === 0 ? [] : [{ code: 'SITE_RULES_SKIPPED', values: { lines: skipped.slice(0, 20).join(', ') } }]

export function parseSiteRules({
  redirects = '',
  headers = ''
}: {
  redirects?: string | undefined
  headers?: string | undefined
}): SiteRules {
  const skipped: string[] = []
  const skip = (file: string, line: number) => skipped.push(`${file}:${line + 1}`)
  return {
    redirects: parseRedirects(redirects, (line) => skip('_redirects', line)),
    headers: parseHeaders(headers, (line) => skip('_headers', line)),
    skipped
  }
}

type Skip = (line: number) => void

const linesOf = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trimEnd())

function parseRedirects(text: string, skip: Skip): Redirect[] {
  const found: Redirect[] = []
  for (const [at, line] of linesOf(text).entries()) {
    const words = line.trim().split(/\s+/)
    if (line.trim() === '' || words[0]!.startsWith('#')) continue
    const redirect = found.length < maxRules ? redirectOf(words) : undefined
    if (redirect) found.push(redirect)
    else skip(at)
  }
  return found
}

function redirectOf(words: readonly string[]): Redirect | undefined {
  const comment = words.findIndex((word) => word.startsWith('#'))
  const [from, to, code = '301', ...more] = comment === -1 ? words : words.slice(0, comment)
  const status = statuses.find((known) => String(known) === code.replace(/!$/, ''))
  // Conditions on the query, the country or the language.
  if (from === undefined || to === undefined || status === undefined || more.length > 0) return undefined
  const path = pathPattern(from)
  const isOfSite = /^\/(?!\/)/.test(to)
  if (path === undefined || !(isOfSite || /^https?:\/\/[^/]/i.test(to)) || !isSafe(to)) return undefined
  if (!isOfSite && (status === 200 || status === 404)) return undefined
  const target = targetOf(to, path.names)
  return target && { pattern: path.pattern, target, status, isForced: code.endsWith('!') }
}

/** Nothing that ends a word or names a variable in a configuration of Apache or Caddy, and no text outside of ASCII. */
const isSafe = (text: string): boolean => /^[\x21\x23-\x5b\x5d\x5e\x5f\x61-\x7a\x7c\x7e]+$/.test(text)

/** `*` at the end matches the rest of the path, `:name` one part of it. */
function pathPattern(from: string): { pattern: string; names: readonly string[] } | undefined {
  const path = decoded(from)
  if (path === undefined || !path.startsWith('/') || /[\s"\\`{}#?\p{C}]/u.test(path)) return undefined
  const isOpen = path.endsWith('/*')
  const parts = path
    .replace(/\/\*?$/, '')
    .split('/')
    .slice(1)
  if (parts.some((part) => part.includes('*'))) return undefined
  const names = parts.flatMap((part) => (isName(part) ? [part.slice(1)] : []))
  const own = parts.map((part) => `/${isName(part) ? '([^/]+)' : part.replace(/[.*+?^$()[\]|-]/g, '\\$&')}`).join('')
  return isOpen ? { pattern: `^${own}(?:/(.*))?$`, names: [...names, 'splat'] } : { pattern: `^${own}/?$`, names }
}

const isName = (part: string): boolean => /^:[A-Za-z_]\w*$/.test(part)

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Undefined if it names a part that the path does not have. */
function targetOf(to: string, names: readonly string[]): Redirect['target'] | undefined {
  const pieces: (string | number)[] = []
  let from = 0
  // Not the port of an address.
  for (const match of to.matchAll(/:([A-Za-z_]\w*)/g)) {
    const group = names.indexOf(match[1]!) + 1
    if (group === 0) return undefined
    if (match.index > from) pieces.push(to.slice(from, match.index))
    pieces.push(group)
    from = match.index + match[0].length
  }
  if (from < to.length) pieces.push(to.slice(from))
  return pieces
}

/** Those that belong to the connection, or that the web server computes. */
const ownHeaders =
  /^(connection|content-(encoding|length|range)|date|host|keep-alive|server|te|trailer|transfer-encoding|upgrade)$/i

function parseHeaders(text: string, skip: Skip): HeaderRule[] {
  const found: { pattern: string; headers: [string, string][] }[] = []
  let current: (typeof found)[number] | undefined
  let count = 0
  for (const [at, line] of linesOf(text).entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue
    if (!/^\s/.test(line)) {
      const path = /^\S+$/.test(line) ? pathPattern(line) : undefined
      current = path && { pattern: path.pattern, headers: [] }
      if (current) found.push(current)
      else skip(at)
      continue
    }
    const [, name = '', value = ''] = /^\s+([!#$%&'*+.^_|~0-9A-Za-z-]+):\s*(.*)$/.exec(line) ?? []
    const isUsable = name !== '' && value !== '' && !ownHeaders.test(name) && /^[\x20-\x7e]*$/.test(value)
    // `${` and `{$` name variables in configurations of Apache and Caddy.
    if (current && isUsable && !/\$\{|\{\$|`|\\/.test(value) && ++count <= maxRules) current.headers.push([name, value])
    else skip(at)
  }
  return found.filter(({ headers }) => headers.length > 0)
}
