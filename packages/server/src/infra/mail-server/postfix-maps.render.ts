import { reportIntakeAddress } from '../mail-intake/intake-address.ts'
import { assertLocalPart, assertMailDomain, assertTarget } from './mail-names.ts'
import type { ServedMailDomain } from './mail-server.ts'

/** The tables of Postfix that say what a domain is. */
export const mapNames = [
  'domains',
  'mailboxes',
  'aliases',
  'senders',
  'transports',
  'recipients',
  'logins',
  'reports',
  'origins'
] as const
export type MapName = (typeof mapNames)[number]

/** Of each table, the values of a domain by their keys. */
export type MapEntries = Readonly<Record<MapName, ReadonlyMap<string, string>>>

const suspendedTransport = 'retry:4.2.1 This mailbox takes no mail at the moment'
const suspendedRecipient = '450 4.2.1 This mailbox takes no mail at the moment'
const blockedLogin = 'REJECT 5.7.1 This mailbox may not send'

/**
 * What Postfix knows of a domain. A catch-all takes what no other address of the domain has, so that with one each mailbox is an alias of
 * itself. A mailbox's address is its own log-in's, whoever gets its mail besides. Throws on a value that has no place in a table.
 */
export function renderMapEntries(domain: ServedMailDomain): MapEntries {
  const { name, isSuspended, mailboxes, aliases } = domain
  assertMailDomain(name)
  const entries = emptyEntries()
  const hasCatchAll = aliases.some(({ localPart, targets }) => localPart === undefined && targets.length > 0)
  const own = new Set<string>()
  for (const { localPart, mayLogIn } of mailboxes) {
    assertLocalPart(localPart)
    const address = `${localPart}@${name}`
    own.add(address)
    entries.mailboxes.set(address, 'OK')
    entries.senders.set(address, address)
    if (hasCatchAll) entries.aliases.set(address, address)
    if (isSuspended || !mayLogIn) entries.logins.set(address, blockedLogin)
  }
  for (const { localPart, targets, senders = [] } of aliases) {
    if (localPart !== undefined) assertLocalPart(localPart)
    for (const target of [...targets, ...senders]) assertTarget(target)
    if (targets.length === 0) continue
    const address = `${localPart ?? ''}@${name}`
    const all = [...new Set(own.has(address) ? [address, ...targets] : targets)]
    entries.aliases.set(address, all.join(', '))
    if (!own.has(address) && senders.length > 0) entries.senders.set(address, senders.join(', '))
  }
  entries.domains.set(name, 'OK')
  // Mail of our own senders leaves as it is; all other mail that leaves is forwarded, and its sender rewritten.
  entries.origins.set(`@${name}`, 'smtp:')
  // As the generated DMARC record says; wherever the address leads, the panel reads what reports come for it.
  entries.reports.set(`postmaster@${name}`, reportIntakeAddress(name))
  if (isSuspended) {
    entries.transports.set(name, suspendedTransport)
    entries.recipients.set(name, suspendedRecipient)
  }
  return entries
}

/** What was put, as lines: table, key and value with tabs between them. */
export const renderFragment = (entries: MapEntries): string =>
  mapNames.flatMap((map) => [...entries[map]].map(([key, value]) => `${map}\t${key}\t${value}\n`)).join('')

export function parseFragment(text: string): MapEntries {
  const entries = emptyEntries()
  for (const line of text.split('\n')) {
    const [map, key, value] = line.split('\t')
    if (isMapName(map) && key !== undefined && value !== undefined) entries[map].set(key, value)
  }
  return entries
}

/** All keys of both; the values of the second where both have one. */
export const mergeEntries = (first: MapEntries, second: MapEntries): MapEntries =>
  forEachMap((map) => new Map([...first[map], ...second[map]]))

/** The text that postmap(1) reads. */
export const renderMapLines = (entries: Iterable<readonly [string, string]>): string =>
  [...entries].map(([key, value]) => `${key}\t${value}\n`).join('')

export const emptyEntries = () => forEachMap(() => new Map<string, string>())

export const forEachMap = <T>(make: (map: MapName) => T): Record<MapName, T> =>
  Object.fromEntries(mapNames.map((map) => [map, make(map)])) as Record<MapName, T>

const isMapName = (text: string | undefined): text is MapName =>
  (mapNames as readonly (string | undefined)[]).includes(text)
