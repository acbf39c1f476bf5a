import { failureTexts } from '@panel/contract/failure-texts'
import { sentenceText } from '@panel/contract/sentences'
import { describe, expect, test } from 'vitest'
import { cleanGitLine, fetchProblem, isLocalDamage, wantedObjectFormat } from './git-problem.ts'

const https = { url: 'https://github.com/a/b.git', branch: 'main' }
const ssh = { url: 'ssh://git@github.com/a/b.git', branch: 'main' }

test.each([
  [
    "fatal: could not read Username for 'https://github.com': terminal prompts disabled",
    https,
    /does not exist or is private.*deploy key/
  ],
  [
    "remote: HTTP Basic: Access denied\nfatal: Authentication failed for 'https://gitlab.com/a/b.git/'",
    https,
    /private/
  ],
  [
    "remote: Repository not found.\nfatal: repository 'https://github.com/a/b.git/' not found",
    https,
    /was not found. Check the address\.$/
  ],
  ['ERROR: Repository not found.\nfatal: Could not read from remote repository.', ssh, /was not found.*deploy key/],
  [
    "ERROR: The project you were looking for could not be found or you don't have permission to view it.",
    ssh,
    /was not found/
  ],
  [
    'git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.',
    ssh,
    /rejected the SSH key/
  ],
  ['Host key verification failed.\nfatal: Could not read from remote repository.', ssh, /SSH host keys/],
  ["fatal: couldn't find remote ref refs/heads/main", https, /no branch "main"/],
  ["fatal: unable to access 'https://x/': The requested URL returned error: 301", https, /redirects/],
  ["fatal: unable to access 'https://x/': Could not resolve host: x", https, /resolved/],
  ['ssh: Could not resolve hostname x: Name or service not known', ssh, /resolved/],
  [
    "fatal: unable to access 'http://x/': Failed to connect to x port 9: Connection refused",
    https,
    /cannot be reached/
  ],
  ['ssh: connect to host x port 22: Connection timed out', ssh, /in time/],
  [
    "fatal: unable to access 'https://x/': server certificate verification failed. CAfile: none CRLfile: none",
    https,
    /TLS/
  ],
  ["fatal: unable to access 'https://x/': The requested URL returned error: 503", https, /internal error/],
  ["fatal: transport 'ext' not allowed", https, /Only https, http and ssh/],
  [
    "error: object abc: hasDotdot: contains '..'\nfatal: fsck error in packed object\nfatal: index-pack failed",
    https,
    /invalid objects/
  ],
  [
    'Receiving objects: 10%\rfatal: early EOF\nfatal: fetch-pack: invalid index-pack output',
    https,
    /closed the connection/
  ],
  [
    'fatal: something\u001b[31m new at https://u:p@x/y',
    https,
    /^Git could not fetch the repository: fatal: something new at https:\/\/x\/y\.$/
  ],
  [
    'fatal: Out of memory, malloc failed (tried to allocate 2500000097 bytes)\nfatal: fetch-pack: invalid index-pack output',
    https,
    /more memory than the 2 GiB/
  ],
  ['fatal: mmap failed: Cannot allocate memory', https, /more memory/],
  ['', https, /gave no reason/]
])('%j', (stderr, target, sentence) => {
  expect(sentenceText(failureTexts, [fetchProblem(stderr, target)])).toMatch(sentence)
})

describe('cleanGitLine', () => {
  test.each([
    ['From http://10.0.0.1/mirror/a/b', 'From the repository'],
    ["fatal: repository 'http://10.0.0.1/mirror/a/b.git/' not found", "fatal: repository 'the repository/' not found"],
    ['Receiving objects:  10%\rReceiving objects: 100%, done.', 'Receiving objects: 100%, done.'],
    ['remote: \u001b[1mhello\u001b[0m\u0007', 'remote: hello'],
    ['see https://user:token@example.com/x', 'see https://example.com/x'],
    ['', ''],
    ['x'.repeat(1000), 'x'.repeat(300)]
  ])('%j', (line, expected) => {
    expect(cleanGitLine(line, 'http://10.0.0.1/mirror/a/b.git')).toBe(expected)
  })
})

test('distinguishes local damage from errors of the server', () => {
  expect(isLocalDamage('fatal: not a git repository: /x')).toBe(true)
  expect(isLocalDamage('error: file /x/objects/pack/y.pack is far too short to be a packfile')).toBe(true)
  expect(isLocalDamage("fatal: couldn't find remote ref x")).toBe(false)
  expect(isLocalDamage('error: Out of memory, malloc failed\nfatal: packed object x is corrupt')).toBe(false)
  expect(wantedObjectFormat('fatal: mismatched algorithms: client sha1; server sha256')).toBe('sha256')
  expect(wantedObjectFormat('fatal: early EOF')).toBeUndefined()
})
