import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Config, ConfigError, parseConfig, parseVariable, type VariableName } from './config.ts'
import { buildProxyArguments, mirrorSecrets } from './config/builds.ts'
import { changedValues, followingConfig } from './config/changed-config.policy.ts'
import { valueText } from './config/value-text.ts'
import { settingsDocument } from './config/settings-document.render.ts'
import { changeableVariables, variableFacts } from './config/variable-facts.ts'

const secret = '0123456789abcdef'.repeat(4)
const parse = (env: Record<string, string | undefined> = {}) => parseConfig({ SESSION_SECRET: secret, ...env })
const problems = (env: Record<string, string | undefined>): Record<string, string> => {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError)
      return Object.fromEntries(error.problems.map(({ variable, problem }) => [variable, problem]))
    throw error
  }
  return {}
}

describe('secrets', () => {
  test.each<[string, string | undefined, RegExp]>([
    ['none', undefined, /^is missing$/],
    ['an empty one', '', /^is missing$/],
    ['a short one', 'a1'.repeat(15), /32 or more/],
    ['an example', 'change-me-change-me-change-me-change-me', /example value.*openssl/],
    ['another example', 'your-secret-key-your-secret-key-your', /example value/],
    ['a password', 'my-password-is-long-enough-to-pass', /example value/],
    ['one character', 'a'.repeat(64), /example value/]
  ])('SESSION_SECRET: %s is refused', (_name, value, problem) => {
    expect(problems({ SESSION_SECRET: value })).toEqual({ SESSION_SECRET: expect.stringMatching(problem) })
  })

  test('ENCRYPTION_KEY is as strict, and falls back to SESSION_SECRET', () => {
    expect(problems({ SESSION_SECRET: secret, ENCRYPTION_KEY: 'short' })).toHaveProperty('ENCRYPTION_KEY')
    expect(parse().ENCRYPTION_KEY).toBe(secret)
    expect(parse({ ENCRYPTION_KEY: '' }).ENCRYPTION_KEY).toBe(secret)
    expect(parse({ ENCRYPTION_KEY: 'fedcba98'.repeat(4) }).ENCRYPTION_KEY).toBe('fedcba98'.repeat(4))
  })

  test('no problem repeats a secret', () => {
    expect(
      JSON.stringify(
        problems({ SESSION_SECRET: 'hunter2', METRICS_TOKEN: 'hunter3', DATABASE_URL: 'mysql://u:hunter4@h' })
      )
    ).not.toMatch(/hunter/)
  })
})

test('every bad variable is named at once, and in the message', () => {
  const bad = {
    PORT: '99999',
    PROXY_HTTP_PORT: '0',
    NODE_ENV: 'prod',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://x',
    REDIS_URL: 'http://x',
    ALLOW_REGISTRATION: 'maybe',
    COOKIE_SECURE: 'sometimes',
    TRUSTED_PROXIES: '10.0.0.1,nonsense',
    AUTH_RATE_LIMIT_MAX: '0',
    API_BASE_URL: 'ftp://x',
    PANEL_DOMAIN: 'a b',
    BASE_DOMAIN: '-x.org',
    PUBLIC_IP: '::1',
    METRICS_TOKEN: 'short',
    DEPLOY_PORT_RANGE_START: 'x',
    DEPLOY_MEMORY_LIMIT: '128mb',
    DEPLOY_CPU_LIMIT: '0',
    BUILDER: 'make',
    BUILD_IMAGE_PREFIX: '-x',
    BUILD_TIMEOUT: '1.5',
    GIT_MIRRORS: 'github.com',
    GIT_EXTRA_HOSTS: 'a b'
  }
  expect(Object.keys(problems(bad)).sort()).toEqual(['SESSION_SECRET', ...Object.keys(bad)].sort())
  expect(() => parseConfig(bad)).toThrow(/^Bad configuration:\n(.|\n)*PORT(.|\n)*GIT_EXTRA_HOSTS/)
})

test('the defaults are these', () => {
  expect(parse()).toMatchObject({
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: 3000,
    PROXY_HTTP_PORT: 80,
    PROXY_HTTPS_PORT: 443,
    ALLOW_REGISTRATION: true,
    REQUIRE_ADMIN_2FA: false,
    COOKIE_SECURE: 'auto',
    TRUSTED_PROXIES: [],
    MAIL: true,
    SMTP_PORT: 25,
    IMAPS_PORT: 993,
    AUTH_RATE_LIMIT_MAX: 5,
    API_BASE_URL: 'http://localhost:3000',
    BASE_DOMAIN: 'apps.localhost',
    DEPLOY_PORT_RANGE_START: 8100,
    DEPLOY_PORT_RANGE_END: 8999,
    DEPLOY_MEMORY_LIMIT: 128 * 2 ** 20,
    KEEP_RELEASES: 3,
    GIT_MIRRORS: {},
    GIT_EXTRA_HOSTS: []
  })
  expect(Object.isFrozen(parse())).toBe(true)
})

