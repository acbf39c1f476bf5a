import { expect, test } from 'vitest'
import { parseCds, parseZoneStatus } from './knot-answers.ts'

test('zone-status output', () => {
  const output = `[catalog.panel.invalid.] role: master | serial: 1 | catalog: interpret
[a-b.test.] role: master | serial: 2026010101 | catalog: catalog.panel.invalid.
[nofile.test.] role: master | serial: - | catalog: catalog.panel.invalid.
[two.test.] role: master | serial: 4294967295 | catalog: catalog.panel.invalid.#signed | re-sign: +13D22h54m59s
[large.test.] role: master | serial: 8 | catalog: catalog.panel.invalid. | load: running | re-sign: +1h
[next.test.] role: master | serial: - | catalog: catalog.panel.invalid. | load: pending
[later.test.] role: master | serial: 9 | catalog: catalog.panel.invalid. | load: +59m
[other.test.] role: master | serial: 7 | catalog: other.invalid.
[own.test.] role: master | serial: 7
error: something else
`
  expect([...parseZoneStatus(output)]).toEqual([
    ['a-b.test', { serial: 2026010101, isSigned: false, isLoading: false }],
    ['nofile.test', { serial: undefined, isSigned: false, isLoading: false }],
    ['two.test', { serial: 4294967295, isSigned: true, isLoading: false }],
    ['large.test', { serial: 8, isSigned: false, isLoading: true }],
    ['next.test', { serial: undefined, isSigned: false, isLoading: true }],
    ['later.test', { serial: 9, isSigned: false, isLoading: false }]
  ])
})

test('CDS records', () => {
  const output = `[two.test.] two.test. 0 CDS 34320 13 2 0a5F
[two.test.] two.test. 0 CDS 7 13 4 FF
[off.test.] off.test. 0 CDS 0 0 0 00
error: (operation failed for some zones) @ CDS
`
  expect([...parseCds(output)]).toEqual([
    [
      'two.test',
      [
        { keyTag: 34320, algorithm: 13, digestType: 2, digest: '0A5F' },
        { keyTag: 7, algorithm: 13, digestType: 4, digest: 'FF' }
      ]
    ]
  ])
  expect(parseCds('').size).toBe(0)
})
