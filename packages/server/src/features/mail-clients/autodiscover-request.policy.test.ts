import { describe, expect, test } from 'vitest'
import { outlookSchema } from './autodiscover.render.ts'
import { parseAutodiscoverRequest } from './autodiscover-request.policy.ts'

const request = (address: string, head = '') => `<?xml version="1.0" encoding="utf-8"?>${head}
<Autodiscover xmlns="http://schemas.microsoft.com/exchange/autodiscover/outlook/requestschema/2006">
  <Request>
    <EMailAddress>${address}</EMailAddress>
    <AcceptableResponseSchema>${outlookSchema}</AcceptableResponseSchema>
  </Request>
</Autodiscover>`
const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha">${'bcdefghij'
  .split('')
  .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefghij'[index]!};`.repeat(10)}">`)
  .join('')}]>`

describe('requests', () => {
  test.each([
    ['as Outlook sends them', request('ann@shop.test'), { address: 'ann@shop.test', schema: outlookSchema }],
    [
      'with prefixes, and without a form of answer',
      '<a:Autodiscover><a:Request><a:EMailAddress> ann@shop.test\n</a:EMailAddress></a:Request></a:Autodiscover>',
      { address: 'ann@shop.test', schema: undefined }
    ],
    [
      'with what has to be escaped',
      request('a&amp;b<![CDATA[<c>]]>@shop.test'),
      { address: 'a&b<c>@shop.test', schema: outlookSchema }
    ]
  ])('%s', (_, text, expected) => expect(parseAutodiscoverRequest(text)).toEqual(expected))
})

describe('rejects', () => {
  test.each<[string, string, RegExp]>([
    ['entities that grow', request('&j;@shop.test', laughs), /document type/],
    ['an entity of a file', request('&x;', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'), /document type/],
    [
      'a document type from elsewhere',
      request('a@b.test', '<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd">'),
      /document type/
    ],
    ['an entity that nobody declared', request('&x;@shop.test'), /entities/],
    ['elements without an end', '<a>'.repeat(3_000), /nested/],
    ['what is no XML', 'EMailAddress=ann@shop.test', /./],
    ['an element that stays open', '<Autodiscover><Request>', /./],
    ['nothing', '', /./],
    ['no address', '<Autodiscover/>', /EMailAddress is missing/],
    ['an empty address', request(' '), /EMailAddress is missing/]
  ])('%s', (_, text, problem) => {
    const parsed = parseAutodiscoverRequest(text)
    expect('problem' in parsed ? parsed.problem : parsed).toMatch(problem)
  })
})
