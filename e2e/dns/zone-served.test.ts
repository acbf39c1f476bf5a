import type { Answer, DecodedPacket, RecordType } from 'dns-packet'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { conflictOf } from '../../packages/server/src/features/dns-zones/record.policy.ts'
import { isAtOrBelow } from '../../packages/server/src/features/domains/hostname.policy.ts'
import { createRdataReader } from '../../packages/server/src/record-types/rdata-reader.ts'
import { presentationOf, recordTypes } from '../../packages/server/src/record-types/record-types.ts'
import type { ZoneRecord } from '../../packages/server/src/features/dns-zones/zone-record.types.ts'
import { renderZone } from '../../packages/server/src/features/dns-zones/zone.render.ts'
import { acceptedZones, zoneName } from './zone-generator.ts'
import { startZoneServer } from './zone-server.ts'

const nameservers = ['ns1.example.net', 'ns2.example.net']
let server: Awaited<ReturnType<typeof startZoneServer>>
beforeAll(async () => {
  server = await startZoneServer(zoneName)
})
afterAll(() => server?.close())

let serial = 2026030100
const serve = (records: readonly ZoneRecord[], extraTxt: readonly { owner: string; value: string }[] = []) =>
  server.load(
    renderZone({
      name: zoneName,
      serial: ++serial,
      nameservers,
      hostmaster: 'hostmaster@example.com',
      records,
      extraTxt
    })
  )

const isDelegation = ({ type, owner }: ZoneRecord) => type === 'NS' && owner !== zoneName

function setsOf(records: readonly ZoneRecord[]): ZoneRecord[][] {
  const keys = new Set(records.map(({ owner, type }) => `${owner} ${type}`))
  return [...keys].map((key) => records.filter(({ owner, type }) => `${owner} ${type}` === key))
}

const shown = (records: readonly ZoneRecord[]) =>
  records
    .map(
      (record) =>
        `${record.owner} ${record.ttl} ${record.type === 'AAAA' ? inHex(record.value) : presentationOf(record)}`
    )
    .sort()

/** dns-packet knows some types only by number and returns their raw data. */
const questionType = (type: ZoneRecord['type']) =>
  (type === 'SVCB' || type === 'HTTPS' ? `UNKNOWN_${recordTypes[type].code}` : type) as RecordType

/** dns-packet supports only SHA-1 and SHA-256 fingerprints. */
const isReadable = ({ type, value }: ZoneRecord) => type !== 'SSHFP' || /^\d+ [12] /.test(value)

const inHex = (address: string) => new URL(`http://[${address}]`).hostname

test('serves exactly the accepted values, and referrals for delegated names', async () => {
  await fc.assert(
    fc.asyncProperty(acceptedZones(50), async (zone) => {
      const records = zone.filter(isReadable)
      await serve(records)
      for (const set of setsOf(records)) {
        const { owner, type } = set[0]!
        const answer = await server.ask(owner, questionType(type))
        const delegated = records.filter((record) => isDelegation(record) && isAtOrBelow(owner, record.owner))
        expect(answer.rcode).toBe('NOERROR')
        expect(answer.flag_aa).toBe(delegated.length === 0)
        expect(valuesIn(delegated.length === 0 ? answer.answers : answer.authorities)).toEqual(
          shown(delegated.length === 0 ? set : delegated)
        )
      }
    }),
    { numRuns: 30 }
  )
})

test('values cannot become several records', async () => {
  const none = { priority: null, weight: null, port: null, ttl: 60 }
  const texts = [
    '"',
    '\\',
    ';',
    '(',
    ')',
    '$INCLUDE /etc/passwd',
    '\\000',
    '\\"',
    '@ IN NS evil.',
    'é😀',
    '',
    ' ',
    'x'.repeat(2_048)
  ]
  const records = texts.map((value): ZoneRecord => ({ owner: 'x.example.com', type: 'TXT', value, ...none }))
  await serve(records)
  expect(valuesIn((await server.ask('x.example.com', 'TXT')).answers)).toEqual(shown(records))
  expect((await server.ask('evil.example.com', 'TXT')).rcode).toBe('NXDOMAIN')
})

test('challenges are added and removed', async () => {
  const owner = '_acme-challenge.example.com'
  await serve(
    [],
    [
      { owner, value: 'one' },
      { owner, value: 'two' }
    ]
  )
  expect(valuesIn((await server.ask(owner, 'TXT')).answers)).toEqual([`${owner} 60 one`, `${owner} 60 two`])
  await serve([])
  expect((await server.ask(owner, 'TXT')).rcode).toBe('NXDOMAIN')
})

test('the largest accepted record set is served completely', async () => {
  const none = { priority: null, weight: null, port: null, ttl: 60 }
  const records: ZoneRecord[] = []
  for (let number = 0; ; number++) {
    const value = `${number} ${'é'.repeat(1_000)}`
    const record: ZoneRecord = { owner: 'big.example.com', type: 'TXT', value, ...none }
    if (conflictOf(record, records, zoneName)) break
    records.push(record)
  }
  await serve(records)
  expect(valuesIn((await server.ask('big.example.com', 'TXT')).answers)).toEqual(shown(records))
})

function valuesIn(answers: DecodedPacket['answers']): string[] {
  return (answers ?? [])
    .filter(({ type }) => type !== 'OPT')
    .map((answer) => `${answer.name} ${'ttl' in answer ? answer.ttl : ''} ${dataOf(answer)}`)
    .sort()
}

const host = (name: string) => name || '.'

function dataOf(answer: Answer): string {
  switch (answer.type) {
    case 'A':
      return answer.data
    case 'AAAA':
      return inHex(answer.data)
    case 'NS':
    case 'CNAME':
    case 'PTR':
      return host(answer.data)
    case 'MX':
      return `${answer.data.preference} ${host(answer.data.exchange)}`
    case 'SRV':
      return `${answer.data.priority} ${answer.data.weight} ${answer.data.port} ${host(answer.data.target)}`
    case 'CAA':
      return `${answer.data.flags} ${answer.data.tag} "${answer.data.value.replaceAll(/["\\]/g, '\\$&')}"`
    case 'TXT':
      return Buffer.concat([answer.data].flat() as Buffer[]).toString()
    case 'SSHFP':
      return `${answer.data.algorithm} ${answer.data.hash} ${answer.data.fingerprint}`
    case 'TLSA':
      return `${answer.data.usage} ${answer.data.selector} ${answer.data.matchingType} ${answer.data.certificate.toString('hex').toUpperCase()}`
    case 'NAPTR': {
      const { order, preference, flags, services, regexp, replacement } = answer.data
      const texts = [flags, services, regexp].map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`)
      return [order, preference, ...texts, host(replacement)].join(' ')
    }
    default:
      return unknownData(answer)
  }
}

/** RFC 9460 §2.2: types that dns-packet knows only by number. */
function unknownData({ type, data }: { type: string; data?: unknown }): string {
  const found = Object.values(recordTypes).find(({ code }) => type === `UNKNOWN_${code}`)
  if (!found || !Buffer.isBuffer(data)) return `unexpected ${type}`
  return found.fromWire(createRdataReader(data, 0, data.length))
}
