import { isRoutableName } from './routable-name.ts'

/** Kind of a certificate's key. HAProxy prefers them in this order where it has several for a name. */
export type KeyKind = 'ec' | 'rsa' | 'other'

/** One certificate of the proxy: its file and the names it is served for. */
export interface CrtEntry {
  id: string
  /** The first 16 digits of the fingerprint: enough to tell one content of `id` from another. */
  version: string
  keyKind: KeyKind
  hostnames: readonly string[]
}

/** Name of each file to what follows it on its line of the list. */
export type CrtLines = Map<string, string>

const filePattern = /^([A-Za-z0-9_-]{1,64})-([0-9a-f]{16})\.(ec|rsa|other)\.pem$/
const preference: readonly KeyKind[] = ['other', 'rsa', 'ec']
// A line passes through one buffer of 32 KiB, in a command and in a listing.
const filtersMaxBytes = 30_000

export const isCertificateId = (text: string): boolean => filePattern.test(crtFile(text, '0'.repeat(64), 'ec'))

/** The file name tells id, content and key kind, so that a listing of what runs tells them too. */
const crtFile = (id: string, fingerprint: string, keyKind: KeyKind): string =>
  `${id}-${versionOf(fingerprint)}.${keyKind}.pem`

export const versionOf = (fingerprint: string): string => fingerprint.slice(0, 16)

export const fileOf = ({ id, version, keyKind }: CrtEntry): string => crtFile(id, version, keyKind)

/** What a file name and the rest of its line say; undefined for a file that is not of this kind. */
export function parseCrtEntry(file: string, filters: string): CrtEntry | undefined {
  const [, id, version, keyKind] = filePattern.exec(file) ?? []
  const hostnames = filters.split(' ').filter(isRoutableName)
  if (id === undefined || version === undefined || hostnames.length === 0) return undefined
  return { id, version, keyKind: keyKind as KeyKind, hostnames }
}

/** Whether the names of one certificate fit on a line. */
export const fitsOnLine = (hostnames: readonly string[]): boolean => hostnames.join(' ').length <= filtersMaxBytes

/**
 * The line of each certificate. HAProxy looks at the exact and at the wildcard certificates of a name together and takes the best
 * kind of key: an EC wildcard would hide an exact RSA certificate. So the wildcard's line excludes such names (`!name`), as many
 * as fit.
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

/** The wildcard that would cover a host name of one label more; a wildcard covers itself. */
export const wildcardOver = (hostname: string): string => hostname.replace(/^[^.]+/, '*')

/** Whether a certificate with a wildcard over this name of another one would be served in place of that. */
export const hides = (wildcard: CrtEntry, exact: CrtEntry, name: string): boolean =>
  preference.indexOf(exact.keyKind) < preference.indexOf(wildcard.keyKind) && !wildcard.hostnames.includes(name)

/** The text of crt-list.txt; the default certificate comes first. */
export function renderCrtList(directory: string, defaultCertificate: string, lines: CrtLines): string {
  return [defaultCertificate, ...[...lines].map(([file, filters]) => `${directory}/${file} ${filters}`), ''].join('\n')
}

/** Reads what renderCrtList wrote. */
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
