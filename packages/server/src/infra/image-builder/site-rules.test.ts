import { expect, test } from 'vitest'
import { parseSiteRules, type Redirect } from './site-rules.ts'

const redirects = (text: string) => parseSiteRules({ redirects: text })
const rule = (
  pattern: string,
  target: Redirect['target'],
  status: Redirect['status'] = 301,
  isForced = false
): Redirect => ({
  pattern,
  target,
  status,
  isForced
})

test.each<[string, Redirect]>([
  ['/old /new', rule('^/old/?$', ['/new'])],
  ['  /old   /new   302  # soon', rule('^/old/?$', ['/new'], 302)],
  ['/a.b/ /c 308!', rule('^/a\\.b/?$', ['/c'], 308, true)],
  ['/ /start', rule('^/?$', ['/start'])],
  ['/blog/* /news/:splat', rule('^/blog(?:/(.*))?$', ['/news/', 1])],
  ['/* /index.html 200', rule('^(?:/(.*))?$', ['/index.html'], 200)],
  ['/n/:year/:slug /p?y=:year&s=:slug', rule('^/n/([^/]+)/([^/]+)/?$', ['/p?y=', 1, '&s=', 2])],
  ['/gone /404.html 404', rule('^/gone/?$', ['/404.html'], 404)],
  ['/caf%C3%A9 https://example.com:8443/x#y', rule('^/café/?$', ['https://example.com:8443/x#y'])]
])('%s', (line, expected) => {
  expect(redirects(line)).toEqual({ redirects: [expected], headers: [], skipped: [] })
})

test.each([
  '/only-one',
  'old /new',
  '/old /new 200 Country=de',
  '/old page=:page /new',
  '/old /new 418',
  '/a*b /new',
  '/old //evil.example',
  '/old javascript:alert(1)',
  '/old /new/:missing',
  '/old https://example.com/ 200',
  '/%0a /new',
  '/%22%20x /new',
  '/old /{$HOME}',
  '/old /"x',
  '/old /`x`',
  '/old /a\\b',
  '/%zz /new'
])('%s is left out', (line) => {
  expect(redirects(`# comment\n\n${line}\n/good /new`)).toMatchObject({
    redirects: [{ pattern: '^/good/?$' }],
    skipped: ['_redirects:3']
  })
})

test('headers of paths', () => {
  const headers = [
    '/*',
    '  X-Frame-Options: DENY',
    '  Link: </a.css>; rel="preload"',
    '/x',
    '\tCache-Control: max-age=1',
    '/none'
  ]
  expect(parseSiteRules({ headers: headers.join('\r\n') })).toEqual({
    redirects: [],
    headers: [
      { pattern: '^(?:/(.*))?$', headers: [['X-Frame-Options', 'DENY'], ['Link', '</a.css>; rel="preload"']] },
      { pattern: '^/x/?$', headers: [['Cache-Control', 'max-age=1']] }
    ],
    skipped: []
  }) // oxfmt-ignore
})

test.each([
  '  X-Y: ${HOME}',
  '  X-Y: {$HOME}',
  '  X-Y: a\\',
  '  Content-Length: 3',
  '  X Y: 1',
  '  X-Y:',
  '  X-Y: ü',
  'nothing'
])('%s of _headers is left out', (line) => {
  expect(parseSiteRules({ headers: `/*\n  X-A: 1\n${line}` })).toMatchObject({
    headers: [{ headers: [['X-A', '1']] }],
    skipped: ['_headers:3']
  })
})

test('500 rules at most', () => {
  const lines = Array.from({ length: 502 }, (_, at) => `/a${at} /b`).join('\n')
  const { redirects: found, skipped } = redirects(lines)
  expect([found.length, skipped]).toEqual([500, ['_redirects:501', '_redirects:502']])
})
