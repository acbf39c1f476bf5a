import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { ProjectName } from '@panel/contract/projects'
import { isHostname, projectHostnames } from './hostname.policy.ts'

describe('isHostname', () => {
  test.each([
    'localhost',
    'a',
    'example.com',
    'a-b.c-d.example',
    '1.example',
    'xn--bcher-kva.example',
    `${'a'.repeat(63)}.example`,
    Array(127).fill('a').join('.')
  ])('%s is one', (text) => {
    expect(isHostname(text)).toBe(true)
  })
  test.each([
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    '-a',
    'a-',
    'a.-b',
    'A.example',
    'a_b.example',
    'a b',
    'a\n',
    'a\0',
    '*.example',
    'bücher.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}a`,
    'a/b',
    'a:80',
    '[::1]'
  ])('%j is none', (text) => expect(isHostname(text)).toBe(false))
})

describe('projectHostnames', () => {
  const id = '01hzy3v9k4abcdefghjkmnpqrs'
  test('the plain name first, then the one with the end of the id', () => {
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
  test('so is PANEL_DOMAIN', () => {
    expect(projectHostnames({ id, name: 'admin' }, 'example.org', 'admin.example.org')).toEqual([
      'admin-mnpqrs.example.org'
    ])
    expect(projectHostnames({ id, name: 'admin' }, 'example.org', 'admin.example.net')[0]).toBe('admin.example.org')
  })
  test('whatever the name, each is a host name of its own below the base', () => {
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
