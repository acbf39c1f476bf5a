import { expect, test } from 'vitest'
import { signInUrl } from './sign-in-url.policy.ts'

test.each([
  ['http://shop.example.com:8080/wp-login.php', 'http://shop.example.com:8080/wp-login.php?panel_sign_in=t'],
  ['https://shop.example.com/blog/wp-login.php?x=1#y', 'https://shop.example.com/blog/wp-login.php?panel_sign_in=t'],
  ['https://evil.example/wp-login.php', 'https://own.apps.test/wp-login.php?panel_sign_in=t'],
  ['https://shop.example.com@evil.example/', 'https://own.apps.test/wp-login.php?panel_sign_in=t'],
  ['javascript:alert(1)', 'https://own.apps.test/wp-login.php?panel_sign_in=t'],
  ['', 'https://own.apps.test/wp-login.php?panel_sign_in=t']
])('%j signs in at %s', (claimed, expected) => {
  expect(signInUrl(claimed, ['shop.example.com'], 'own.apps.test', 't')).toBe(expected)
})
