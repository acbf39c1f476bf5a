import fc from 'fast-check'
import { expect, test } from 'vitest'
import { volumePathProblem } from './volume-path.policy.ts'

const uploads = { name: 'uploads', path: '/app/uploads' }
const problemOf = (path: string, { overCode = false, type = 'NODEJS' as const, volumes = [uploads] } = {}) =>
  volumePathProblem({ path, overCode }, { type, volumes })?.code

test.each(['/app/cache', '/app/uploads-old', '/var/lib/app', '/home/node/.cache', '/opt', '/storage', '/root/x'])(
  '%s is fine',
  (path) => expect(problemOf(path)).toBeUndefined()
)

test.each(['', '/', 'app', '//app', '/app//x', '/app/', '/app/./x', '/app/../etc', '/..', '/a\0'])(
  '%j is not a normal path',
  (path) => expect(problemOf(path)).toBe('VALIDATION_ERROR')
)

test.each(['/proc', '/proc/x', '/sys/fs', '/dev/shm', '/etc', '/etc/nginx', '/tmp/x', '/usr', '/usr/bin', '/lib64', '/var', '/var/run/x', '/home', '/run'])(
  '%s belongs to the system',
  (path) => expect(problemOf(path)).toBe('VALIDATION_ERROR')
) // oxfmt-ignore

test.each(['/app/uploads', '/app/uploads/a', '/data', '/data/x'])('%s overlaps what is kept', (path) =>
  expect(problemOf(path, { overCode: true })).toBe('CONFLICT')
)

test('the folder of a WordPress site is its whole site', () => {
  const of = (path: string) => volumePathProblem({ path, overCode: true }, { type: 'WORDPRESS', volumes: [] })?.code
  expect(of('/var/www/html/wp-content')).toBe('CONFLICT')
  expect(of('/var/www')).toBe('CONFLICT')
  expect(of('/data')).toBeUndefined()
})

test('the code of the application needs a confirmation', () => {
  const of = (overCode: boolean) => volumePathProblem({ path: '/app', overCode }, { type: 'NODEJS', volumes: [] })?.code
  expect(of(false)).toBe('CONFLICT')
  expect(of(true)).toBeUndefined()
})

test('accepted volumes never contain each other', () => {
  const names = fc.array(fc.constantFrom('app', 'a', 'ab', 'etc', 'data', '..', '.'), { minLength: 1, maxLength: 4 })
  const path = names.map((list) => `/${list.join('/')}`)
  fc.assert(
    fc.property(fc.array(path, { maxLength: 8 }), (paths) => {
      const volumes: { name: string; path: string }[] = []
      for (const path of paths)
        if (!volumePathProblem({ path, overCode: true }, { type: 'NODEJS', volumes }))
          volumes.push({ name: path, path })
      for (const one of volumes)
        for (const other of volumes) if (one !== other) expect(`${one.path}/`.startsWith(`${other.path}/`)).toBe(false)
    })
  )
})
