import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ZoneRecord } from '../dns-zones/zone-record.types.ts'
import type { ZoneSize } from '../dns-zones/zone-size.policy.ts'
import { conflictOf, isSameRecord } from '../dns-zones/record-conflict.policy.ts'
import { acceptedRecords } from '../../../test/fixtures/dns-record.fixture.ts'
import { ownerOf } from '../dns-zones/record.policy.ts'
import { errorOf } from './zone-line.policy.ts'
import { planImport, type ExistingRecord } from './zone-import-plan.policy.ts'
import type { ImportedRecord } from './zone-import.policy.ts'

const zoneName = 'example.com'

function wanted(...texts: string[]): ImportedRecord[] {
  return texts.map((text, index) => {
    const [name = '', ttl, type, ...value] = text.split(' ')
    const numbers = { priority: type === 'MX' ? 10 : null, weight: null, port: null }
    return {
      name,
      ttl: Number(ttl),
      type: type as ZoneRecord['type'],
      value: value.join(' '),
      ...numbers,
      line: index + 1
    }
  })
}

function existing(...texts: string[]): ExistingRecord[] {
  return texts.map((text) => {
    const { name, line: _line, ...values } = wanted(text.replace('!', ''))[0]!
    return { ...values, name, owner: ownerOf(name, zoneName), id: text, isFixed: text.startsWith('!') }
  })
}

function plan(strategy: 'skip' | 'replace', there: ExistingRecord[], file: ImportedRecord[], hostname = zoneName) {
  const answer = planImport({ existing: there, wanted: file, strategy, hostname, zoneName })
  const { remove, insert, skipped, errors } = answer
  const texts = insert.map(({ name, ttl, type, value }) => `${name} ${ttl} ${type} ${value}`)
  const reported = errors.map(({ line }) => `line ${line}`)
  return { remove, insert: texts, skipped: skipped.map(({ line }) => line), errors: reported }
}

test('importing the same file again changes nothing, even with conflicts in it', () => {
  const file = ['q 60 A 192.0.2.1', 'q 60 CNAME foo.net', 'q 60 AAAA 2001:db8::1']
  for (const order of [file, [...file].reverse(), [file[1]!, file[0]!, file[2]!]]) {
    const first = plan('replace', existing('q 60 TXT gone'), wanted(...order))
    const kept = first.remove.length > 0 ? [] : ['q 60 TXT gone']
    const again = plan('replace', existing(...kept, ...first.insert), wanted(...order))
    expect(again).toMatchObject({ remove: [], insert: [], errors: first.errors })
    expect(again.skipped.length + again.errors.length).toBe(file.length)
  }
})

describe('skip', () => {
  test.each<[string, string[], string[], { insert?: string[]; skipped?: number[]; errors?: string[] }]>([
    [
      'adds missing records to an existing set, with its TTL',
      ['@ 60 MX a.net'],
      ['@ 30 MX a.net', '@ 30 MX b.net', '@ 30 TXT x'],
      { insert: ['@ 60 MX b.net', '@ 30 TXT x'], skipped: [1] }
    ],
    ['an existing record', ['@ 60 A 192.0.2.1'], ['@ 30 A 192.0.2.1'], { skipped: [1] }],
    ['a CNAME in the way', ['www 60 CNAME a.net'], ['www 60 A 192.0.2.1'], { skipped: [1] }],
    ['another CNAME in the way', ['www 60 CNAME a.net'], ['www 60 CNAME b.net'], { skipped: [1] }],
    ['a CNAME in the file', ['www 60 A 192.0.2.1'], ['www 60 CNAME a.net'], { skipped: [1] }],
    [
      'a delegation above',
      ['sub 60 NS a.net'],
      ['x.sub 60 TXT x', 'x.sub 60 A 192.0.2.1'],
      { insert: ['x.sub 60 A 192.0.2.1'], skipped: [1] }
    ],
    ['a delegation in the file', ['x.sub 60 TXT x'], ['sub 60 NS a.net'], { skipped: [1] }],
    ['“no mail” beside mail', ['@ 60 MX a.net'], ['@ 60 MX .'], { skipped: [1] }],
    [
      'inserts a set as a whole',
      [],
      ['@ 60 A 192.0.2.1', '@ 60 A 192.0.2.2'],
      { insert: ['@ 60 A 192.0.2.1', '@ 60 A 192.0.2.2'] }
    ],
    [
      'conflicts within the file are errors',
      [],
      ['x 60 CNAME a.net', 'x 60 A 192.0.2.1', 'x 60 CNAME b.net'],
      { insert: ['x 60 CNAME a.net'], errors: ['line 3', 'line 2'] }
    ],
    ['a CNAME at the apex is an error', ['@ 60 TXT x'], ['@ 60 CNAME a.net'], { errors: ['line 1'] }],
    ['twice in the file', [], ['x 60 TXT x', 'x 60 TXT x'], { insert: ['x 60 TXT x'], skipped: [2] }]
  ])('%s', (_what, there, file, expected) => {
    const nothing = { remove: [], insert: [], skipped: [], errors: [] }
    expect(plan('skip', existing(...there), wanted(...file))).toEqual({ ...nothing, ...expected })
  })
})

