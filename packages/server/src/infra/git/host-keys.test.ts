import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseKnownHosts, renderKnownHosts } from './host-keys.ts'

const key = 'AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'

test.each([
  ['github.com', 'ssh-ed25519', '+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU'],
  ['github.com', 'ecdsa-sha2-nistp256', 'p2QAMXNIC1TJYWeIOttrVc98/R1BUFWu3/LiyKgUfQM'],
  ['github.com', 'ssh-rsa', 'uNiVztksCsDhcc0u9e8BujQXVUpKZIDTMczCvj3tD2s'],
  ['gitlab.com', 'ssh-ed25519', 'eUXGGm1YGsMAS7vkcx6JOJdOGHPem5gQp4taiCfCLB8'],
  ['gitlab.com', 'ecdsa-sha2-nistp256', 'HbW3g8zUjNSksFbqTiUWPWg2Bq1x8xdGUrliXFzSnUw'],
  ['gitlab.com', 'ssh-rsa', 'ROQFvPThGrW4RuWLoL9tq9I9zJ42fK4XywyRtbOz/EQ'],
  ['bitbucket.org', 'ssh-ed25519', 'ybgmFkzwOSotHTHLJgHO0QN8L0xErw6vd0VhFA9m3SM'],
  ['bitbucket.org', 'ecdsa-sha2-nistp256', 'FC73VB6C4OQLSCrjEayhMp9UMxS97caD/Yyi2bhW/J0'],
  ['bitbucket.org', 'ssh-rsa', '46OSHA1Rmj8E8ERTC6xkNcmGOw9oFxYr0WF6zWW8l1E']
])('%s %s has the published fingerprint', (host, type, fingerprint) => {
  const line = renderKnownHosts([])
    .split('\n')
    .find((entry) => entry.startsWith(`${host} ${type} `))
  const digest = createHash('sha256')
    .update(Buffer.from(line?.split(' ')[2] ?? '', 'base64'))
    .digest('base64')
  expect(digest.replace(/=+$/, '')).toBe(fingerprint)
})

test('custom entries follow the pinned ones', () => {
  const lines = [
    `[git.example.com]:2222 ssh-ed25519 ${key}`,
    `@cert-authority *.example.com ssh-ed25519 ${key} a comment`
  ]
  expect(renderKnownHosts(lines).split('\n').slice(-3)).toEqual([...lines, ''])
})

test.each([
  `a ssh-ed25519 ${key}\nb ssh-ed25519 ${key}`,
  `a ssh-ed25519 ${key}\r`,
  `a\tssh-ed25519 ${key}`,
  'a',
  '',
  'a b',
  'a ssh-ed25519 ???'
])('%j is refused', (line) => {
  expect(() => renderKnownHosts([line])).toThrow(/Invalid known_hosts line/)
})

test('parses a file line by line', () => {
  expect(parseKnownHosts(`# mine\r\n\n  a ssh-ed25519 ${key}\r\n`)).toEqual([`a ssh-ed25519 ${key}`])
})
