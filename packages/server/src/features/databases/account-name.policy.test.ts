import { describe, expect, test } from 'vitest'
import { accountName, siteDatabaseName } from './account-name.policy.ts'

const hex = '0123abcd'

describe('accountName', () => {
  test.each([
    ['shop', 63, 'u_shop_0123abcd'],
    ['Shop_2', 32, 'u_Shop_2_0123abcd'],
    ['a'.repeat(52), 63, `u_${'a'.repeat(52)}_0123abcd`],
    ['a'.repeat(63), 63, `u_${'a'.repeat(52)}_0123abcd`],
    ['a'.repeat(21), 32, `u_${'a'.repeat(21)}_0123abcd`],
    ['a'.repeat(22), 32, `u_${'a'.repeat(21)}_0123abcd`]
  ])('%s within %i', (database, maxLength, expected) => {
    expect(accountName(database, hex, maxLength)).toBe(expected)
    expect(expected.length).toBeLessThanOrEqual(maxLength)
  })
})

describe('siteDatabaseName', () => {
  test.each([
    ['blog', undefined, 'wp_blog'],
    ['my-blog-2', undefined, 'wp_my_blog_2'],
    ['my-blog', 'a1b2c3', 'wp_my_blog_a1b2c3'],
    ['x'.repeat(63), undefined, `wp_${'x'.repeat(60)}`],
    ['x'.repeat(63), 'a1b2c3', `wp_${'x'.repeat(53)}_a1b2c3`]
  ])('%s %s', (project, suffix, expected) => {
    expect(siteDatabaseName(project, suffix)).toBe(expected)
    expect(expected).toMatch(/^[a-zA-Z0-9_]{1,63}$/)
  })
})