describe('replace', () => {
  test.each<[string, string[], string[], { remove: string[]; insert: string[]; skipped?: number[]; errors: string[] }]>(
    [
      [
        "the file's set replaces the existing one",
        ['@ 60 A 192.0.2.1', '@ 60 A 192.0.2.2', '@ 60 TXT x', 'www 60 A 192.0.2.1'],
        ['@ 60 A 192.0.2.2', '@ 60 A 192.0.2.3'],
        { remove: ['@ 60 A 192.0.2.1'], insert: ['@ 60 A 192.0.2.3'], skipped: [1], errors: [] }
      ],
      [
        'the same set',
        ['@ 60 A 192.0.2.1'],
        ['@ 60 A 192.0.2.1'],
        { remove: [], insert: [], skipped: [1], errors: [] }
      ],
      [
        'a smaller set',
        ['@ 60 A 192.0.2.1', '@ 60 A 192.0.2.2'],
        ['@ 60 A 192.0.2.1'],
        { remove: ['@ 60 A 192.0.2.2'], insert: [], skipped: [1], errors: [] }
      ],
      [
        'another TTL',
        ['@ 60 A 192.0.2.1'],
        ['@ 30 A 192.0.2.1'],
        { remove: ['@ 60 A 192.0.2.1'], insert: ['@ 30 A 192.0.2.1'], errors: [] }
      ],
      [
        'a CNAME replaces everything at its name',
        ['www 60 A 192.0.2.1', 'www 60 TXT x', 'x.www 60 A 192.0.2.1'],
        ['www 60 CNAME a.net'],
        { remove: ['www 60 A 192.0.2.1', 'www 60 TXT x'], insert: ['www 60 CNAME a.net'], errors: [] }
      ],
      [
        'any record replaces a CNAME',
        ['www 60 CNAME a.net'],
        ['www 60 A 192.0.2.1'],
        { remove: ['www 60 CNAME a.net'], insert: ['www 60 A 192.0.2.1'], errors: [] }
      ],
      [
        'a CNAME in place of another',
        ['www 60 CNAME a.net'],
        ['www 60 CNAME b.net'],
        { remove: ['www 60 CNAME a.net'], insert: ['www 60 CNAME b.net'], errors: [] }
      ],
      [
        'a delegation',
        ['sub 60 A 192.0.2.1'],
        ['sub 60 NS a.net'],
        { remove: ['sub 60 A 192.0.2.1'], insert: ['sub 60 NS a.net'], errors: [] }
      ],
      [
        'replacing a delegation',
        ['sub 60 NS a.net'],
        ['sub 60 A 192.0.2.1'],
        { remove: ['sub 60 NS a.net'], insert: ['sub 60 A 192.0.2.1'], errors: [] }
      ],
      [
        'records below a delegation stay',
        ['sub 60 A 192.0.2.1', 'x.sub 60 TXT x'],
        ['sub 60 NS a.net'],
        { remove: [], insert: [], errors: ['line 1'] }
      ],
      [
        'keeps the verification record',
        ['!_panel-challenge 60 TXT token', '_panel-challenge 60 MX a.net'],
        ['_panel-challenge 60 CNAME a.net'],
        { remove: [], insert: [], errors: ['line 1'] }
      ],
      [
        'another text beside the verification record takes its TTL',
        ['!_panel-challenge 60 TXT token', '_panel-challenge 60 TXT old'],
        ['_panel-challenge 30 TXT new', '_panel-challenge 30 TXT token'],
        { remove: ['_panel-challenge 60 TXT old'], insert: ['_panel-challenge 60 TXT new'], skipped: [2], errors: [] }
      ],
      [
        'conflicts within the file',
        ['x 60 TXT x'],
        ['x 60 CNAME a.net', 'x 60 A 192.0.2.1'],
        { remove: ['x 60 TXT x'], insert: ['x 60 CNAME a.net'], errors: ['line 2'] }
      ],
      [
        '“no mail” in place of mail',
        ['@ 60 MX a.net'],
        ['@ 60 MX .'],
        { remove: ['@ 60 MX a.net'], insert: ['@ 60 MX .'], errors: [] }
      ]
    ]
  )('%s', (_what, there, file, expected) => {
    expect(plan('replace', existing(...there), wanted(...file))).toEqual({ skipped: [], ...expected })
  })
  test("names of a domain in its parent's zone", () => {
    const there = existing('!shop 60 A 192.0.2.1', 'shop 60 TXT x')
    expect(plan('replace', there, wanted('@ 60 TXT y'), 'shop.example.com')).toEqual({
      remove: ['shop 60 TXT x'],
      insert: ['@ 60 TXT y'],
      skipped: [],
      errors: []
    })
  })
})

