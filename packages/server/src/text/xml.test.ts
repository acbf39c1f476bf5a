import { XMLParser, XMLValidator } from 'fast-xml-parser'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { xml, xmlDocument } from './xml.ts'

test('keeps XML fragments and escapes values', () => {
  const items = ['a<b', '"&\''].map((item) => xml`<item name="${item}">${item}</item>`)
  expect(xmlDocument(xml`<list length="${items.length}">${items}</list>`)).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<list length="2"><item name="a&lt;b">a&lt;b</item>' +
      '<item name="&quot;&amp;&apos;">&quot;&amp;&apos;</item></list>\n'
  )
})

test('no value can break out of its element', () => {
  const parser = new XMLParser({ ignoreAttributes: false, trimValues: false, parseTagValue: false })
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const document = xmlDocument(xml`<a b="${value}">${value}</a>`)
      expect(XMLValidator.validate(document)).toBe(true)
      expect(Object.keys(parser.parse(document) as object)).toEqual(['?xml', 'a'])
    })
  )
})

test('replaces characters that XML forbids', () => {
  expect(xml`<a>${'\u0000\u001b\ud800\uffff\t😀'}</a>`.text).toBe('<a>\ufffd\ufffd\ufffd\ufffd\t😀</a>')
})
