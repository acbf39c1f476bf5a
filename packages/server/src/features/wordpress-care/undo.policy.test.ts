import { expect, test } from 'vitest'
import { changedParts, replacedParts, undoUntil } from './undo.policy.ts'

const copy = (files: boolean, database: boolean) => ({ kind: 'COPY' as const, copy: { fromProjectId: 'a', files, database } }) // oxfmt-ignore

test.each([
  [copy(true, false), { files: true, database: true }, { files: true, database: false }],
  [copy(false, true), { files: false, database: true }, { files: false, database: true }],
  [
    { kind: 'UPDATE' as const, copy: null },
    { files: true, database: true },
    { files: true, database: true }
  ],
  [
    { kind: 'REPLACEMENT' as const, copy: null },
    { files: false, database: true },
    { files: true, database: true }
  ]
])('%o restores %o when it fails, and %o when it is undone', (task, changed, replaced) => {
  expect(changedParts(task)).toEqual(changed)
  expect(replacedParts(task)).toEqual(replaced)
})

const now = new Date('2026-01-01T00:00:00Z')
const push = { kind: 'COPY', trigger: 'MANUAL', tablePrefix: 'wp_' } as const
const done = { status: 'SUCCEEDED', isFull: false, now } as const
const never = null
const inAWeek = new Date('2026-01-08T00:00:00Z')

test.each([
  ['a push', push, done, inAWeek],
  ['a new staging copy', { ...push, tablePrefix: null }, done, never],
  ['an update', { ...push, kind: 'UPDATE' as const }, done, inAWeek],
  ['an automatic update', { ...push, kind: 'UPDATE' as const, trigger: 'AUTOMATIC' as const }, done, never],
  ['a replacement', { ...push, kind: 'REPLACEMENT' as const }, done, never],
  ['an undo', { ...push, kind: 'UNDO' as const }, done, never],
  ['a push into a full account', push, { ...done, isFull: true }, never],
  ['a push that was rolled back', push, { ...done, status: 'ROLLED_BACK' as const }, never]
])('%s can be undone: %o %o until %s', (_name, task, ended, until) => {
  expect(undoUntil(task, ended)).toEqual(until)
})
