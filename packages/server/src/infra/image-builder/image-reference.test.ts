import { describe, expect, test } from 'vitest'
import { canonicalReference } from './image-reference.ts'

const digest = `sha256:${'0f'.repeat(32)}`

describe('the canonical name of an image', () => {
  test.each([
    ['node', 'docker.io/library/node:latest'],
    ['node:24-trixie-slim', 'docker.io/library/node:24-trixie-slim'],
    ['b68:1', 'docker.io/library/b68:1'],
    ['acme/app', 'docker.io/acme/app:latest'],
    ['docker.io/node', 'docker.io/library/node:latest'],
    ['index.docker.io/acme/app:1', 'docker.io/acme/app:1'],
    ['ghcr.io/acme/app__x/y-z:V1.2', 'ghcr.io/acme/app__x/y-z:V1.2'],
    ['registry.example.com:5000/a', 'registry.example.com:5000/a:latest'],
    [`node@${digest}`, `docker.io/library/node@${digest}`],
    [`quay.io/a/b:1@${digest}`, `quay.io/a/b@${digest}`]
  ])('%s', (text, reference) => {
    expect(canonicalReference(text)).toEqual({ reference })
    expect(canonicalReference(reference)).toEqual({ reference })
  })

  test.each([
    '', 'a', 'b6873b3a6cd8', 'f'.repeat(64), digest, `@${digest}`, 'sha256', `node@${digest}0`, 'node@sha512:00', 'node:', ':1', 'node:a b', 'Node', 'a//b', '/a',
    'a/', '../a', 'node$', '-a', 'a_', 'node:1:2', 'é', 'x'.repeat(600), `${'x'.repeat(300)}`,
    'localhost/a', 'localhost:5000/a', 'registry:5000/a', '127.0.0.1/a', '127.0.0.1:5000/a', '127.1/a', '0x7f.0.0.1/a', '[::1]/a', '[::1]:5000/a', '10.0.0.1.:80/a',
    'a.local/b', 'host.docker.internal/a', 'x.localhost/a', 'nas.home.arpa/a', 'GHCR.io/a', 'a..b/c', '.a.b/c', 'a.b./c', 'user@a.b/c', 'https://a.b/c', 'a.b:99999999/c'
  ])('%j is refused', (text) => {
    expect(canonicalReference(text)).toEqual({ problem: expect.any(String) as string })
  }) // oxfmt-ignore
})
