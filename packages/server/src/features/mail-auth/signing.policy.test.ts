import { dkimKeyStatuses } from '@panel/contract/dkim-keys'
import { describe, expect, test } from 'vitest'
import type { Lookup } from '../../infra/public-dns/public-dns.ts'
import { sourcesOf } from './dkim-key.machine.ts'
import { isAnswered, retirementProblem, signingKey, underWayMs } from './signing.policy.ts'

test('a key is replaced once, and retired only after that', () => {
  expect(dkimKeyStatuses.map(sourcesOf)).toEqual([[], ['ACTIVE'], ['RETIRING']])
})

const now = new Date('2026-02-01T12:00:00Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const day = 24 * 3600 * 1000
const key = (id: string, status: 'ACTIVE' | 'RETIRING' | 'RETIRED', signsSince: Date | null) => ({
  id,
  status,
  signsSince
})

describe('which key signs', () => {
  test.each([
    ['the only one', [key('a', 'ACTIVE', ago(day))], 'a'],
    ['the new one', [key('a', 'RETIRING', ago(2 * day)), key('b', 'ACTIVE', ago(day))], 'b'],
    [
      'the old one, while the new one’s record is awaited',
      [key('a', 'RETIRING', ago(day)), key('b', 'ACTIVE', null)],
      'a'
    ],
    ['the new one, of the same moment', [key('a', 'RETIRING', ago(1)), key('b', 'ACTIVE', ago(1))], 'b'],
    ['whichever comes first', [key('b', 'ACTIVE', ago(1)), key('a', 'RETIRING', ago(1))], 'b'],
    ['none that is retired', [key('a', 'RETIRED', ago(day)), key('b', 'ACTIVE', null)], undefined],
    ['none', [], undefined]
  ])('%s', (_, keys, id) => expect(signingKey(keys)?.id).toBe(id))
})

describe('retiring', () => {
  const [a, b] = [key('a', 'RETIRING', ago(30 * day)), key('b', 'RETIRING', ago(10 * day))]
  test.each([
    ['the active one', key('c', 'ACTIVE', ago(day)), [], 'ACTIVE'],
    ['one that still signs', b, [a, key('c', 'ACTIVE', null)], 'SIGNING'],
    ['one whose mail is under way', b, [a, key('c', 'ACTIVE', ago(underWayMs - 1))], 'MAIL_UNDER_WAY'],
    ['one whose mail has arrived', b, [a, key('c', 'ACTIVE', ago(underWayMs))], undefined],
    ['by when it was replaced, not by who is last', a, [b, key('c', 'ACTIVE', ago(1))], undefined],
    ['one that never signed', key('d', 'RETIRING', null), [a, key('c', 'ACTIVE', ago(1))], undefined]
  ])('%s', (_, one, others, problem) => expect(retirementProblem(one, [...others, one], now)).toBe(problem))
})

describe('answered by our own name servers', () => {
  const says = (...values: string[]): Lookup => ({ resolver: 'x', values, error: null, latencyMs: 1 })
  const fails = (error: string): Lookup => ({ resolver: 'x', values: [], error, latencyMs: 1 })
  const ours = says('v=DKIM1; k=rsa; p=abc')
  test.each<[string, Lookup[], boolean]>([
    ['by all', [ours, ours], true],
    ['by the one that answers', [ours, fails('TIMEOUT'), fails('REFUSED'), fails('SERVFAIL')], true],
    ['beside another text', [says('other', 'p=abc')], true],
    ['not by a secondary yet', [ours, fails('NXDOMAIN')], false],
    ['not by one that has another', [ours, says('v=DKIM1; p=old')], false],
    ['not yet at all', [fails('NODATA')], false],
    ['nobody answers', [fails('TIMEOUT')], false],
    ['nobody is asked', [], false]
  ])('%s', (_, lookups, answered) => expect(isAnswered(lookups, 'abc')).toBe(answered))
})
