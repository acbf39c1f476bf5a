import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CrtEntry, type CrtLines, renderCrtLines } from './crt-list.render.ts'
import { indexRunning } from './running-certificates.ts'

const entry = (id: string, version: number, keyKind: CrtEntry['keyKind'], ...hostnames: string[]): CrtEntry => ({
  id,
  version: String(version).padStart(16, '0'),
  keyKind,
  hostnames
})
const linesOf = (...entries: CrtEntry[]) => renderCrtLines(entries)

test('a renewal changes one line only', () => {
  const running = indexRunning(linesOf(entry('a', 1, 'ec', 'a.example.com'), entry('b', 1, 'ec', 'b.example.com')))
  const renewed = entry('a', 2, 'ec', 'a.example.com')
  const change = running.planChange('a', renewed)!
  expect(change).toEqual({
    added: { entry: renewed, filters: 'a.example.com' },
    removed: [entry('a', 1, 'ec', 'a.example.com')]
  })
  running.apply(change)
  expect(running.lines).toEqual(new Map([['b-0000000000000001.ec.pem', 'b.example.com'], ...linesOf(renewed)]))
  expect(running.planChange('a', renewed)).toEqual({ removed: [] })
  expect(running.planChange('nobody')).toEqual({ removed: [] })
})

test('a change that affects the line of a wildcard, or its own without new content, is not planned', () => {
  const wildcard = entry('w', 1, 'ec', '*.example.com')
  const hidden = entry('x', 1, 'rsa', 'x.example.com')
  expect(indexRunning(linesOf(wildcard)).planChange('x', hidden)).toBeUndefined()
  expect(indexRunning(linesOf(wildcard, hidden)).planChange('x')).toBeUndefined()
  expect(indexRunning(linesOf(hidden)).planChange('x', { ...hidden, hostnames: ['y.example.com'] })).toBeUndefined()
  expect(indexRunning(linesOf(hidden)).planChange('w', wildcard)?.added?.filters).toBe('*.example.com !x.example.com')
})

test('areExactly compares ids and versions', () => {
  const running = indexRunning(linesOf(entry('a', 1, 'ec', 'a.example.com'), entry('b', 2, 'ec', 'b.example.com')))
  const versions = (...pairs: [string, number][]) => new Map(pairs.map(([id, n]) => [id, String(n).padStart(16, '0')]))
  expect(running.areExactly(versions(['b', 2], ['a', 1]))).toBe(true)
  expect(running.areExactly(versions(['a', 1]))).toBe(false)
  expect(running.areExactly(versions(['a', 1], ['b', 1]))).toBe(false)
  expect(running.areExactly(versions(['a', 1], ['b', 2], ['c', 1]))).toBe(false)
})

const anEntry = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    version: fc.integer({ min: 0, max: 3 }),
    keyKind: fc.constantFrom<CrtEntry['keyKind'][]>('ec', 'rsa', 'other'),
    hostnames: fc.uniqueArray(
      fc.constantFrom('*.x.example', 'a.x.example', 'b.x.example', '*.a.x.example', 'c.a.x.example', 'x.example'),
      { minLength: 1, maxLength: 3 }
    )
  })
  .map(({ id, version, keyKind, hostnames }) => entry(id, version, keyKind, ...hostnames))

test('planned changes give the same lines as rendering all certificates', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anEntry, fc.boolean()), { maxLength: 30 }), (changes) => {
      const wanted = new Map<string, CrtEntry>()
      let running = indexRunning(new Map())
      for (const [one, isRemoved] of changes) {
        if (isRemoved) wanted.delete(one.id)
        else wanted.set(one.id, one)
        const change = running.planChange(one.id, isRemoved ? undefined : one)
        const all = renderCrtLines([...wanted.values()])
        if (change) running.apply(change)
        else running = indexRunning(all)
        expect(sorted(running.lines)).toEqual(sorted(all))
        expect(running.areExactly(new Map([...wanted].map(([id, { version }]) => [id, version])))).toBe(true)
      }
    })
  )
})

const sorted = (lines: CrtLines) => [...lines].sort(([one], [other]) => (one < other ? -1 : 1))
