import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ServerSettings } from '@panel/contract/settings'
import { buildApp } from '../src/app.ts'
import { type Config, parseConfig, type VariableName } from '../src/config.ts'
import { followingConfig } from '../src/config/changed-config.policy.ts'
import { valueText } from '../src/config/value-text.ts'
import { changeableVariables, variableFacts } from '../src/config/variable-facts.ts'
import { listSettings, saveSetting, variablePrefix } from '../src/db/settings.ts'
import type { Dependencies } from '../src/dependencies.ts'
import { settingsView } from '../src/features/settings/settings-view.ts'
import { openLiveSettings } from '../src/config/live-settings.ts'
import { createBuilder } from '../src/wiring/image-builder.ts'
import { ownDependencies } from '../src/wiring/own.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'
import { startSecondProcess } from './support/second-process.ts'
import { createTransactionGuard } from './support/transaction-guard.ts'

const url = '/api/system/settings'
let panel: TestPanel
let second: Awaited<ReturnType<typeof startSecondProcess>>
let admin: Client
let user: Client
beforeAll(async () => {
  panel = await createTestPanel({ SMTP_URL: 'smtp://me:hunter2@127.0.0.1:1', KEEP_RELEASES: '4' })
  second = await startSecondProcess(panel.deps, panel.databaseUrl, {}, createTransactionGuard())
  panel.deps.settings.follow(panel.deps.events)
  admin = await panel.signUp('admin')
  user = await panel.createUser(admin)
})
afterAll(async () => {
  await second.close()
  await panel.close()
})
beforeEach(async () => {
  const stored = await listSettings(panel.deps.db, variablePrefix)
  if (stored.size > 0) await put({ variables: Object.fromEntries([...stored.keys()].map((name) => [name, null])) })
})

const put = (body: object, by = admin) => by.request('PUT', url, body)
const get = async (by = admin) => (await by.request('GET', url)).json<ServerSettings>()
const settingOf = async (name: VariableName) => (await get()).variables!.find((setting) => setting.name === name)!
const inSecond = (name: VariableName) => expect.poll(() => second.deps.config[name], { timeout: 10_000 })

describe('who sees and changes what', () => {
  test('users see only the time zone, an ADMIN every setting', async () => {
    expect(Object.keys(await get(user))).toEqual(['timezone', 'sampleRepository'])
    const { timezone, variables } = await get()
    expect(timezone).toBe((await get(user)).timezone)
    expect(variables!.map(({ name }) => name).sort()).toEqual(Object.keys(variableFacts).sort())
  })

  test('only an ADMIN can change settings', async () => {
    const refused = await put({ timezone: 'Europe/Paris' }, user)
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({ code: 'FORBIDDEN_ROLE' })
  })

  test('of a secret only whether it is set is shown', async () => {
    const answer = (await admin.request('GET', url)).body
    expect(answer).not.toMatch(/hunter2/)
    expect(answer).not.toContain(panel.deps.config.SESSION_SECRET)
    expect(await settingOf('SMTP_URL')).toMatchObject({
      isSecret: true,
      isSet: true,
      source: 'environment',
      value: null,
      startValue: null,
      isChangeable: false
    })
    expect(await settingOf('METRICS_TOKEN')).toMatchObject({ isSecret: true, isSet: false, source: 'default' })
  })
})

describe('the time zone', () => {
  test('is the machine’s own at first, and kept', async () => {
    expect((await get()).timezone).toBe(new Intl.DateTimeFormat('en').resolvedOptions().timeZone)
  })

  test('is changed at once everywhere, and kept by its present name', async () => {
    expect((await put({ timezone: 'asia/calcutta' })).json()).toMatchObject({ timezone: 'Asia/Kolkata' })
    await expect.poll(() => second.deps.settings.timezone(), { timeout: 10_000 }).toBe('Asia/Kolkata')
    const { deps } = panel
    expect((await openLiveSettings(deps.settings.base, deps.db, deps.logger)).timezone()).toBe('Asia/Kolkata')
    expect(await panel.audited({ action: 'settings.changed' })).toContainEqual(
      expect.objectContaining({
        actorId: admin.user.id,
        metadata: { changes: [{ name: 'timezone', before: expect.any(String) as string, after: 'Asia/Kolkata' }] }
      })
    )
  })

  test.each(['../../etc/passwd', 'UTC\n', 'Mars/Olympus', '+01:00', '', ' UTC', 'UTC\0', 'Europe/Berlin/..'])(
    '%j is none',
    async (timezone) => {
      const refused = await put({ timezone })
      expect(refused.statusCode).toBe(400)
      expect(refused.json()).toMatchObject({ code: 'VALIDATION_ERROR' })
    }
  )
})

