import { expect, test } from 'vitest'
import { joined, recognized, sentenceText } from './sentences.ts'

const texts = { GOES_TO: 'It goes to {{addresses}}', FAILED: 'It failed:', WHY: 'nobody answered on port {{port}}' }
const goesTo = (addresses: string[]) => sentenceText(texts, [{ code: 'GOES_TO', values: { addresses } }])

test('a list is joined with commas and “and”, and cut if it is long', () => {
  expect(goesTo(['a'])).toBe('It goes to a')
  expect(goesTo(['a', 'b'])).toBe('It goes to a and b')
  expect(goesTo(['a', 'b', 'c'])).toBe('It goes to a, b and c')
  expect(goesTo([...'abcdefghijk'])).toBe('It goes to a, b, c, d, e, f, g, h and 3 more')
})

test('adds a full stop between texts, except after a colon', () => {
  expect(sentenceText(texts, [{ code: 'FAILED' }, { code: 'WHY', values: { port: 8080 } }, { code: 'FAILED' }])).toBe(
    'It failed: nobody answered on port 8080. It failed:'
  )
  expect(joined(['Really?', 'Yes!', 'Zuletzt hieß es: „Nein.“', 'Gut'])).toBe(
    'Really? Yes! Zuletzt hieß es: „Nein.“ Gut'
  )
})

test('recognizes the code of a stored text with up to one value', () => {
  const message = {
    PLAIN: 'It ended.',
    AT_END: 'It said: {{answer}}',
    WITHIN: 'It has {{count}} lines.',
    TWO: '{{a}} and {{b}}'
  }
  expect(recognized(message, 'It ended.')).toEqual({ code: 'PLAIN' })
  expect(recognized(message, 'It said: no: It ended.')).toEqual({ code: 'AT_END', values: { answer: 'no: It ended.' } })
  expect(recognized(message, 'It has 3 lines.')).toEqual({ code: 'WITHIN', values: { count: '3' } })
  expect(recognized(message, 'It has lines.')).toBeUndefined()
  expect(recognized(message, 'one and two')).toBeUndefined()
  expect(recognized({ ALONE: '{{answer}}' }, 'anything')).toBeUndefined()
})
