import { expect, test } from 'vitest'
import { parseTarget } from './target.policy.ts'

const facts = (to: string) => ({
  to,
  ownEmail: 'Ann@Home.example',
  isOwnDomain: (name: string) => name === 'shop.example'
})

test.each([
  ['delivery-test@mail.panel.example', 'delivery-test@mail.panel.example'],
  ['Delivery-Test@Mail.Panel.EXAMPLE', 'delivery-test@mail.panel.example'],
  ['ann@home.example', 'ann@home.example'],
  ['anybody+x@shop.example', 'anybody+x@shop.example']
])('%s', (to, address) => expect(parseTarget(facts(to))).toEqual({ address }))

test.each([
  'bob@home.example',
  'bob@elsewhere.example',
  'bob@sub.shop.example',
  'delivery-test@panel.example',
  'delivery-test@mail.localhost',
  `delivery-test+${'0'.repeat(32)}@mail.panel.example`,
  'delivery-test@[192.0.2.1]',
  'ann@home.example, bob@elsewhere.example',
  'ann@home.example\r\nbob@elsewhere.example',
  '"a@shop.example"@elsewhere.example',
  'bob@elsewhere.example@shop.example',
  '',
  '@shop.example',
  '|cat@shop.example'
])('rejects %s', (to) => expect(parseTarget(facts(to))).toHaveProperty('problem'))