describe('a variable', () => {
  test('is changed, shows where it comes from, and is taken back', async () => {
    expect(await settingOf('FILE_UPLOAD_MAX_MB')).toMatchObject({ value: '100', source: 'default', isChangeable: true })
    expect((await put({ variables: { FILE_UPLOAD_MAX_MB: 7 } })).statusCode).toBe(200)
    expect(await settingOf('FILE_UPLOAD_MAX_MB')).toMatchObject({ value: '7', source: 'changed', startValue: '100' })
    await inSecond('FILE_UPLOAD_MAX_MB').toBe(7)
    await put({ variables: { FILE_UPLOAD_MAX_MB: null } })
    expect(await settingOf('FILE_UPLOAD_MAX_MB')).toMatchObject({ value: '100', source: 'default' })
    await inSecond('FILE_UPLOAD_MAX_MB').toBe(100)
    const changes = (await panel.audited({ action: 'settings.changed' })).slice(-2).map(({ metadata }) => metadata)
    expect(changes).toEqual([
      { changes: [{ name: 'FILE_UPLOAD_MAX_MB', before: null, after: '7' }] },
      { changes: [{ name: 'FILE_UPLOAD_MAX_MB', before: '7', after: null }] }
    ])
  })

  test('that the environment has set is not changed here', async () => {
    expect(await settingOf('KEEP_RELEASES')).toMatchObject({ value: '4', source: 'environment', isChangeable: false })
    const refused = await put({ variables: { KEEP_RELEASES: 9 } })
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({ code: 'SETTING_FIXED' })
    await saveSetting(panel.deps.db, `${variablePrefix}KEEP_RELEASES`, '9')
    await panel.deps.settings.reload()
    expect(panel.deps.config.KEEP_RELEASES).toBe(4)
    expect((await put({ variables: { KEEP_RELEASES: null } })).statusCode).toBe(200)
    expect(await listSettings(panel.deps.db, variablePrefix)).toEqual(new Map())
  })

  test('that panel.env has set says so, and a change here wins over it', async () => {
    const { db, logger, config } = panel.deps
    const env = { SESSION_SECRET: config.SESSION_SECRET, GIT_TIMEOUT: '99', BUILD_TIMEOUT: '98' }
    const base = parseConfig(env, { GIT_TIMEOUT: 'file', BUILD_TIMEOUT: 'file' })
    await saveSetting(db, `${variablePrefix}BUILD_TIMEOUT`, '60')
    const view = new Map(
      settingsView(await openLiveSettings(base, db, logger)).map((setting) => [setting.name, setting])
    )
    expect(view.get('GIT_TIMEOUT')).toMatchObject({ source: 'file', value: '99', isChangeable: true })
    expect(view.get('BUILD_TIMEOUT')).toMatchObject({ source: 'changed', value: '60', startValue: '98' })
    await panel.deps.settings.reload()
  })

  test('that is a secret is stored encrypted, and neither shown nor written to the audit log', async () => {
    const answer = await put({ variables: { ACME_EAB_HMAC_KEY: 'hunter2' } })
    expect(answer.statusCode, answer.body).toBe(200)
    const shown = { value: null, isSet: true, isSecret: true, source: 'changed' }
    expect(await settingOf('ACME_EAB_HMAC_KEY')).toMatchObject(shown)
    expect(panel.deps.config.ACME_EAB_HMAC_KEY).toBe('hunter2')
    const [entry] = (await panel.audited({ action: 'settings.changed' })).slice(-1)
    expect(entry!.metadata).toEqual({ changes: [{ name: 'ACME_EAB_HMAC_KEY', before: null, after: '(secret)' }] })
    const rows = [...(await listSettings(panel.deps.db, variablePrefix))]
    expect(answer.body + JSON.stringify(rows)).not.toMatch('hunter2')
    await put({ variables: { ACME_EAB_HMAC_KEY: null } })
    expect(panel.deps.config.ACME_EAB_HMAC_KEY).toBeUndefined()
  })

  test('that takes a restart says why', async () => {
    expect(await settingOf('PORT')).toMatchObject({
      isChangeable: false,
      fixedReason: 'listens'
    })
    expect((await put({ variables: { DATA_DIR: '/elsewhere' } })).json()).toMatchObject({ code: 'SETTING_FIXED' })
  })

  test.each([
    [{ BUILD_TIMEOUT: '1.5' }],
    [{ BUILD_TIMEOUT: '' }],
    [{ BUILD_MEMORY_LIMIT: '0' }],
    [{ MAIL_BLOCKLISTS: 'not a zone' }],
    [{ DEFAULT_MAX_PROJECTS: '-1' }],
    [{ NO_SUCH: '1' }],
    [{ __proto__x: '1' }]
  ])('%j is refused as at the start, with all that came with it', async (bad) => {
    const refused = await put({ timezone: 'Europe/Oslo', variables: { AUDIT_RETENTION_DAYS: 30, ...bad } })
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toMatchObject({ details: [{ path: `variables.${Object.keys(bad)[0]}` }] })
    expect(panel.deps.config.AUDIT_RETENTION_DAYS).toBe(365)
    expect((await get()).timezone).not.toBe('Europe/Oslo')
  })

  test('an empty body changes nothing and says so', async () => {
    expect((await put({})).statusCode).toBe(400)
    expect((await put({ timeZone: 'UTC' })).statusCode).toBe(400)
  })

  test('changes of several at once all stay', async () => {
    const names = [
      'BUILD_TIMEOUT',
      'GIT_TIMEOUT',
      'DEPLOY_START_TIMEOUT',
      'AUDIT_RETENTION_DAYS',
      'BUILD_LOGS_KEPT'
    ] as const
    const answers = await Promise.all(names.map((name) => put({ variables: { [name]: 77 } })))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(names.map(() => 200))
    for (const name of names) {
      expect(panel.deps.config[name]).toBe(77)
      await inSecond(name).toBe(77)
    }
  })

  test('an ADMIN without two-factor cannot require it', async () => {
    const refused = await put({ variables: { REQUIRE_ADMIN_2FA: true } })
    expect(refused.json()).toMatchObject({ code: 'ADMIN_2FA_REQUIRED' })
    expect((await admin.request('GET', '/api/auth/config')).json()).toMatchObject({ requireAdmin2FA: false })
  })

  test('a setting of a newer version is ignored at startup, with a warning', async () => {
    const warnings: unknown[] = []
    const logger = {
      level: 'silent',
      warn: (about: unknown) => void warnings.push(about)
    } as unknown as Dependencies['logger']
    const { db, settings } = panel.deps
    await saveSetting(db, `${variablePrefix}BUILD_TIMEOUT`, 'an hour')
    await saveSetting(db, `${variablePrefix}OF_LATER`, '1')
    const opened = await openLiveSettings(settings.base, db, logger)
    expect(opened.config.BUILD_TIMEOUT).toBe(1800)
    expect(warnings).toMatchObject([{ variable: 'BUILD_TIMEOUT' }])
    await settings.reload()
    expect(await settingOf('BUILD_TIMEOUT')).toMatchObject({ value: '1800', ignored: expect.any(String) as string })
    await db.$client.query(`delete from settings where key = $1`, [`${variablePrefix}OF_LATER`])
  })
})

