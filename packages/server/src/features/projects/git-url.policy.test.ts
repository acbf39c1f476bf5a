import { describe, expect, test } from 'vitest'
import { parseExtraHosts, parseGitMirrors, parseGitUrl, remoteUrl } from './git-url.policy.ts'

const none = { mirrors: {}, extraHosts: [] }
const wide = { mirrors: {}, extraHosts: ['git.example.com', 'code.example.com:8443', '127.0.0.1:2222'] }

describe('accepted', () => {
  test.each([
    ['https://github.com/owner/app', 'https://github.com/owner/app.git'],
    ['https://github.com/owner/app.git', 'https://github.com/owner/app.git'],
    ['https://github.com/owner/app/', 'https://github.com/owner/app.git'],
    ['https://github.com/owner/.github', 'https://github.com/owner/.github.git'],
    ['https://GitHub.COM/Owner/App', 'https://github.com/Owner/App.git'],
    ['http://gitlab.com/group/sub/deep/app', 'https://gitlab.com/group/sub/deep/app.git'],
    ['https://github.com:owner/app', 'https://github.com/owner/app.git'],
    ['git@github.com:owner/app.git', 'ssh://git@github.com/owner/app.git'],
    ['git@github.com:123/app', 'ssh://git@github.com/123/app'],
    ['git@bitbucket.org/owner/app', 'ssh://git@bitbucket.org/owner/app'],
    ['git@gitlab.com:/group/app', 'ssh://git@gitlab.com/group/app']
  ])('%s', (text, remote) => {
    const url = parseGitUrl(text, none)
    if ('problem' in url) throw new Error(url.problem)
    expect(remoteUrl(url, {})).toBe(remote)
    expect(parseGitUrl(url.display, none)).toEqual(url)
  })

  test.each([
    ['https://git.example.com/a/b', 'https://git.example.com/a/b'],
    ['http://git.example.com/a/b', 'http://git.example.com/a/b'],
    ['https://code.example.com:8443/a/b.git', 'https://code.example.com:8443/a/b.git'],
    ['http://127.0.0.1:2222/~a/b', 'http://127.0.0.1:2222/~a/b'],
    ['git@code.example.com:a/b', 'ssh://git@code.example.com:8443/a/b'],
    ['git@127.0.0.1:2222/a/b', 'ssh://git@127.0.0.1:2222/a/b'],
    ['git@127.0.0.1:2222:a/b', 'ssh://git@127.0.0.1:2222/a/b'],
    ['git@127.0.0.1:80/a/b', 'ssh://git@127.0.0.1:2222/80/a/b']
  ])('%s if configured', (text, remote) => {
    const url = parseGitUrl(text, wide)
    if ('problem' in url) throw new Error(url.problem)
    expect(remoteUrl(url, {})).toBe(remote)
    expect(parseGitUrl(url.display, wide)).toEqual(url)
    expect(parseGitUrl(text, none)).toHaveProperty('problem')
  })

  test('parsed parts', () => {
    expect(parseGitUrl('git@GITHUB.com:owner/App.git', none)).toEqual({
      kind: 'ssh',
      host: 'github.com',
      port: undefined,
      path: 'owner/App.git',
      display: 'git@github.com:owner/App.git'
    })
  })
})

