import { describe, expect, test } from 'vitest'
import { findTablePrefix } from './site-tables.policy.ts'

const options = ['option_id', 'option_name', 'option_value', 'autoload']
const site = (prefix: string) => [
  { name: `${prefix}options`, columns: options },
  { name: `${prefix}posts`, columns: ['ID'] },
  { name: `${prefix}users`, columns: ['ID'] }
]

describe('table prefix', () => {
  test.each([
    ['the usual one', site('wp_'), undefined, 'wp_'],
    ['another one', site('Shop7_'), 'wp_', 'Shop7_'],
    ['none', site(''), undefined, ''],
    [
      'a plugin with options of its own',
      [...site('wp_'), { name: 'wp_x_options', columns: options }],
      undefined,
      'wp_'
    ],
    ['the one that is configured', [...site('a_'), ...site('b_')], 'b_', 'b_']
  ])('%s', (_name, tables, configured, expected) => expect(findTablePrefix(tables, configured)).toBe(expected))

  test.each([
    ['nothing', [], /no WordPress tables/],
    ['another program', [{ name: 'x_options', columns: ['id'] }], /no WordPress tables/],
    ['two sites', [...site('a_'), ...site('b_')], /several sites \(a_, b_\)/],
    ['a network', [...site('wp_'), { name: 'wp_blogs', columns: [] }], /multisite/],
    ['odd characters', site("a'b"), /may only contain/]
  ])('%s', (_name, tables, message) => expect(() => findTablePrefix(tables, undefined)).toThrow(message))
})
