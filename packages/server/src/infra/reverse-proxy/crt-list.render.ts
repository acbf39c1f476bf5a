import { isRoutableName } from './routable-name.ts'

/** Key type of a certificate. HAProxy prefers them in this order if several match a name. */
export type KeyKind = 'ec' | 'rsa' | 'other'

export interface CrtEntry {
  id: string
  /** First 16 digits of the fingerprint: distinguishes versions of a certificate. */
  version: string
  keyKind: KeyKind
  hostnames: readonly string[]
}

/** File name to filters (the rest of its crt-list line). */
export type CrtLines = Map<string, string>

const filePattern = /^([A-Za-z0-9_-]{1,64})-([0-9a-f]{16})\.(ec|rsa|other)\.pem$/
const preference: readonly KeyKind[] = ['other', 'rsa', 'ec']
// A line must fit into one 32 KiB buffer, both in a command and in a listing.
const filtersMaxBytes = 30_000

export const isCertificateId = (text: string): boolean => filePattern.test(crtFile(text, '0'.repeat(64), 'ec'))

const crtFile = (id: string, fingerprint: string, keyKind: KeyKind): string =>
  `${id}-${versionOf(fingerprint)}.${keyKind}.pem`

export const versionOf = (fingerprint: string): string => fingerprint.slice(0, 16)

export const fileOf = ({ id, version, keyKind }: CrtEntry): string => crtFile(id, version, keyKind)

export function parseCrtEntry(file: string, filters: string): CrtEntry | undefined {
  const [, id, version, keyKind] = filePattern.exec(file) ?? []
  const hostnames = filters.split(' ').filter(isRoutableName)
  if (id === undefined || version === undefined || hostnames.length === 0) return undefined
  return { id, version, keyKind: keyKind as KeyKind, hostnames }
}

export const fitsOnLine = (hostnames: readonly string[]): boolean => hostnames.join(' ').length <= filtersMaxBytes

/**
 * HAProxy prefers key types over exact names, so an EC wildcard would hide an exact RSA certificate. The wildcard's
 * line therefore excludes such names (`!name`), as many as fit.
 */
export function renderCrtLines(entries: readonly CrtEntry[]): CrtLines {
  const wildcards = new Map<string, CrtEntry[]>()
  for (const entry of entries)
    for (const name of entry.hostnames)
      if (name.startsWith('*.')) wildcards.set(name, [...(wildcards.get(name) ?? []), entry])
  const exclusions = new Map<CrtEntry, Set<string>>()
  for (const entry of entries)
    for (const name of entry.hostnames)
      for (const wildcard of wildcards.get(wildcardOver(name)) ?? [])
        if (hides(wildcard, entry, name)) exclusions.set(wildcard, (exclusions.get(wildcard) ?? new Set()).add(name))
  return new Map(entries.map((entry) => [fileOf(entry), renderFilters(entry, exclusions.get(entry))]))
}

/** The wildcard name that covers a hostname; a wildcard covers itself. */
export const wildcardOver = (hostname: string): string => hostname.replace(/^[^.]+/, '*')

/** Whether HAProxy would serve the wildcard certificate instead of the exact one for this name. */
export const hides = (wildcard: CrtEntry, exact: CrtEntry, name: string): boolean =>
  preference.indexOf(exact.keyKind) < preference.indexOf(wildcard.keyKind) && !wildcard.hostnames.includes(name)

export function renderCrtList(directory: string, defaultCertificate: string, lines: CrtLines): string {
  return [defaultCertificate, ...[...lines].map(([file, filters]) => `${directory}/${file} ${filters}`), ''].join('\n')
}

export function parseCrtList(directory: string, text: string): CrtEntry[] {
  return text.split('\n').flatMap((line) => {
    const [path = '', ...filters] = line.split(' ')
    if (!path.startsWith(`${directory}/`)) return []
    return parseCrtEntry(path.slice(directory.length + 1), filters.join(' ')) ?? []
  })
}

function renderFilters({ hostnames }: CrtEntry, exclusions: ReadonlySet<string> = new Set()): string {
  let filters = hostnames.join(' ')
  for (const name of [...exclusions].sort()) {
    if (filters.length + name.length + 2 > filtersMaxBytes) break
    filters += ` !${name}`
  }
  return filters
}