function otherText(name: VariableName, value: unknown): string {
  const named: Partial<Record<VariableName, string>> = {
    LOG_LEVEL: 'fatal',
    PASSWORD_HASH: 'm=20480,t=2',
    MAIL_FROM: 'other@example.org',
    SFTP_HOST: 'sftp.example.org',
    MAIL_BLOCKLISTS: 'bl.example.org',
    UPDATE_FEED_URL: 'https://releases.example.org/panel.json',
    API_BASE_URL: 'https://api.example.org',
    PANEL_DOMAIN: 'panel.example.org',
    BASE_DOMAIN: 'apps.example.org',
    PUBLIC_IP: '198.51.100.7',
    SERVER_IP: '198.51.100.8',
    PUBLIC_IPV6: '2001:db8::7',
    PUBLIC_IP_SERVICE: 'https://ip.example.org/',
    SMTP_URL: 'smtps://user:secret@relay.example.org',
    DNS_RESOLVERS: '127.0.0.9:5353',
    DNS_NAMESERVERS: 'a.example.org,b.example.org',
    DNS_SECONDARIES: '198.51.100.9@5353',
    DNS_HOSTMASTER: 'dns@example.org',
    ACME_DIRECTORY_URL: 'https://ca.example.org/directory',
    ACME_EMAIL: 'ca@example.org',
    EGRESS_ALLOW: '10.1.2.3',
    MACHINE_TUNNEL_SUBNET: '10.84.0.0/24',
    ACCOUNT_MEMORY_LIMIT: '1g',
    ACCOUNT_PIDS_LIMIT: '100'
  }
  if (typeof value === 'boolean') return String(!value)
  if (typeof value === 'number') return String(value > 1 ? value - 1 : value + 1)
  return named[name] ?? '7'
}

