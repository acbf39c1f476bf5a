import { readdir, readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownerOf } from '../../packages/server/src/features/dns-zones/record.policy.ts'
import { parseZoneFile } from '../../packages/server/src/features/dns-records/zone-file-parser.policy.ts'
import { toImport } from '../../packages/server/src/features/dns-records/zone-import.policy.ts'
import type { ZoneRecord } from '../../packages/server/src/features/dns-zones/zone-record.types.ts'
import { renderZone } from '../../packages/server/src/features/dns-zones/zone.render.ts'
import { acceptedZones, zoneName } from './zone-generator.ts'
import { canonicalRecord, createZoneOracles } from './zone-oracles.ts'

const nameservers = ['ns1.example.net', 'ns2.example.net']
let oracles: Awaited<ReturnType<typeof createZoneOracles>>
beforeAll(async () => {
  oracles = await createZoneOracles()
})
afterAll(() => oracles?.close())

const render = (records: readonly ZoneRecord[]) =>
  renderZone({ name: zoneName, serial: 2026030101, nameservers, hostmaster: 'hostmaster@example.com', records })

async function importZone(text: string) {
  const { records, skipped, errors } = toImport(parseZoneFile(text, zoneName), zoneName, zoneName, nameservers)
  const found = records.map(({ line: _line, name, ...values }) => ({ ...values, owner: ownerOf(name, zoneName) }))
  return { records: found, skipped, errors }
}

/** Our import skips the SOA and the name servers of the zone. */
const isOfTheZone = (canonical: string) => /^example\.com\. \d+ (SOA|NS) /.test(canonical)

/** Where our reader differs from BIND and why, keyed by the start of the canonical record. */
interface Differences {
  /** Whether Knot, the stricter reader, accepts the file. */
  knot: boolean
  missing?: Record<string, string>
  extra?: Record<string, string>
}

const unsupported = 'a type that the panel does not have'
const escaped = 'characters that names of ours do not have'
const corpus: Record<string, Differences> = {
  'bind.zone': { knot: true },
  'cloudflare.zone': { knot: true },
  'cpanel.zone': { knot: true },
  'services.zone': { knot: true },
  'compiled.zone': { knot: true },
  'knot.zone': {
    knot: true,
    missing: {
      'a.example.com. 3600 TYPE65280': unsupported,
      'c.example.com. 3600 DNAME': unsupported,
      'd.example.com. 3600 DS': unsupported,
      'e.example.com. 3600 HINFO': unsupported,
      'binary.example.com. 3600 TXT': 'bytes that are no text: values are kept as Unicode'
    }
  },
  'windows.zone': {
    knot: true,
    missing: { 'my_server.example.com. 3600 A': 'BIND loads such a name only where told to' }
  },
  'notation.zone': { knot: false, missing: { 'y.example.com. 788645 TXT': 'control characters' } },
  'strict.zone': {
    knot: true,
    missing: {
      'port0.example.com. 3600 SRV': 'a service has a port',
      'tld.example.com. 3600 CNAME': 'one label alone would be read as relative when shown',
      'num.example.com. 3600 MX': 'no top-level domain is a number: a mistyped address',
      'loop.example.com. 3600 CNAME': 'a loop',
      'mx.example.com. 3600 MX': 'RFC 7505: priority 0',
      'odd\\.label.example.com. 3600 TXT': escaped,
      'odd\\032label.example.com. 3600 TXT': escaped,
      'at\\@label.example.com. 3600 TXT': escaped,
      'generic.example.com. 3600 A': 'the form of unknown types (RFC 3597) for a known one',
      'generic2.example.com. 3600 A': 'the same',
      'null.example.com. 3600 TXT': 'control characters',
      'line.example.com. 3600 TXT': 'control characters'
    }
  }
}

describe('foreign zone files', () => {
  test('every file has an entry here', async () => {
    const files = (await readdir(new URL('zones', import.meta.url))).filter((file) => file !== 'hostile.zone')
    expect(files.sort()).toEqual(Object.keys(corpus).sort())
  })
  test.each(Object.entries(corpus))('%s', async (file, { knot, missing = {}, extra = {} }) => {
    const text = await readFile(new URL(`zones/${file}`, import.meta.url), 'utf8')
    const expected = (await oracles.readByNamed(zoneName, text)).filter((record) => !isOfTheZone(record))
    const { records, errors } = await importZone(text)
    const found = records.map(canonicalRecord)
    const unexplained = (list: string[], others: string[], reasons: Record<string, string>) =>
      list.filter((one) => !others.includes(one) && !Object.keys(reasons).some((start) => one.startsWith(start)))
    expect(unexplained(expected, found, missing)).toEqual([])
    expect(unexplained(found, expected, extra)).toEqual([])
    expect(found).toHaveLength(expected.length - Object.keys(missing).length + Object.keys(extra).length)
    expect(errors.filter(({ reason }) => !reason.includes('name servers of the zone'))).toHaveLength(
      Object.keys(missing).length
    )
    const verdict = await oracles.knot(zoneName, text)
    expect(verdict.isAccepted || !verdict.output.includes('failed')).toBe(knot)
  })
  test('the same with CRLF, which Knot refuses', async () => {
    for (const file of ['bind.zone', 'windows.zone', 'compiled.zone']) {
      const text = await readFile(new URL(`zones/${file}`, import.meta.url), 'utf8')
      expect(await importZone(text.replaceAll('\n', '\r\n'))).toEqual(await importZone(text))
    }
  })
  test('a signed zone is imported without its signatures', async () => {
    const text = await readFile(new URL('zones/bind.zone', import.meta.url), 'utf8')
    const plain = await importZone(text)
    const signed = await importZone(await oracles.sign(zoneName, text))
    expect(signed.records.map(canonicalRecord).sort()).toEqual(plain.records.map(canonicalRecord).sort())
    expect(signed.skipped.filter(({ reason }) => reason.includes('DNSSEC'))).toHaveLength(1)
  })
})

test('a hostile file imports only its one valid line', async () => {
  const text = await readFile(new URL('zones/hostile.zone', import.meta.url), 'utf8')
  const { records, errors } = await importZone(text)
  expect(records.map(canonicalRecord)).toEqual([
    '__proto__.example.com. 3600 TXT 78',
    'ok.example.com. 3600 A 192.0.2.8'
  ])
  expect(errors.map(({ line }) => line)).toEqual([5, 6, 7, 9, 10, 12, 13, 14, 15, 17, 18, 19])
  expect(JSON.stringify(errors)).not.toContain('root:')
})

describe('random zones', () => {
  test('pass the checkers, and BIND reads what we wrote', async () => {
    await fc.assert(
      fc.asyncProperty(acceptedZones(60), async (records) => {
        const text = render(records)
        const verdicts = { named: await oracles.named(zoneName, text), knot: await oracles.knot(zoneName, text) }
        expect(verdicts).toMatchObject({ named: { isAccepted: true }, knot: { isAccepted: true } })
        const read = (await oracles.readByNamed(zoneName, text)).filter((record) => !isOfTheZone(record))
        const written = records.map(canonicalRecord).filter((record) => !isOfTheZone(record))
        expect(read).toEqual(written.sort())
      }),
      { numRuns: 40 }
    )
  })
})