// `npx vitest run --project unit packages/server/src/config.test.ts -u` writes it.
test('docs/settings.md is that of the variables', async () => {
  await expect(settingsDocument(parse({ DATA_DIR: '/var/lib/panel' }))).toMatchFileSnapshot(
    fileURLToPath(new URL('../../../docs/settings.md', import.meta.url))
  )
})

test('an empty variable is none', () => {
  const empty = Object.fromEntries(Object.keys(parse()).map((name) => [name, '']))
  expect(parseConfig({ ...empty, SESSION_SECRET: secret })).toEqual(parse())
})

describe('sizes', () => {
  test.each([
    ['128m', 2 ** 27],
    ['1G', 2 ** 30],
    ['65536', 65_536],
    ['65536b', 65_536],
    ['64k', 65_536]
  ])('%s', (text, bytes) => {
    expect(parse({ DEPLOY_MEMORY_LIMIT: text }).DEPLOY_MEMORY_LIMIT).toBe(bytes)
  })
  // To the container engine 0 means no limit.
  test.each(['0', '0m', '-1m', '1.5g', '128 m', '128mb', 'm', '1e3', '1'.repeat(13)])('%j is none', (text) => {
    expect(problems({ SESSION_SECRET: secret, DEPLOY_MEMORY_LIMIT: text })).toHaveProperty('DEPLOY_MEMORY_LIMIT')
  })
})

describe('ports', () => {
  test.each(['0', '65536', '-1', '80.5', 'http', '1e9'])('%s is none', (text) => {
    expect(problems({ SESSION_SECRET: secret, PROXY_HTTP_PORT: text })).toHaveProperty('PROXY_HTTP_PORT')
  })
  test('the panel’s own may be 0, for any free one', () => expect(parse({ PORT: '0' }).PORT).toBe(0))
  test('a range that ends before it starts', () => {
    expect(
      problems({ SESSION_SECRET: secret, DEPLOY_PORT_RANGE_START: '9000', DEPLOY_PORT_RANGE_END: '8999' })
    ).toHaveProperty('DEPLOY_PORT_RANGE_END')
    expect(problems({ DEPLOY_PORT_RANGE_START: '9000', DEPLOY_PORT_RANGE_END: '8999' })).toHaveProperty(
      'DEPLOY_PORT_RANGE_END'
    )
    expect(parse({ DEPLOY_PORT_RANGE_START: '9000', DEPLOY_PORT_RANGE_END: '9000' })).toMatchObject({
      DEPLOY_PORT_RANGE_START: 9000
    })
  })
})