test('every changeable variable is changed by the API, and read so in both processes', async () => {
  const { settings, config } = panel.deps
  const names = changeableVariables.filter(
    (name) => name !== 'REQUIRE_ADMIN_2FA' && settings.base.sources[name] === undefined
  )
  expect(names.length).toBeGreaterThan(40)
  const variables = Object.fromEntries(names.map((name) => [name, otherText(name, settings.base[name])]))
  const answer = await put({ variables })
  expect(answer.statusCode, answer.body).toBe(200)
  for (const name of names) {
    const { unit } = variableFacts[name]
    const read = (of: Config) => valueText(of[name], unit)
    const wanted = valueText(parseConfig({ SESSION_SECRET: settings.base.SESSION_SECRET, ...variables })[name], unit)
    expect(read(config), name).toBe(wanted)
    await expect.poll(() => read(second.deps.config), { timeout: 10_000 }).toBe(wanted)
    expect(read(settings.base), name).not.toBe(wanted)
  }
  expect(panel.deps.logger.level).toBe('fatal')
})

test('what is made at the start keeps none of them', async () => {
  const read = new Set<string>()
  const { settings } = panel.deps
  const config = new Proxy(
    followingConfig(settings.base, () => new Map()),
    {
      get(target, name: VariableName) {
        if (changeableVariables.includes(name)) read.add(name)
        return target[name]
      }
    }
  )
  const deps = { ...panel.deps, config, ...(await ownDependencies(config, undefined)) }
  const app = await buildApp(deps)
  await app.ready()
  createBuilder(config, deps.git, deps.engine)
  await app.close()
  expect([...read]).toEqual(['FILE_UPLOAD_MAX_MB'])
})

describe('what is changed counts for the next', () => {
  test('registration', async () => {
    await put({ variables: { ALLOW_REGISTRATION: 'false' } })
    const refused = await second.app.inject({ method: 'GET', url: '/api/auth/config' })
    expect(refused.json()).toMatchObject({ allowRegistration: expect.any(Boolean) as boolean })
    await inSecond('ALLOW_REGISTRATION').toBe(false)
    await expect(panel.signUp('late')).rejects.toThrow('REGISTRATION_DISABLED')
    await put({ variables: { ALLOW_REGISTRATION: null } })
    await panel.signUp('late')
  })

  test('quotas of who registers, and the size of uploads', async () => {
    await put({ variables: { DEFAULT_MAX_PROJECTS: 3, FILE_UPLOAD_MAX_MB: 1 } })
    const late = await panel.signUp('quota')
    expect(late.user.maxProjects).toBe(3)
  })

  test('tries to sign in', async () => {
    await put({ variables: { AUTH_RATE_LIMIT_MAX: 2 } })
    const login = () =>
      panel.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        payload: { email: 'nobody@example.com', password: 'wrong password' },
        remoteAddress: '203.0.113.77'
      })
    const statuses = [await login(), await login(), await login()].map(({ statusCode }) => statusCode)
    expect(statuses).toEqual([401, 401, 429])
  })
})
