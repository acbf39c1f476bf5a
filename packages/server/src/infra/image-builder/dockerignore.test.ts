import { describe, expect, test } from 'vitest'
import { createIgnoreMatcher, parseDockerignore } from './dockerignore.ts'

describe('.dockerignore', () => {
  test.each<[string, string[], boolean]>([
    ['node_modules', ['node_modules', 'node_modules/a/b.js'], true],
    ['node_modules', ['a/node_modules', 'node_modules2'], false],
    ['**/node_modules', ['node_modules/a', 'a/b/node_modules/c'], true],
    ['/a/', ['a', 'a/b'], true],
    ['./a', ['a'], true],
    ['a/../b', ['b'], true],
    ['*.log', ['x.log', '.log'], true],
    ['*.log', ['a/x.log', 'x.logs'], false],
    ['**/*.log', ['x.log', 'a/b/x.log'], true],
    ['a/**/z', ['a/z', 'a/b/z', 'a/b/c/z'], true],
    ['a/**', ['a/b', 'a/b/c'], true],
    ['a?c', ['abc'], true],
    ['a?c', ['ac', 'a/c'], false],
    ['[a-c]x', ['ax', 'cx'], true],
    ['[^a-c]x', ['ax'], false],
    ['[^a-c]x', ['dx'], true],
    ['\\*', ['*'], true],
    ['\\*', ['x'], false],
    ['**', ['a', 'a/b'], true],
    ['', ['a'], false],
    ['a b', ['a b'], true]
  ])('%j', (pattern, paths, ignored) => {
    const matches = createIgnoreMatcher([pattern])
    for (const path of paths) expect([path, matches(path)]).toEqual([path, ignored])
  })

  test('the last pattern that matches decides', () => {
    const matches = createIgnoreMatcher(parseDockerignore('# all\n*\n!src\n  src/secret  \n\n!src/secret/open\n'))
    expect(['a', 'src/a', 'src/secret/b', 'src/secret/open/c'].map(matches)).toEqual([true, false, true, false])
  })

  test('rejects too many or too long patterns', () => {
    expect(() => createIgnoreMatcher(Array.from({ length: 1001 }, () => 'a'))).toThrow('more than 1000 patterns')
    expect(() => createIgnoreMatcher(['a'.repeat(501)])).toThrow('more than 500 characters')
    expect(() => createIgnoreMatcher(['a/'.repeat(101)])).toThrow('more than 100 directories')
  })

  test('rejects patterns that take too many steps', () => {
    const matches = createIgnoreMatcher(Array.from({ length: 1000 }, () => `**/${'*a'.repeat(200)}b`))
    expect(() => {
      for (let i = 0; i < 100; i++) matches(`${'a'.repeat(250)}/`.repeat(15))
    }).toThrow('.dockerignore patterns take too long')
  })

  test('matches pathological patterns quickly', () => {
    const matches = createIgnoreMatcher([`${'**/a/'.repeat(40)}b`, `${'*a'.repeat(40)}b`])
    expect(matches('a/'.repeat(200))).toBe(false)
    expect(matches('a/'.repeat(200) + 'b')).toBe(true)
    expect(matches('a'.repeat(4000))).toBe(false)
  })
})
