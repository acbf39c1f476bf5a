import { expect, test } from 'vitest'
import { parseImageReference } from './image-references.ts'

const digest = `sha256:${'0f'.repeat(32)}`

test.each([
  ['nginx', 'docker.io', 'library/nginx', 'latest'],
  ['org/app:1.2', 'docker.io', 'org/app', '1.2'],
  ['index.docker.io/nginx', 'docker.io', 'library/nginx', 'latest'],
  ['ghcr.io/org/app__x/y-z:V1', 'ghcr.io', 'org/app__x/y-z', 'V1'],
  ['127.0.0.1:5000/app:a', '127.0.0.1:5000', 'app', 'a'],
  ['localhost/app', 'localhost', 'app', 'latest']
])('%s', (text, host, path, tag) => {
  expect(parseImageReference(text)).toEqual({ host, path, tag, digest: undefined })
  expect(parseImageReference(`${text}@${digest}`)).toEqual({ host, path, tag, digest })
})

test.each([
  '', 'b6873b3a6cd8', digest, `@${digest}`, `nginx@${digest}0`, 'nginx@sha512:00', 'nginx:', ':1', 'nginx:a b', 'Nginx', 'a//b', '/a', 'a/', '../a', '-a', 'a_',
  'nginx:1:2', 'é', 'x'.repeat(600), '[::1]:5000/app', 'user@a.b/c', 'https://a.b/c', '-x.example/a', 'a..b/c', 'a.b:999999/c', 'nginx\n', `${'a-'.repeat(200)}!`
])('%j is not an image', (text) => {
  expect(parseImageReference(text)).toBeUndefined()
}) // oxfmt-ignore
