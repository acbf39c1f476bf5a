import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseZoneFile } from './zone-file-parser.policy.ts'
import { planZoneImport } from './zone-import-planning.service.ts'

const parse = (content: string) => parseZoneFile(content, 'example.com')

describe('limits', () => {
  // As in the worker: stack traces of 100,000 invalid lines would take longer than parsing.
  const traces = Error.stackTraceLimit
  beforeAll(() => void (Error.stackTraceLimit = 0))
  afterAll(() => void (Error.stackTraceLimit = traces))

  test('records', () => {
    const { records, errors } = parse('x A 1.1.1.1\n'.repeat(10_002))
    expect(records).toHaveLength(10_000)
    expect(errors).toMatchObject([{ line: 10_001, reason: expect.stringMatching(/first 10000 records/) }])
    expect(parse(`${'x A 1.1.1.1\n'.repeat(10_000)}; the end`).errors).toEqual([])
  })
  test('errors', () => {
    const { records, errors } = parse(`${'?\n'.repeat(5_000)}x A 1.1.1.1\n`)
    expect(errors).toHaveLength(1_001)
    expect(errors.at(-1)).toMatchObject({ line: 1_001, reason: 'and more' })
    expect(records).toHaveLength(1)
  })
  test.each([
    '$ORIGIN aaaaaaaa\n',
    '(',
    'a A ',
    '"',
    '\\',
    '1',
    '1h',
    '\n',
    'a TXT ( x )\n',
    '$TTL 1w1w1w\n',
    'a 1 1 1 1\n',
    ' a\n'
  ])(
    '%j without end is read in time',
    (text) => {
      // Large enough to expose quadratic time.
      for (const start of ['', 'x TXT ', 'x TXT "', '$TTL ', '$ORIGIN ', '(']) {
        const length = start === '' ? 512 * 1024 : 128 * 1024
        const content = (start + text.repeat(length)).slice(0, length)
        const { records, errors } = parse(content)
        expect(records.length).toBeLessThanOrEqual(10_000)
        expect(errors.length).toBeLessThanOrEqual(1_002)
      }
    },
    60_000
  )
})

test('garbage never throws', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\n',
      '\r\n',
      '\r',
      ' ',
      '\t',
      '(',
      ')',
      '"',
      '\\',
      ';',
      '.',
      '@',
      '$',
      '\\# ',
      '\\0',
      '\\999',
      '1h'
    ),
    fc.constantFrom(
      '$TTL',
      '$ORIGIN ',
      '$INCLUDE',
      'IN ',
      'CH',
      'TXT ',
      'A ',
      'SOA ',
      'MX ',
      'CAA ',
      'x',
      '*',
      '\0',
      '\ufeff',
      '\ud800'
    ),
    fc.string({ unit: 'binary', maxLength: 5 })
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const content = pieces.join('')
      const { records, errors } = parse(content)
      const lines = content.split(/\r\n|\r|\n/).length
      for (const { line } of [...records, ...errors]) expect(line >= 1 && line <= lines).toBe(true)
      for (const { owner, ttl } of records) {
        expect(owner === 'example.com' || owner.endsWith('.example.com')).toBe(true)
        expect(Number.isInteger(ttl) && ttl >= 0 && ttl < 2 ** 31).toBe(true)
      }
    }),
    { numRuns: 5_000 }
  )
})

describe('planZoneImport', () => {
  const plan = (content: string) =>
    planZoneImport('ann', {
      content,
      strategy: 'skip',
      isPreview: false,
      nameservers: [],
      domain: { id: 'd', hostname: 'example.com' },
      zoneName: 'example.com',
      records: '[]'
    })
  test('runs in a worker thread', async () => {
    const { ids, inserted, removed, errors } = await plan('@ TXT "é"\n$INCLUDE x\n')
    expect(JSON.parse(inserted)).toMatchObject([{ id: ids[0], name: '@', type: 'TXT', value: 'é' }])
    expect([removed, errors]).toEqual([[], ['line 2: "$INCLUDE" is not supported']])
  })
  test('rejects a file that is too large', async () => {
    for (const content of ['x'.repeat(10 * 1024 * 1024), 'é'.repeat(600_000)])
      await expect(plan(content)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})
