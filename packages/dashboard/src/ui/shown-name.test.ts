import { expect, test } from 'vitest'
import { shownName } from './shown-name.ts'

test.each([
  ['index.html', 'index.html'],
  ['Grüße 世界 👩‍👩‍👧.txt', 'Grüße 世界 👩‍👩‍👧.txt'],
  ['a\nb\u001b[31m\u007f', 'a␊b␛[31m␡'],
  ['invoice\u202efdp.exe', 'invoice\u{fffd}fdp.exe'],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>']
])('%j', (name, shown) => {
  expect(shownName(name)).toBe(shown)
})
