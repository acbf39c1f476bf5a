import { expect, test } from 'vitest'
import { certificateTypeFor, challengeTypeFor } from './certificate-type.policy.ts'

const directory = 'https://acme.example/directory'

test.each([
  ['shop.example.com', 'production', undefined, 'LETS_ENCRYPT', 'http-01'],
  ['*.example.com', 'production', undefined, 'LETS_ENCRYPT', 'dns-01'],
  ['shop.localhost', 'production', undefined, 'SELF_SIGNED', 'http-01'],
  ['shop.localhost', 'production', directory, 'SELF_SIGNED', 'http-01'],
  ['*.apps.localhost', 'production', undefined, 'SELF_SIGNED', 'dns-01'],
  ['localhost.example.com', 'production', undefined, 'LETS_ENCRYPT', 'http-01'],
  ['notlocalhost', 'production', undefined, 'LETS_ENCRYPT', 'http-01'],
  ['shop.example.com', 'test', undefined, 'SELF_SIGNED', 'http-01'],
  ['shop.example.com', 'test', directory, 'LETS_ENCRYPT', 'http-01'],
  ['shop.example.com', 'development', undefined, 'LETS_ENCRYPT', 'http-01']
])('%s in %s with the directory %s: %s', (hostname, NODE_ENV, ACME_DIRECTORY_URL, type, challenge) => {
  expect(certificateTypeFor(hostname, { NODE_ENV, ACME_DIRECTORY_URL })).toBe(type)
  expect(challengeTypeFor(hostname)).toBe(challenge)
})