describe('switches and lists', () => {
  test.each([
    ['true', true],
    ['1', true],
    ['yes', true],
    ['false', false],
    ['0', false],
    ['no', false]
  ])('%s', (text, expected) => {
    expect(parse({ ALLOW_REGISTRATION: text }).ALLOW_REGISTRATION).toBe(expected)
  })
  test.each([
    ['10.0.0.1, 10.0.0.0/8 ,loopback', ['10.0.0.1', '10.0.0.0/8', 'loopback']],
    ['::1,fd00::/8', ['::1', 'fd00::/8']]
  ])('TRUSTED_PROXIES %s', (text, expected) =>
    expect(parse({ TRUSTED_PROXIES: text }).TRUSTED_PROXIES).toEqual(expected)
  )
  test.each(['*', 'true', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0', 'proxy.local', '::/129', '10.0.0.0/'])(
    'TRUSTED_PROXIES %s is refused',
    (text) => {
      expect(problems({ SESSION_SECRET: secret, TRUSTED_PROXIES: text })).toHaveProperty('TRUSTED_PROXIES')
    }
  )
})

describe('git', () => {
  test('mirrors and extra hosts', () => {
    const config = parse({
      GIT_MIRRORS: 'github.com=http://127.0.0.1:8080/m/, gitlab.com=ssh://git@mirror/x',
      GIT_EXTRA_HOSTS: 'Git.Example.com:8443, git.example.com'
    })
    expect(config.GIT_MIRRORS).toEqual({ 'github.com': 'http://127.0.0.1:8080/m', 'gitlab.com': 'ssh://git@mirror/x' })
    expect(config.GIT_EXTRA_HOSTS).toEqual(['git.example.com:8443', 'git.example.com'])
  })
  test.each<[string, string]>([
    ['GIT_MIRRORS', 'github.com'],
    ['GIT_MIRRORS', 'github.com=file:///etc'],
    ['GIT_MIRRORS', 'github.com=https://user:token@host/x'],
    ['GIT_MIRRORS', 'github.com=https://a,github.com=https://b'],
    ['GIT_MIRRORS', '=https://a'],
    ['GIT_EXTRA_HOSTS', 'https://git.example.com'],
    ['GIT_EXTRA_HOSTS', 'git.example.com:0'],
    ['GIT_EXTRA_HOSTS', 'git.example.com/x'],
    ['GIT_EXTRA_HOSTS', '-oProxyCommand=id']
  ])('%s=%s is refused', (variable, value) => {
    expect(problems({ SESSION_SECRET: secret, [variable]: value })).toEqual({ [variable]: expect.any(String) })
  })
})

describe('paths and addresses', () => {
  test('paths come out absolute; those of projects and keys lie below DATA_DIR unless they say otherwise', () => {
    expect(parse({ DATA_DIR: '/srv/panel/' })).toMatchObject({
      DATA_DIR: '/srv/panel',
      PROJECTS_DIR: '/srv/panel/workspaces/projects',
      SSH_KEYS_DIR: '/srv/panel/workspaces/keys'
    })
    expect(parse({ DATA_DIR: '/srv', PROJECTS_DIR: '/var/p', SSH_KEYS_DIR: './k' })).toMatchObject({
      PROJECTS_DIR: '/var/p',
      SSH_KEYS_DIR: '/srv/k'
    })
    expect(parse({ DATA_DIR: 'here' }).DATA_DIR).toBe(`${process.cwd()}/here`)
  })
  test.each([
    [{ PORT: '8080' }, 'http://localhost:8080'],
    [{ PANEL_DOMAIN: 'Panel.Example.org' }, 'https://panel.example.org'],
    [{ PANEL_DOMAIN: 'panel.example.org', API_BASE_URL: 'http://10.0.0.1:3000//' }, 'http://10.0.0.1:3000']
  ])('API_BASE_URL with %j', (env, expected) => expect(parse(env).API_BASE_URL).toBe(expected))
})

describe('mirrors and the proxy of builds', () => {
  test.each([
    ['NPM_REGISTRY', 'https://npm.example.com', 'https://npm.example.com/'],
    ['NPM_REGISTRY', 'http://u:p%40@npm.example.com:8081/repository/npm/', 'http://u:p%40@npm.example.com:8081/repository/npm/'],
    ['PIP_INDEX_URL', 'https://pypi.example.com/simple', 'https://pypi.example.com/simple'],
    ['BUILD_PROXY', 'http://u:p@proxy.example.com:3128', 'http://u:p@proxy.example.com:3128/']
  ])('%s=%s', (variable, value, parsed) => {
    expect(parse({ [variable]: value })).toMatchObject({ [variable]: parsed })
  }) // oxfmt-ignore

  test.each([
    ['NPM_REGISTRY', 'npm.example.com'],
    ['NPM_REGISTRY', 'file:///etc/passwd'],
    ['NPM_REGISTRY', 'https://hunter2:%zz@npm.example.com'],
    ['PIP_INDEX_URL', 'https://u:hunter2@pypi.example.com/simple?a'],
    ['PIP_INDEX_URL', 'hunter2'],
    ['BUILD_PROXY', 'socks5://u:hunter2@proxy.example.com'],
    ['BUILD_PROXY', 'http://u:hunter2@proxy.example.com/path'],
    ['BUILD_NO_PROXY', 'a b']
  ])('%s=%s is refused, without a word of it', (variable, value) => {
    const found = problems({ SESSION_SECRET: secret, [variable]: value })
    expect(Object.keys(found)).toEqual([variable])
    expect(found[variable]).not.toContain('hunter2')
  })

  test('builds get the proxy under all its names, and none where none is set', () => {
    expect(buildProxyArguments(parse())).toEqual({})
    const proxy = 'http://u:p@proxy.example.com:3128'
    const hosts = '.example.com,10.0.0.0/8'
    expect(buildProxyArguments(parse({ BUILD_PROXY: proxy, BUILD_NO_PROXY: hosts }))).toEqual({
      http_proxy: proxy,
      HTTP_PROXY: proxy,
      https_proxy: proxy,
      HTTPS_PROXY: proxy,
      no_proxy: hosts,
      NO_PROXY: hosts
    })
  })

  test('logs are masked of passwords in any of them, as they are written and as they are meant', () => {
    const values = (env: Record<string, string>) => mirrorSecrets(parse(env)).map(({ value }) => value)
    expect(values({ NPM_REGISTRY: 'https://npm.example.com' })).toEqual([])
    expect(values({ BUILD_PROXY: 'http://user:pass%40word@h:1' })).toEqual(['pass%40word', 'pass@word', 'user:pass@word'])
    expect(values({ PIP_INDEX_URL: 'https://token-of-mine@h/simple' })).toEqual(['token-of-mine', 'token-of-mine:'])
  }) // oxfmt-ignore
})

describe('values that are changed while the panel runs', () => {
  const given = (environment: Record<string, string>, file: Record<string, string>) =>
    parseConfig(
      { SESSION_SECRET: secret, ...file, ...environment },
      Object.fromEntries([
        ...Object.keys(file).map((name) => [name, 'file']),
        ...Object.keys(environment).map((name) => [name, 'environment'])
      ]) as Record<string, 'environment' | 'file'>
    )

  test.each([
    ['the default', {}, {}, {}, 1800],
    ['the file before the default', {}, { BUILD_TIMEOUT: '60' }, {}, 60],
    ['what is changed before the file', {}, { BUILD_TIMEOUT: '60' }, { BUILD_TIMEOUT: '70' }, 70],
    ['the environment before all', { BUILD_TIMEOUT: '80' }, { BUILD_TIMEOUT: '60' }, { BUILD_TIMEOUT: '70' }, 80],
    ['none that is not valid', {}, { BUILD_TIMEOUT: '60' }, { BUILD_TIMEOUT: 'long' }, 60],
    ['none of a variable that takes a restart', {}, {}, { PORT: '4000' }, 1800]
  ])('%s', (_what, environment, file, stored, expected) => {
    const base = given(environment, file)
    const { values } = changedValues(base, new Map(Object.entries(stored)))
    const config = followingConfig(base, () => values)
    expect(config.BUILD_TIMEOUT).toBe(expected)
    expect(config.PORT).toBe(3000)
  })

  test('change what follows from them, unless that is set itself', () => {
    const values = new Map<VariableName, unknown>([['PANEL_DOMAIN', 'panel.example.org']])
    const names = (base: Config) => {
      const { API_BASE_URL, MAIL_FROM, DNS_NAMESERVERS, DNS_HOSTMASTER } = followingConfig(base, () => values)
      return { API_BASE_URL, MAIL_FROM, DNS_NAMESERVERS, DNS_HOSTMASTER }
    }
    expect(names(parse({ PANEL_DOMAIN: 'old.example.org' }))).toEqual({
      API_BASE_URL: 'https://panel.example.org',
      MAIL_FROM: 'no-reply@panel.example.org',
      DNS_NAMESERVERS: ['ns1.panel.example.org', 'ns2.panel.example.org'],
      DNS_HOSTMASTER: 'hostmaster@panel.example.org'
    })
    const set = {
      API_BASE_URL: 'https://api.example.net',
      MAIL_FROM: 'us@example.net',
      DNS_HOSTMASTER: 'dns@example.net'
    }
    expect(names(parse({ ...set, DNS_NAMESERVERS: 'a.example.net' }))).toEqual({
      ...set,
      DNS_NAMESERVERS: ['a.example.net']
    })
  })

  test('follow what is changed later, and cannot be written to', () => {
    let values: ReadonlyMap<VariableName, unknown> = new Map()
    const config = followingConfig(parse(), () => values)
    expect(config.ALLOW_REGISTRATION).toBe(true)
    values = new Map([['ALLOW_REGISTRATION', false]])
    expect(config.ALLOW_REGISTRATION).toBe(false)
    expect(Object.isFrozen(config)).toBe(true)
    expect(Object.keys(config)).toEqual(expect.arrayContaining(Object.keys(parse())))
  })

  test('are written so that they are read again', () => {
    for (const name of changeableVariables) {
      const value = parse()[name]
      const text = valueText(value, variableFacts[name].unit)
      if (text !== null) expect(parseVariable(name, text), name).toEqual({ value })
    }
  })
})

test.each([
  [{ TCP_PORTS: '20000-20099', TCP_TLS_PORT: '20100' }, undefined],
  [{ TCP_PORTS: '20000' }, 'TCP_PORTS'],
  [{ TCP_PORTS: '20099-20000' }, 'TCP_PORTS'],
  [{ TCP_PORTS: '20000-30000' }, 'TCP_PORTS'],
  [{ TCP_PORTS: '400-500' }, 'TCP_PORTS'],
  [{ TCP_PORTS: '20000-20099', TCP_TLS_PORT: '20050' }, 'TCP_PORTS'],
  [{ TCP_TLS_PORT: '443' }, 'TCP_TLS_PORT']
])('of published ports, %j has a problem with %s', (env, variable) => {
  const found = Object.keys(problems({ SESSION_SECRET: secret, ...env }))
  expect(found).toEqual(variable === undefined ? [] : [variable])
})
