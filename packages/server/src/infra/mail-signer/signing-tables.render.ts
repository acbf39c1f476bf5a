import { assertMailDomain } from '../mail-server/mail-names.ts'

/** RFC 6376 §3.1; ours consist of one label. */
export function assertSelector(selector: string): void {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(selector))
    throw new TypeError(`Not a selector: ${JSON.stringify(selector).slice(0, 100)}`)
}

const keyName = (domain: string, selector: string): string => `${selector}._domainkey.${domain}`

export function renderKeyLines(domain: string, keys: readonly { selector: string; path: string }[]): string[] {
  assertMailDomain(domain)
  return keys.map(({ selector, path }) => {
    assertSelector(selector)
    if (/[\s:]/.test(path)) throw new TypeError(`Not a path of a key: ${path}`)
    return `${keyName(domain, selector)} ${domain}:${selector}:${path}`
  })
}

export function renderSigningLine(domain: string, selector: string): string {
  assertMailDomain(domain)
  assertSelector(selector)
  return `${domain} ${keyName(domain, selector)}`
}

export function replaceLines(text: string, domain: string, lines: readonly string[]): string {
  const others = text.split('\n').filter((line) => line !== '' && domainOf(line) !== domain)
  return [...others, ...lines].map((line) => `${line}\n`).join('')
}

export const readKeyTable = (text: string): Map<string, string> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, key, path] = /^\S+ ([^\s:]+:[^\s:]+):(\S+)$/.exec(line) ?? []
      return key !== undefined && path !== undefined ? [[key, path] as const] : []
    })
  )

export const readSigningTable = (text: string): Map<string, string> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [domain, name] = line.split(' ')
      return domain && name ? [[domain, name.split('._domainkey.')[0]!] as const] : []
    })
  )

const domainOf = (line: string): string => (line.split(' ')[0] ?? '').replace(/^.*\._domainkey\./, '')
