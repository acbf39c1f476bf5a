import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fullScope, maskable, secret } from '@panel/contract/field-scope'
import { findFullScope, hideSecrets } from './field-scope.policy.ts'

const Key = z.object({ id: z.string(), key: secret(z.string().nullable()), note: secret(z.string().optional()) })
const shown = { id: 'a', key: 'k', note: 'n' }
const hidden = { id: 'a', key: null, note: undefined }

describe('what an answer is without its secrets', () => {
  test.each<[string, z.ZodType, unknown, unknown]>([
    ['a member', Key, shown, hidden],
    ['a member that is null already', Key, { ...shown, key: null }, hidden],
    ['a member that is absent', Key, { id: 'a', key: 'k' }, { id: 'a', key: null }],
    ['a list', z.object({ keys: z.array(Key) }), { keys: [shown, shown] }, { keys: [hidden, hidden] }],
    ['an object that may be absent', z.object({ one: Key.nullish() }), { one: shown }, { one: hidden }],
    ['one of several forms', z.union([z.object({ x: z.int() }), z.object({ in: Key })]), { in: shown }, { in: hidden }],
    [
      'a mark with words on it',
      z.object({ k: secret(z.string().nullable()).meta({ description: 'x' }) }),
      { k: 'k' },
      { k: null }
    ],
    ['an extended object', Key.extend({ more: z.int() }), { ...shown, more: 1 }, { ...hidden, more: 1 }],
    [
      'what whoever made the answer has masked',
      z.object({ k: secret(z.string().optional()), uri: maskable(z.string()) }),
      { k: 'k', uri: 'u' },
      { uri: 'u' }
    ],
    ['what is not of the schema at all', z.array(Key), 'text', 'text']
  ])('%s', (_name, schema, value, expected) => {
    const before = structuredClone(value)
    expect(hideSecrets(schema)!(value)).toEqual(expected)
    expect(value).toEqual(before)
  })

  test('nothing is to be done where there is none', () => {
    expect(hideSecrets(z.object({ a: z.string(), b: z.array(z.union([z.int(), z.null()])) }))).toBeUndefined()
  })

  test('a required secret cannot be hidden, so the schema is rejected', () => {
    const schema = z.object({ keys: z.array(z.object({ key: secret(z.string()) })) })
    expect(() => hideSecrets(schema)).toThrow('the answer.keys[].key is secret and can be neither null nor absent')
  })
})

test.each([
  ['an answer', () => hideSecrets(z.record(z.string(), Key))],
  ['an answer', () => hideSecrets(z.object({ one: Key.transform((key) => key) }))],
  ['a request', () => findFullScope(z.object({ all: z.array(z.object({ command: fullScope(z.string()) })) }))],
  ['a request', () => findFullScope(z.union([z.object({ command: fullScope(z.string()) }), z.null()]))]
])('a mark in %s where nobody looks is a mistake', (_name, compile) => expect(compile).toThrow(/inside a \w+, where/))

describe('what of a request takes the scope full', () => {
  const Body = z
    .object({ command: fullScope(z.string().nullish()), action: fullScope(z.enum(['start', 'remove']), ['remove']) })
    .partial()
    .nullish()
  test.each<[unknown, string | undefined]>([
    [{ command: 'x' }, 'command'],
    [{ command: '' }, 'command'],
    [{ command: null }, undefined],
    [{ action: 'start' }, undefined],
    [{ action: 'remove' }, 'action'],
    [{}, undefined],
    [null, undefined],
    [undefined, undefined]
  ])('%j: %s', (body, member) => expect(findFullScope(Body)!(body)).toBe(member))

  test('nothing is looked for where nothing is marked', () => {
    expect(findFullScope(z.object({ a: z.string() }))).toBeUndefined()
  })
})
