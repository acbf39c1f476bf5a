import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { ProjectName } from '@panel/contract/projects'
import {
  isAtOrBelow,
  isReservedName,
  namesAbove,
  parseDomainName,
  probedName,
  projectHostnames
} from './hostname.policy.ts'
import { isHostname } from '../../net/hostname.ts'

describe('projectHostnames', () => {
  const id = '01hzy3v9k4abcdefghjkmnpqrs'
  test('plain name first, then the one with the id suffix', () => {
    expect(projectHostnames({ id, name: 'shop' }, 'apps.localhost', undefined)).toEqual([
      'shop.apps.localhost',
      'shop-mnpqrs.apps.localhost'
    ])
  })
  test.each(['panel', 'api', 'www', 'mail', 'webmail', 'ns1', 'ns2', 'autoconfig', 'mta-sts'])(
    '%s is the panel’s',
    (name) => {
      expect(projectHostnames({ id, name }, 'example.org', undefined)).toEqual([`${name}-mnpqrs.example.org`])
    }
  )
  test('PANEL_DOMAIN is reserved too', () => {
    expect(projectHostnames({ id, name: 'admin' }, 'example.org', 'admin.example.org')).toEqual([
      'admin-mnpqrs.example.org'
    ])
    expect(projectHostnames({ id, name: 'admin' }, 'example.org', 'admin.example.net')[0]).toBe('admin.example.org')
  })
  test('any name gives valid, distinct hostnames below the base', () => {
    const name = fc
      .stringMatching(/^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/)
      .filter((text) => ProjectName.safeParse(text).success)
    fc.assert(
      fc.property(name, (text) => {
        const names = projectHostnames({ id, name: text }, 'apps.localhost', undefined)
        expect(names.every(isHostname)).toBe(true)
        expect(names.every((hostname) => hostname.split('.').length === 3)).toBe(true)
        expect(names.at(-1)).toMatch(/-mnpqrs\.apps\.localhost$/)
      })
    )
  })
})

test.each([
  ['Shop.Example.COM', 'shop.example.com'],
  ['*.Example.com', '*.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ['a.b.c.example.com', 'a.b.c.example.com']
])('%j is the domain %j', (text, hostname) => {
  expect(parseDomainName(text)).toEqual({ hostname })
})

test.each([
  '',
  '.',
  '*',
  '*.',
  '*.com',
  'com',
  'a..com',
  'a.com.',
  '-a.com',
  'a-.com',
  'a_b.com',
  'xn--a.com',
  'http://a.com',
  'a.com:80',
  'a.com/x',
  'user@a.com',
  'a.com\n',
  'a.com\u0000',
  'a%2ecom',
  '1.2.3.4',
  '1.2.3.0x4',
  '[::1]',
  '*.*.a.com',
  'a.*.com',
  '*a.com',
  'a\u00adb.com',
  '\u202ea.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(126)}com`
])('%j is not a domain', (text) => {
  expect(parseDomainName(text)).toHaveProperty('problem')
})

test('parent names are nearest first and end before the last label', () => {
  expect(namesAbove('a.b.example.com')).toEqual(['b.example.com', 'example.com'])
  expect(namesAbove('*.example.com')).toEqual(['example.com'])
  expect(namesAbove('example.com')).toEqual([])
})

test('isAtOrBelow compares whole labels', () => {
  expect(isAtOrBelow('a.example.com', 'example.com')).toBe(true)
  expect(isAtOrBelow('example.com', 'example.com')).toBe(true)
  expect(isAtOrBelow('aexample.com', 'example.com')).toBe(false)
})

test.each([
  ['panel.example.com', 'panel.example.com'],
  ['*.apps.example.com', 'panel-probe.apps.example.com']
])('%s is queried as %s', (name, probed) => expect(probedName(name)).toBe(probed))

const names = { baseDomain: 'apps.host.net', panelDomain: 'panel.host.net', nameservers: ['ns1.host.net'] }

test.each<[string, 'none' | 'admin' | 'all']>([
  ['apps.host.net', 'admin'],
  ['*.apps.host.net', 'admin'],
  ['panel.host.net', 'admin'],
  ['x.apps.host.net', 'none'],
  ['mail.panel.host.net', 'admin'],
  ['webmail.panel.host.net', 'admin'],
  ['api.panel.host.net', 'none'],
  ['*.panel.host.net', 'none'],
  ['ns1.host.net', 'none'],
  ['catalog.panel.invalid', 'none'],
  ['host.net', 'all'],
  ['xapps.host.net', 'all'],
  ['shop.example.com', 'all']
])('%s can be claimed by: %s', (hostname, whom) => {
  expect(isReservedName(hostname, names, false)).toBe(whom !== 'all')
  expect(isReservedName(hostname, names, true)).toBe(whom === 'none')
})