describe('rejected', () => {
  test.each([
    ['', /must start with/],
    ['github.com/a/b', /must start with/],
    ['HTTPS://github.com/a/b', /must start with/],
    ['ssh://git@github.com/a/b', /must start with/],
    ['git://github.com/a/b', /must start with/],
    ['file:///etc/passwd', /must start with/],
    ['ext::sh -c id', /must not contain spaces/],
    ['root@github.com:a/b', /must start with/],
    ['--upload-pack=x', /must start with/],
    ['https://github.com@evil/a/b', /deploy key/],
    ['https://github.com:x@evil/a/b', /deploy key/],
    ['https://user:pass@github.com/a/b', /deploy key/],
    ['https://ghp_token@github.com/a/b', /deploy key/],
    ['git@evil@github.com:a/b', /deploy key/],
    ['git@github.com@evil:a/b', /deploy key/],
    ['git@github.com:a@evil/a/b', /deploy key/],
    ['https://github.com.evil/a/b', /must use one of .*in the settings$/],
    ['https://evilgithub.com/a/b', /must use one of/],
    ['https://github.com./a/b', /must use one of/],
    ['https://www.github.com/a/b', /must use one of/],
    ['https://127.0.0.1/a/b', /must use one of/],
    ['https://169.254.169.254/latest/meta-data', /must use one of/],
    ['https://[::1]/a/b', /must use one of/],
    ['https:///a/b', /must use one of/],
    ['git@-oProxyCommand=id:a/b', /must use one of/],
    ['git@constructor:a/b', /must use one of/],
    ['git@__proto__:a/b', /must use one of/],
    ['https://github.com:8443/a/b', /without a different port/],
    ['https://github.com:443/a/b', /without a different port/],
    ['https://code.example.com/a/b', /must use one of/],
    ['https://github.com', /owner\/repository/],
    ['https://github.com/', /owner\/repository/],
    ['https://github.com/app', /owner\/repository/],
    ['https://github.com/app/', /owner\/repository/],
    ['git@github.com:app', /owner\/repository/],
    ['git@github.com', /owner\/repository/],
    ['git@github.com:-x/y', /start with "-"/],
    ['https://github.com/a/-b', /start with "-"/],
    ['https://github.com/../x', /without "\.\."/],
    ['https://github.com/a/../../b', /without "\.\."/],
    ['https://github.com/a/./b', /letters, digits/],
    ['https://github.com//a/b', /empty parts/],
    ['https://github.com/a//b', /empty parts/],
    ['git@github.com://a/b', /empty parts/],
    ['https://github.com/a/b%0a', /letters, digits/],
    ['https://github.com/a/%2e%2e', /letters, digits/],
    ['https://github.com/a/b?x=1', /letters, digits/],
    ['https://github.com/a/b#x', /letters, digits/],
    ['https://github.com/a/b\\c', /letters, digits/],
    ['https://github.com\\@evil/a/b', /deploy key/],
    ["https://github.com/a/b';id", /letters, digits/],
    ['https://github.com/a/$(id)', /letters, digits/],
    ['https://github.com/a/b ', /spaces/],
    [' https://github.com/a/b', /spaces/],
    ['https://github.com/a/b\n', /control characters/],
    ['https://github.com/a/b\0', /control characters/],
    ['https://github.com -p1/a/b', /spaces/],
    ['https://gıthub.com/a/b', /outside ASCII/],
    ['https://github.com/a/ｂ', /outside ASCII/],
    [`https://github.com/a/${'b'.repeat(500)}`, /at most 500/]
  ])('%j', (text, problem) => {
    expect(parseGitUrl(text, { mirrors: {}, extraHosts: ['code.example.com:8443'] })).toEqual({
      problem: expect.stringMatching(problem) as string
    })
  })
})

describe('mirrors', () => {
  const mirrors = parseGitMirrors(
    'github.com=http://127.0.0.1:3999/mirror/, gitlab.com=ssh://git@127.0.0.1:2222/srv, git.test:80=http://localhost'
  )

  test.each([
    ['https://github.com/a/b', 'http://127.0.0.1:3999/mirror/a/b'],
    ['http://github.com/a/b.git', 'http://127.0.0.1:3999/mirror/a/b.git'],
    ['git@github.com:a/b.git', 'http://127.0.0.1:3999/mirror/a/b.git'],
    ['git@gitlab.com:a/b', 'ssh://git@127.0.0.1:2222/srv/a/b'],
    ['http://git.test:80/a/b', 'http://localhost/a/b'],
    ['https://bitbucket.org/a/b', 'https://bitbucket.org/a/b.git']
  ])('%s is fetched from %s', (text, remote) => {
    const url = parseGitUrl(text, { mirrors, extraHosts: [] })
    if ('problem' in url) throw new Error(url.problem)
    expect(remoteUrl(url, mirrors)).toBe(remote)
  })

  test('an empty value configures nothing', () => {
    expect(parseGitMirrors('')).toEqual({})
    expect(parseExtraHosts(' , ')).toEqual([])
  })

  test.each([
    'github.com',
    'github.com=',
    '=http://a',
    'github.com=file:///srv',
    'github.com=http://user:pass@host/x',
    'github.com=http://user@host',
    'github.com=ssh://-oX@host/x',
    'github.com=ssh://-host/x',
    'github.com=http://host/a b',
    'github.com=http://host/?x',
    'github.com=http://host:99999',
    'git hub=http://a',
    'github.com=http://a,github.com=http://b'
  ])('GIT_MIRRORS=%s is rejected', (text) => {
    expect(() => parseGitMirrors(text)).toThrow(/must be|twice/)
  })

  test('GIT_EXTRA_HOSTS', () => {
    expect(parseExtraHosts('Git.Example.com, git.example.com,127.0.0.1:2222')).toEqual([
      'git.example.com',
      '127.0.0.1:2222'
    ])
  })
  test.each(['http://a', 'a:0', 'a:99999', 'a:b', '-a', 'a b', '*.example.com', 'a:1:2', '[::1]'])(
    'GIT_EXTRA_HOSTS=%s is rejected',
    (text) => {
      expect(() => parseExtraHosts(text)).toThrow(/must be hostnames/)
    }
  )
})
