import { expect, test } from 'vitest'
import { parseTagList } from './tag-list.policy.ts'

test.each<[string, Record<string, string> | undefined]>([
  ['v=DKIM1; k=rsa; p=abc', { v: 'DKIM1', k: 'rsa', p: 'abc' }],
  [' v = DMARC1 ;p=none;', { v: 'DMARC1', p: 'none' }],
  ['p=', { p: '' }],
  ['p=a=b==', { p: 'a=b==' }],
  ['', {}],
  ['v=DKIM1;;p=abc', undefined],
  ['v=DKIM1; p=abc; p=abd', undefined],
  ['v=DKIM1; abc', undefined],
  ['=x', undefined],
  ['google-site-verification=x', undefined]
])('%j', (text, tags) => {
  const parsed = parseTagList(text)
  expect(parsed && Object.fromEntries(parsed)).toEqual(tags)
})