test('any import keeps the zone valid and reports every record', () => {
  const records = acceptedRecords(zoneName)
  fc.assert(
    fc.property(records, records, fc.constantFrom('skip' as const, 'replace' as const), (there, file, strategy) => {
      const existing = there.map((record, index) => ({
        ...record,
        name: record.owner,
        id: String(index),
        isFixed: index % 4 === 0
      }))
      const candidates = file.map(({ owner, ...values }, index) => ({
        ...values,
        name: owner === zoneName ? '@' : owner.slice(0, -zoneName.length - 1),
        line: index + 1
      }))
      const { remove, insert, skipped, errors } = planImport({
        existing: existing,
        wanted: candidates,
        strategy,
        hostname: zoneName,
        zoneName
      })
      const gone = existing.filter(({ id }) => remove.includes(id))
      expect(gone.some(({ isFixed }) => isFixed) || (strategy === 'skip' && gone.length > 0)).toBe(false)
      const after: ZoneRecord[] = existing.filter((record) => !gone.includes(record))
      for (const { name, ...values } of insert) {
        const record = { ...values, owner: ownerOf(name, zoneName) }
        expect(conflictOf(record, after, zoneName)).toBeUndefined()
        after.push(record)
      }
      expect(insert.length + skipped.length + errors.length).toBe(file.length)
      for (const { line } of skipped) {
        const record = file[line - 1]!
        const isThere = after.some((one) => isSameRecord(one, record))
        expect(isThere || (strategy === 'skip' && conflictOf(record, existing, zoneName) !== undefined)).toBe(true)
      }
      const wrong = errors.map(({ line }) => file[line - 1]!)
      expect(wrong.filter((record) => after.some((one) => isSameRecord(one, record)))).toEqual([])
    }),
    { numRuns: 1_000 }
  )
})

