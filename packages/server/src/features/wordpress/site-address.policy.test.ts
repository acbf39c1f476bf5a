import { describe, expect, test } from 'vitest'
import { addressReplacer, formatSiteAddress, parseSiteAddress, siteAddressOf } from './site-address.policy.ts'

const parse = (text: string) => parseSiteAddress(text)!
const { replace: replacer } = addressReplacer([parse('http://old.example')], parse('https://new.example.org'))

describe('replacing the address', () => {
  test.each([
    ['http://old.example', 'https://new.example.org'],
    ['https://old.example/a?b#c', 'https://new.example.org/a?b#c'],
    ['HTTP://Old.Example/a', 'https://new.example.org/a'],
    ['//old.example/a.png', '//new.example.org/a.png'],
    ['"http:\\/\\/old.example\\/a"', '"https:\\/\\/new.example.org\\/a"'],
    ['\\"http:\\\\\\/\\\\\\/old.example\\\\\\/a\\"', '\\"https:\\\\\\/\\\\\\/new.example.org\\\\\\/a\\"'],
    ['?u=http%3A%2F%2Fold.example%2Fa', '?u=https%3A%2F%2Fnew.example.org%2Fa'],
    ['?u=http%3a%2f%2fold.example%2fa', '?u=https%3A%2F%2Fnew.example.org%2fa'],
    ['See http://old.example.', 'See https://new.example.org.'],
    ['http://old.example, http://old.example', 'https://new.example.org, https://new.example.org'],
    ['srcset="//old.example/1.png 1x, //old.example/2.png 2x"', 'srcset="//new.example.org/1.png 1x, //new.example.org/2.png 2x"'] // oxfmt-ignore
  ])('%s', (text, expected) => expect(replacer(text)).toBe(expected))

  test.each([
    'http://old.example.org',
    'http://very-old.example',
    'http://old.example-shop.com',
    'http://www.old.example',
    'http://old.example:8080/',
    'http://old.example\xc3\xa9',
    'ftp://old.example/',
    'info@old.example',
    'old.example'
  ])('does not match %s', (text) => expect(replacer(text)).toBe(text))

  test('a site in a subdirectory', () => {
    const { replace: below } = addressReplacer([parse('http://old.example/blog/')], parse('http://new.example'))
    expect(below('http://old.example/blog/a http://old.example/blogger http://old.example/')).toBe(
      'http://new.example/a http://old.example/blogger http://old.example/'
    )
  })

  test('WordPress core in its own directory', () => {
    const { replace: both } = addressReplacer(
      [parse('http://old.example'), parse('http://old.example/wp')],
      parse('http://new.example')
    )
    expect(both('http://old.example/about http://old.example/wp/wp-content/a.png')).toBe(
      'http://new.example/about http://new.example/wp-content/a.png'
    )
  })

  test('replaces once if the new address contains the old one', () => {
    const { replace: longer } = addressReplacer([parse('http://a.example')], parse('http://a.example:8080'))
    expect(longer('http://a.example/x')).toBe('http://a.example:8080/x')
    expect(longer(longer('http://a.example/x'))).toBe('http://a.example:8080/x')
  })

  test('a port', () => {
    const { replace: port } = addressReplacer([parse('http://old.example:8080')], parse('http://new.example'))
    expect(port('http://old.example:8080/a http://old.example/a http%3A%2F%2Fold.example%3A8080%2Fa')).toBe(
      'http://new.example/a http://old.example/a http%3A%2F%2Fnew.example%2Fa'
    )
  })
})

test('replaces millions of addresses in linear time', () => {
  const { replace, growth } = addressReplacer([parse('http://a')], parse('http://new.example'))
  expect(growth).toBe('//new.example'.length / '//a'.length)
  for (const [old, by] of [
    ['//a ', '//new.example '],
    ['http://a ', 'http://new.example ']
  ] as const) {
    const count = 1e6
    const text = replace(old.repeat(count))
    expect(text.length).toBe(by.length * count)
    expect(text.length).toBeLessThanOrEqual(old.length * count * growth)
    expect(text.endsWith(by)).toBe(true)
  }
})

test.each([
  ['http://a.example/', 'http://a.example'],
  [' https://a.example/blog/ ', 'https://a.example/blog'],
  ['http://a.example:80', 'http://a.example'],
  ['ftp://a.example', undefined],
  ['', undefined],
  ['a.example', undefined],
  [`http://a.example/${'/'.repeat(1e6)}x`, undefined]
])('the address %j', (text, expected) => {
  const parts = parseSiteAddress(text)
  expect(parts && formatSiteAddress(parts)).toBe(expected)
})

describe('the address of a project', () => {
  const own = 'site.apps.localhost'
  const domain = { hostname: 'shop.example', pathPrefix: null, forceHttps: false }
  test.each([
    ['its own hostname', [], { http: 80, https: 443 }, 'http://site.apps.localhost'],
    ['another port', [], { http: 8080, https: 8443 }, 'http://site.apps.localhost:8080'],
    ['a domain', [domain], { http: 80, https: 443 }, 'http://shop.example'],
    ['with a certificate', [{ ...domain, forceHttps: true }], { http: 80, https: 443 }, 'https://shop.example'],
    ['on another port', [{ ...domain, forceHttps: true }], { http: 80, https: 8443 }, 'https://shop.example:8443'],
    ['a part of a domain', [{ ...domain, pathPrefix: '/a' }], { http: 80, https: 443 }, 'http://site.apps.localhost']
  ])('%s', (_name, hosts, ports, expected) =>
    expect(formatSiteAddress(siteAddressOf(hosts, own, ports))).toBe(expected)
  )
})
