import { expect, test } from 'vitest'
import { fetchArgv, gitEnv, sshCommand } from './git-args.ts'

test('puts the URL of a fetch after -- and all settings', () => {
  const argv = fetchArgv('--upload-pack=x', '+refs/heads/main:refs/panel/branch', 1)
  expect(argv.slice(-3)).toEqual(['--', '--upload-pack=x', '+refs/heads/main:refs/panel/branch'])
  expect(argv).toContain('--git-dir=.')
  for (const setting of ['http.followRedirects=false', 'core.hooksPath=/dev/null', 'transfer.fsckObjects=true']) {
    expect(argv[argv.indexOf(setting) - 1]).toBe('-c')
  }
})

test('limits the address space of git', () => {
  const argv = fetchArgv('https://x/y', '+refs/heads/main:refs/panel/branch', 1)
  expect(argv.slice(0, 4)).toEqual(['prlimit', '--as=2147483648', '--', 'git'])
  for (const setting of ['pack.threads=1', 'core.packedGitLimit=256m'])
    expect(argv[argv.indexOf(setting) - 1]).toBe('-c')
})

test('the environment contains only our variables', () => {
  const env = gitEnv({ knownHostsPath: '/data/known_hosts' })
  expect(env).toMatchObject({
    GIT_ALLOW_PROTOCOL: 'https:http:ssh',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_GLOBAL: '/dev/null'
  })
  expect(Object.keys(env)).not.toContain('GIT_SSL_CAINFO')
  expect(gitEnv({ knownHostsPath: '/k', caFile: '/ca.pem' })).toMatchObject({
    GIT_SSL_CAINFO: '/ca.pem',
    SSL_CERT_FILE: '/ca.pem'
  })
})

test('quotes paths for the shell and for ssh', () => {
  const command = sshCommand("/it's/100%/known hosts", '/keys/a;b')
  expect(command).toContain(`'UserKnownHostsFile="/it'\\''s/100%%/known hosts"'`)
  expect(command).toContain(`'IdentityFile="/keys/a;b"'`)
  expect(sshCommand('/k', undefined)).toContain("'IdentityFile=none'")
})

test.each(['relative', '/a"b', '/a\\b', '/a${HOME}', '/a\nb'])(
  'a path that ssh would read otherwise is refused: %j',
  (path) => {
    expect(() => sshCommand(path, undefined)).toThrow(/does not support/)
    expect(() => sshCommand('/k', path)).toThrow(/does not support/)
  }
)
