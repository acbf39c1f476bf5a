import { expect, test } from 'vitest'
import { choosePanelSnapshot, chooseProjectSnapshots } from './snapshots.policy.ts'

const at = (id: string, day: number, ...tags: string[]) => ({ id, tags, takenAt: new Date(Date.UTC(2026, 0, day)) })
const all = [
  at('1a', 1, 'project:p'),
  at('2a', 1, 'panel', 'installation:one'),
  at('3a', 2, 'project:p'),
  at('4a', 2, 'panel', 'installation:one'),
  at('5a', 3, 'project:p')
]

test('the latest of the panel is restored, or the one that is named', () => {
  expect(choosePanelSnapshot(all).id).toBe('4a')
  expect(choosePanelSnapshot(all, '2').id).toBe('2a')
  expect(() => choosePanelSnapshot(all, '5')).toThrow('no snapshot')
  expect(() => choosePanelSnapshot(all.slice(0, 1))).toThrow('no backup of a panel')
})

test('with those of another installation one has to be chosen', () => {
  const both = [...all, at('6a', 4, 'panel', 'installation:two')]
  expect(() => choosePanelSnapshot(both)).toThrow(/one, two/)
  expect(choosePanelSnapshot(both, '6a').installation).toBe('two')
})

test('of each project the latest', () => {
  expect([...chooseProjectSnapshots(all, ['p', 'q'])].map(([project, { id }]) => [project, id])).toEqual([['p', '5a']])
})
