import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { treePath } from './path.policy.ts'

const outcome = (requestedPath: string) => {
  const result = treePath(requestedPath)
  return result.problem ? result.problem.code : result.path
}

describe('normalizes', () => {
  test.each([
    ['', ''],
    ['.', ''],
    ['./', ''],
    ['a/..', ''],
    ['a/../', ''],
    ['./././', ''],
    ['a', 'a'],
    ['a/', 'a'],
    ['a//', 'a'],
    ['./a', 'a'],
    ['a/./b', 'a/b'],
    ['a//b///c', 'a/b/c'],
    ['a/b/../c', 'a/c'],
    ['a/b/../../c', 'c'],
    ['a/...', 'a/...'],
    ['a/..b', 'a/..b'],
    ['.a', '.a'],
    ['.env', '.env'],
    ['~/a', '~/a'],
    ['a\\b', 'a\\b'],
    ['..a/../b', 'b'],
    ['C:\\Windows', 'C:\\Windows'],
    ['\\\\host\\share', '\\\\host\\share'],
    ['%2e%2e/a', '%2e%2e/a'],
    ['a%00b', 'a%00b'],
    ['-rf', '-rf'],
    ['a\nb', 'a\nb'],
    [' a ', ' a '],
    ['Grüße/世界', 'Grüße/世界'],
    ['．．/a', '．．/a'],
    ['‥/a', '‥/a'],
    ['a／b', 'a／b'],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['ü'.repeat(127), 'ü'.repeat(127)],
    ['x/'.repeat(2000), 'x/'.repeat(2000).slice(0, -1)]
  ])('%.40j', (requestedPath, path) => {
    expect(outcome(requestedPath)).toBe(path)
  })
})

describe('rejects, first failing check wins', () => {
  test.each([
    ['\0', 'PATH_INVALID'],
    ['a\0', 'PATH_INVALID'],
    ['../\0', 'PATH_INVALID'],
    ['/etc/passwd\0.png', 'PATH_INVALID'],
    ['a\0/..', 'PATH_INVALID'],
    ['..', 'PATH_FORBIDDEN'],
    ['../', 'PATH_FORBIDDEN'],
    ['../a', 'PATH_FORBIDDEN'],
    ['./../a', 'PATH_FORBIDDEN'],
    ['a/../..', 'PATH_FORBIDDEN'],
    ['a/../../b', 'PATH_FORBIDDEN'],
    ['a/../../../../../../etc/passwd', 'PATH_FORBIDDEN'],
    ['..a', 'PATH_FORBIDDEN'],
    ['...', 'PATH_FORBIDDEN'],
    ['..\\..\\a', 'PATH_FORBIDDEN'],
    ['/', 'PATH_FORBIDDEN'],
    ['//', 'PATH_FORBIDDEN'],
    ['/..', 'PATH_FORBIDDEN'],
    ['/../a', 'PATH_FORBIDDEN'],
    ['/a', 'PATH_FORBIDDEN'],
    ['//a', 'PATH_FORBIDDEN'],
    ['/proc/self/root', 'PATH_FORBIDDEN'],
    ['a\ud800', 'PATH_INVALID'],
    ['\udc00/b', 'PATH_INVALID'],
    ['../\ud800', 'PATH_FORBIDDEN'],
    ['x'.repeat(256), 'PATH_INVALID'],
    [`a/${'x'.repeat(256)}/b`, 'PATH_INVALID'],
    ['ü'.repeat(128), 'PATH_INVALID'],
    [`/${'x'.repeat(256)}`, 'PATH_FORBIDDEN']
  ])('%.40j', (requestedPath, code) => {
    expect(outcome(requestedPath)).toBe(code)
  })
})

test('accepted paths are relative and normalized', () => {
  const piece = fc.oneof(
    fc.constantFrom('.', '..', '', '/', '\\', '\0', 'a', '..a', '\ud800'),
    fc.string({ unit: 'binary' })
  )
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join('/')),
      (requestedPath) => {
        const result = treePath(requestedPath)
        if (result.problem) return
        const names = result.path === '' ? [] : result.path.split('/')
        expect(names.filter((name) => name === '' || name === '.' || name === '..' || name.includes('\0'))).toEqual([])
        expect(treePath(result.path)).toEqual(result)
      }
    ),
    { numRuns: 5_000 }
  )
})
