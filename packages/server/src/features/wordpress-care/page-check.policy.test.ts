import { expect, test } from 'vitest'
import { isBrokenPage, pageProblem } from './page-check.policy.ts'

test.each([
  ['<b>Fatal error</b>:  Uncaught Error in /var/www/html/x.php', true],
  ['<html>\nPHP Parse error: syntax error', true],
  ['<p>There has been a critical error on this website.</p>', true],
  ['<p>How I solved a fatal error: a story</p>', false],
  ['', false]
])('%j is broken: %s', (body, expected) => {
  expect(isBrokenPage(body)).toBe(expected)
})

const page = (path: string, status: number, isBroken = false) => ({ path, status, isBroken })

test('an update may change no status and add no fatal error', () => {
  const before = [page('/', 200), page('/wp-login.php', 404), page('/x', 500, true)]
  expect(pageProblem(before, before, 'Shop')).toBeUndefined()
  expect(pageProblem(before, [page('/', 200), page('/wp-login.php', 200)], 'Shop')).toEqual({
    code: 'PAGE_CHANGED',
    values: { component: 'Shop', path: '/wp-login.php', before: 404, after: 200 }
  })
  expect(pageProblem(before, [page('/', 200, true)], 'Shop')?.code).toBe('PAGE_BROKEN')
  expect(pageProblem(before, [page('/', 0)], 'Shop')?.code).toBe('PAGE_CHANGED')
})
