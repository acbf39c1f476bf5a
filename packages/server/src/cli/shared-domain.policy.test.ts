import { expect, test } from 'vitest'
import { sharedDomainOf } from './shared-domain.policy.ts'

test.each([
  ['apps.example.com', 'panel.example.com', 'example.com'],
  ['example.com', 'panel.example.com', 'example.com'],
  ['apps.example.co.uk', 'panel.example.co.uk', 'example.co.uk'],
  ['apps.example.com', 'panel.example.net', undefined],
  ['one.co.uk', 'two.co.uk', undefined],
  ['one.github.io', 'two.github.io', undefined],
  ['a.one.github.io', 'b.one.github.io', 'one.github.io'],
  ['apps.localhost', 'panel.localhost', undefined],
  ['apps.hosting.test', 'panel.hosting.test', 'hosting.test'],
  ['apps.example.com', undefined, undefined]
])('sites at %s, the panel at %s: %s', (BASE_DOMAIN, PANEL_DOMAIN, shared) =>
  expect(sharedDomainOf({ BASE_DOMAIN, PANEL_DOMAIN })).toBe(shared)
)
