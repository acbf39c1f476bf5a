import { expect, test } from 'vitest'
import { pictureTypeOf } from './picture-type.ts'

test.each([
  ['\u0089PNG\r\n\u001a\n\0\0', 'image/png'],
  ['\u00ff\u00d8\u00ff\u00e0', 'image/jpeg'],
  ['GIF89a', 'image/gif'],
  ['RIFF\n\0\u0001\0WEBPVP8 ', 'image/webp'],
  ['\0\0\0\u001cftypavif', 'image/avif'],
  ['<svg xmlns="http://www.w3.org/2000/svg">', undefined],
  ['%PDF-1.7', undefined],
  ['', undefined]
])('%j is %s', (text, type) => {
  expect(pictureTypeOf(Uint8Array.from(text, (character) => character.charCodeAt(0)))).toBe(type)
})
