import { expect, test } from 'vitest'
import { renderOpendkimConfig } from './opendkim-config.render.ts'
import {
  readKeyTable,
  readSigningTable,
  renderKeyLines,
  renderSigningLine,
  replaceLines
} from './signing-tables.render.ts'

test('the whole configuration', async () => {
  const directories = {
    directory: '/var/lib/panel-0123456789ab/mail',
    certificateDirectory: '/run/panel-0123456789ab/mail'
  }
  await expect(renderOpendkimConfig(directories)).toMatchFileSnapshot('./opendkim-config.golden.conf')
})

test('a domain is replaced whole, and no other', () => {
  const keys = (domain: string, ...selectors: string[]) =>
    renderKeyLines(
      domain,
      selectors.map((selector) => ({ selector, path: `/keys/${domain}/${selector}.private` }))
    )
  const both = replaceLines(
    replaceLines('', 'one.test', keys('one.test', 's1')),
    'sub.one.test',
    keys('sub.one.test', 's1')
  )
  const rotated = replaceLines(both, 'one.test', keys('one.test', 's1', 's2'))
  expect(rotated).toBe(`s1._domainkey.sub.one.test sub.one.test:s1:/keys/sub.one.test/s1.private
s1._domainkey.one.test one.test:s1:/keys/one.test/s1.private
s2._domainkey.one.test one.test:s2:/keys/one.test/s2.private
`)
  expect(Object.fromEntries(readKeyTable(rotated))).toEqual({
    'sub.one.test:s1': '/keys/sub.one.test/s1.private',
    'one.test:s1': '/keys/one.test/s1.private',
    'one.test:s2': '/keys/one.test/s2.private'
  })
  expect(replaceLines(rotated, 'one.test', [])).toBe(
    's1._domainkey.sub.one.test sub.one.test:s1:/keys/sub.one.test/s1.private\n'
  )
})

test('which key signs', () => {
  const text = replaceLines(replaceLines('', 'one.test', [renderSigningLine('one.test', 's1')]), 'two.test', [
    renderSigningLine('two.test', 's2')
  ])
  expect(text).toBe('one.test s1._domainkey.one.test\ntwo.test s2._domainkey.two.test\n')
  expect(Object.fromEntries(readSigningTable(text))).toEqual({ 'one.test': 's1', 'two.test': 's2' })
  expect(replaceLines(text, 'one.test', [])).toBe('two.test s2._domainkey.two.test\n')
})

test.each([
  ['a selector with a blank', 'one.test', 'a b'],
  ['a selector that is a path', 'one.test', '../a'],
  ['a selector with a colon', 'one.test', 'a:b'],
  ['a domain with a line feed', 'one.test\ntwo.test', 's1'],
  ['every domain', '*', 's1']
])('refuses %s', (_, domain, selector) => {
  expect(() => renderSigningLine(domain, selector)).toThrow(TypeError)
  expect(() => renderKeyLines(domain, [{ selector, path: '/k' }])).toThrow(TypeError)
})
