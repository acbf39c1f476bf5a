import { describe, expect, test } from 'vitest'
import { findSite, isExcluded } from './site-layout.policy.ts'

const core = (at: string) => [`${at}wp-includes/version.php`, `${at}wp-content/themes/x/style.css`, `${at}index.php`]

describe('findSite', () => {
  test.each([
    ['ours', [...core(''), 'wp-config.php', 'database.sql'], '', 'wp-config.php'],
    ['of another host', [...core('public_html/'), 'public_html/wp-config.php', 'dump.sql'], 'public_html', 'public_html/wp-config.php'], // oxfmt-ignore
    ['with the configuration one above', [...core('www/html/'), 'www/wp-config.php', 'db/a.sql.gz'], 'www/html', 'www/wp-config.php'], // oxfmt-ignore
    ['without a core', ['wp-content/uploads/a.png', 'a.SQL'], '', undefined],
    ['without a core, below', ['site/wp-content/uploads/a.png', 'a.sql'], 'site', undefined],
    ['with a copy of itself inside', [...core(''), ...core('wp-content/backup/'), 'a.sql'], '', undefined]
  ])('%s', (_name, files, documentRoot, config) => expect(findSite(files)).toMatchObject({ documentRoot, config }))

  test('every dump is a candidate', () => {
    expect(findSite([...core(''), 'a.sql', 'wp-content/plugins/x/install.sql', 'wp-content/b.sql.gz']).dumps).toEqual([
      'a.sql',
      'wp-content/plugins/x/install.sql',
      'wp-content/b.sql.gz'
    ])
  })

  const many = (path: (index: number) => string) => Array.from({ length: 200_000 }, (_, index) => path(index))

  test.each([
    ['contents', many((index) => `d${index}/wp-content/x`), /several sites \(d0, d1, d2, d3, d4\)/],
    ['cores', many((index) => `a/b/c/d${index}/wp-includes/version.php`), /several sites/],
    ['dumps', [...core(''), ...many((index) => `${index}.sql`)], /more than 100 dumps/]
  ])('the maximum number of %s', (_name, files, message) => expect(() => findSite(files)).toThrow(message))

  test('nested copies of a site in linear time', () => {
    const files = [...core('a/'), ...many((index) => `a/b${index}/wp-includes/version.php`), 'x.sql']
    expect(findSite(files).documentRoot).toBe('a')
  })

  test.each([
    ['no site', ['a.sql', 'index.html'], /no WordPress/],
    ['no dump', core(''), /no database dump/],
    ['two sites', [...core('a/'), ...core('b/'), 'x.sql'], /several sites \(a, b\)/],
    ['a site too deep', [...core('a/b/c/d/e/'), 'x.sql'], /no WordPress/],
    ['nothing', [], /no WordPress/]
  ])('%s', (_name, files, message) => expect(() => findSite(files)).toThrow(message))
})

test.each([
  ['database.sql', true],
  ['wp-content/uploads/backup.SQL.gz', true],
  ['wp-content/plugins/x/install.sql', false],
  ['wp-config.php', true],
  ['wp-content/wp-config.php', false],
  ['.panel-release', true],
  ['.htaccess', false]
])('%s', (path, expected) => expect(isExcluded(path)).toBe(expected))
