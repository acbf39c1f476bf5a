import { expect, test } from 'vitest'
import { markMatches } from './marks.ts'

const span = (text: string, ...classes: string[]) => ({ text, classes })
const shown = (...args: Parameters<typeof markMatches>) =>
  markMatches(...args).map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))

test.each([
  [[span('an Error, an error')], 'error', ['an ', '[Error]', ', an ', '[error]']],
  [[span('er', 'f1'), span('ror')], 'error', ['[er]', '[ror]']],
  [[span('aaa')], 'a', ['[a]', '[a]', '[a]']],
  [[span('none')], 'x', ['none']],
  [[span('all')], '', ['all']]
])('marks in %o for %j', (spans, wanted, expected) => expect(shown(spans, wanted)).toEqual(expected))
