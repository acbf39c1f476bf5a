import { expect, test } from 'vitest'
import { passwordHashProblem } from './mailboxes.ts'

const phc = (
  parameters: string,
  salt = 'c29tZXNhbHRzb21lc2FsdA',
  hash = 'aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g'
) => `$argon2id$v=19$${parameters}$${salt}$${hash}`

test.each([
  phc('m=19456,t=2,p=1'),
  phc('m=65536,t=3,p=4'),
  phc('m=65536,t=4,p=1'),
  phc('m=262144,t=1,p=16'),
  phc('m=8,t=1,p=1'),
  phc('m=19456,t=2,p=1', 'x'.repeat(86), 'x'.repeat(86))
])('%s is accepted', (text) => {
  expect(passwordHashProblem(text)).toBeUndefined()
})

test.each([
  '$argon2id$',
  phc('m=262145,t=1,p=1'),
  phc('m=99999999,t=1,p=1'),
  phc('m=262144,t=2,p=1'),
  phc('m=19456,t=14,p=1'),
  phc('m=7,t=1,p=1'),
  phc('m=19456,t=0,p=1'),
  phc('m=19456,t=2,p=0'),
  phc('m=19456,t=2,p=17'),
  phc('t=2,m=19456,p=1'),
  phc('m=19456,t=2,p=1').replace('v=19', 'v=16'),
  phc('m=19456,t=2,p=1', 'short'),
  phc('m=19456,t=2,p=1', undefined, 'x'.repeat(87)),
  `${phc('m=19456,t=2,p=1')}=`,
  `${phc('m=19456,t=2,p=1')}:`,
  `${phc('m=19456,t=2,p=1')}\n`,
  ` ${phc('m=19456,t=2,p=1')}`
])('%j is rejected', (text) => {
  expect(passwordHashProblem(text)).toEqual(expect.any(String))
})
