import { expect, test } from 'vitest'
import { joined, said } from './sentences.ts'

const texts = { GOES_TO: 'It goes to {{addresses}}', FAILED: 'It failed:', WHY: 'nobody answered on port {{port}}' }
const goesTo = (addresses: string[]) => said(texts, [{ code: 'GOES_TO', values: { addresses } }])

test('a list is said with the words between its parts, and cut where it is long', () => {
  expect(goesTo(['a'])).toBe('It goes to a')
  expect(goesTo(['a', 'b'])).toBe('It goes to a and b')
  expect(goesTo(['a', 'b', 'c'])).toBe('It goes to a, b and c')
  expect(goesTo([...'abcdefghijk'])).toBe('It goes to a, b, c, d, e, f, g, h and 3 more')
})

test('sentences end before the next one begins, and what announces one goes on with it', () => {
  expect(said(texts, [{ code: 'FAILED' }, { code: 'WHY', values: { port: 8080 } }, { code: 'FAILED' }])).toBe(
    'It failed: nobody answered on port 8080. It failed:'
  )
  expect(joined(['Really?', 'Yes!', 'Zuletzt hieß es: „Nein.“', 'Gut'])).toBe(
    'Really? Yes! Zuletzt hieß es: „Nein.“ Gut'
  )
})