describe('zone limits', () => {
  const room = (records: number, bytes = 1_000_000) => ({ records, bytes })
  const planned = (file: string[], there: string[], limits: ZoneSize, strategy: 'skip' | 'replace' = 'replace') => {
    const request = { existing: existing(...there), wanted: wanted(...file), strategy, hostname: zoneName, zoneName }
    const { insert, remove, errors } = planImport({ ...request, limits })
    return { insert: insert.map(({ name, value }) => `${name} ${value}`), remove, errors: errors.map(errorOf) }
  }

  test('skips whole sets and imports those that fit', () => {
    const file = ['a 60 TXT 1', 'b 60 TXT 1', 'b 60 TXT 2', 'c 60 TXT 1']
    expect(planned(file, ['x 60 TXT 1'], room(3))).toEqual({
      insert: ['a 1', 'c 1'],
      remove: [],
      errors: ['line 2', 'line 3'].map((line) => `${line}: the zone would have more than 3 records`)
    })
  })
  test('removes nothing', () => {
    expect(planned(['x 60 TXT 2', 'x 60 TXT 3'], ['x 60 TXT 1', 'y 60 TXT 1'], room(2))).toMatchObject({
      insert: [],
      remove: [],
      errors: { length: 2 }
    })
  })
  test('a skipped set leaves its name free', () => {
    const file = ['a 60 TXT 1', 'a 60 TXT 2', 'a 60 CNAME a.net']
    expect(planned(file, [], room(1))).toMatchObject({ insert: ['a a.net'], errors: { length: 2 } })
  })
  test('counts bytes too, and a replaced set frees its size', () => {
    const [there, longer] = [`x 60 TXT ${'1'.repeat(67)}`, `x 60 TXT ${'é'.repeat(34)}`]
    expect(planned([longer], [there], room(9, 100))).toMatchObject({ insert: [], remove: [], errors: { length: 1 } })
    expect(planned([longer], [there], room(9, 101))).toMatchObject({ remove: [there], errors: [] })
  })
  test('a zone that is already too large may shrink', () => {
    const there = ['x 60 TXT 1', 'x 60 TXT 2', 'x 60 TXT 3']
    expect(planned(['x 60 TXT 4', 'x 60 TXT 5'], there, room(1))).toMatchObject({ remove: there, errors: [] })
  })
})

describe('thousands of records', () => {
  const names = Array.from({ length: 9_999 }, (_, index) => `h${index}`)
  const there = existing(...names.map((name) => `${name} 60 A 192.0.2.1`))

  test.each<[string, ExistingRecord[], string[]]>([
    ['below one delegation, as deep as allowed', existing('del 60 NS a.net'), names.map(deep('del', '60 A 192.0.2.1'))],
    ['as deep as allowed, of one name above', [], names.map(deep('x', '60 TXT x'))],
    ['delegations', there.slice(1), names.map((name) => `${name}.sub 60 NS a.net`)],
    ['of one name', [], names.map((name) => `@ 60 TXT ${name}`)],
    ['replacing as many', there, names.map((name) => `${name} 60 CNAME a.net`)],
    ['of few names', existing(...names.map((name) => `@ 60 TXT ${name}`)), names.map((name) => `@ 60 TXT x${name}`)]
  ])('take few steps: %s', (_case, before, file) => {
    const steps = mapStepsOf(() => plan('replace', before, wanted(...file)))
    expect(steps / names.length).toBeLessThan(40)
  })
})

const deep = (parent: string, rest: string) => (name: string) => `${name}.${'a.'.repeat(30)}${parent} ${rest}`

function mapStepsOf(work: () => unknown): number {
  const { get, set } = Map.prototype
  let steps = 0
  Map.prototype.get = function (this: Map<unknown, unknown>, key: unknown) {
    steps++
    return get.call(this, key)
  }
  Map.prototype.set = function (this: Map<unknown, unknown>, key: unknown, value: unknown) {
    steps++
    return set.call(this, key, value)
  }
  try {
    work()
  } finally {
    Object.assign(Map.prototype, { get, set })
  }
  return steps
}
