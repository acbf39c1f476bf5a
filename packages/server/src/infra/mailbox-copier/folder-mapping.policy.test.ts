import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { mapFolders, type SourceFolder } from './folder-mapping.policy.ts'

const folder = (path: string, specialUse?: string, more: Partial<SourceFolder> = {}): SourceFolder => ({
  path,
  delimiter: '/',
  specialUse,
  isContainer: false,
  ...more
})
const targets = (folders: SourceFolder[], prefix?: string) =>
  Object.fromEntries(mapFolders(folders, prefix).map(({ path, target }) => [path, target]))

test.each<[string, SourceFolder, string | { leftOut: string }, string?]>([
  ['INBOX is INBOX', folder('INBOX'), 'INBOX'],
  ['in any case', folder('Inbox', '\\Inbox'), 'INBOX'],
  ['a folder keeps its name', folder('Work'), 'Work'],
  ['and its levels', folder('Work/2026/May'), 'Work.2026.May'],
  ['also with another separator', folder('Work.2026', undefined, { delimiter: '.' }), 'Work.2026'],
  ['what is our separator is not a level', folder('v1.2/x'), 'v1_2.x'],
  ['without levels', folder('a/b', undefined, { delimiter: null }), 'a_b'],
  ['letters of all kinds', folder('Übung/送信済み'), 'Übung.送信済み'],
  ['a use goes to ours', folder('Sent Items', '\\Sent'), 'Sent'],
  ['wherever it lies', folder('[Gmail]/Bin', '\\Trash'), 'Trash'],
  ['a view is left out', folder('[Gmail]/All Mail', '\\All'), { leftOut: 'view' }],
  ['a prefix goes', folder('INBOX.Work', undefined, { delimiter: '.' }), 'Work', 'INBOX.'],
  ['where there is one', folder('INBOX/Work'), 'INBOX.Work'],
  ['a second inbox is a folder', folder('INBOX.inbox', undefined, { delimiter: '.' }), 'inbox_', 'INBOX.'],
  ['a way up', folder('../../etc'), '__.__.etc'],
  ['control characters', folder('a\u0001b\r\nc\u001b[31m'), 'a_b__c_[31m'],
  ['what no store keeps', folder('a\u0000b'), { leftOut: 'unreadable' }],
  ['what is too long to be kept', folder('ü'.repeat(501)), { leftOut: 'unreadable' }],
  ['a sign that turns text', folder('a\u202egpj'), 'a_gpj'],
  ['patterns and homes', folder('~root/*/%'), '_root._._'],
  ['half a character', folder('\ud800x'), { leftOut: 'unreadable' }],
  ['a level without a name', folder('a//b'), 'a._.b']
])('%s', (_what, source, target, prefix) => expect(targets([source], prefix)).toEqual({ [source.path]: target }))

test('what lies below a folder with a use lies below ours', () => {
  expect(targets([folder('Gesendet', '\\Sent'), folder('Gesendet/2024')])).toEqual({
    Gesendet: 'Sent',
    'Gesendet/2024': 'Sent.2024'
  })
})

test('of two with the same use the second one keeps its name', () => {
  expect(targets([folder('Sent', '\\Sent'), folder('Sent Messages', '\\Sent')])).toEqual({
    Sent: 'Sent',
    'Sent Messages': 'Sent Messages'
  })
})

test('INBOX comes first, and what has no messages not at all', () => {
  const all = [folder('A'), folder('B', undefined, { isContainer: true }), folder('inbox')]
  expect(mapFolders(all).map(({ path }) => path)).toEqual(['inbox', 'A'])
})

describe('whatever a folder is called', () => {
  test('its name here fits into one directory, has no odd sign, and is always the same', () => {
    const level = fc.string({ unit: 'grapheme', maxLength: 40 })
    fc.assert(
      fc.property(fc.array(level, { minLength: 1, maxLength: 30 }), (levels) => {
        const source = folder(levels.join('/'))
        const target = mapFolders([source])[0]!.target
        if (typeof target !== 'string') return
        expect(target).toMatch(/^[^\p{Cc}/*%\\]+$/u)
        expect(Buffer.byteLength(target)).toBeLessThanOrEqual(220)
        expect(target.split('.').length).toBeLessThanOrEqual(10)
        expect(target.split('.').every((each) => each !== '')).toBe(true)
        expect(mapFolders([source])[0]!.target).toBe(target)
      })
    )
  })
})
