import { expect, test } from 'vitest'
import { attachment } from './content-disposition.ts'

test.each([
  ['notes.txt', `attachment; filename="notes.txt"`],
  ['with space.txt', `attachment; filename="with space.txt"`],
  ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"`],
  ['', `attachment; filename=""`],
  ['say "hi".txt', `attachment; filename="say _hi_.txt"; filename*=UTF-8''say%20%22hi%22.txt`],
  ['back\\slash', `attachment; filename="back_slash"; filename*=UTF-8''back%5Cslash`],
  ['100%41.txt', `attachment; filename="100_41.txt"; filename*=UTF-8''100%2541.txt`],
  ['Grüße.txt', `attachment; filename="Gr__e.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.txt`],
  ["世界 (1)'*.png", `attachment; filename="__ (1)'*.png"; filename*=UTF-8''%E4%B8%96%E7%95%8C%20%281%29%27%2A.png`],
  ['😀', `attachment; filename="_"; filename*=UTF-8''%F0%9F%98%80`],
  ['a\r\nSet-Cookie: x=y', `attachment; filename="a__Set-Cookie: x=y"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x%3Dy`],
  ['\x00\x1b\x7f', `attachment; filename="___"; filename*=UTF-8''%00%1B%7F`],
  ['half\ud800', `attachment; filename="half_"; filename*=UTF-8''half%EF%BF%BD`]
])('%j', (name, header) => {
  expect(attachment(name)).toBe(header)
})

test('every character survives the extended form, and the result is a valid header', () => {
  for (let code = 0; code < 0x3000; code++) {
    const header = attachment(`a${String.fromCharCode(code)}b`)
    expect(header).toMatch(/^[\x20-\x7e]+$/)
    const extended = /filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]*)$/.exec(header)?.[1]
    if (extended !== undefined) expect(decodeURIComponent(extended)).toBe(`a${String.fromCharCode(code)}b`)
  }
})
