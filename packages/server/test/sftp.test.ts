import { mkdir, readdir, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sftpUsers } from '../src/db/schema/sftp-users.ts'
import { AdapterError } from '../src/infra/adapter-error.ts'
import { purgeProject } from '../src/features/projects/purge.jobs.ts'
import { reconcileSftp } from '../src/features/sftp/sftp.reconcile.ts'
import type { MemoryHostHelper } from './fakes/memory-host-helper.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let admin: Client
let helper: MemoryHostHelper
let isServerUnavailable = false
beforeAll(async () => {
  panel = await createTestPanel(
    { SFTP_HOST: 'files.example.com', SFTP_PORT: '2222' },
    {
      sftpServer: {
        ping: async () => {
          if (isServerUnavailable) throw new AdapterError('sftp-unavailable', 'away')
          return 'OpenSSH'
        },
        hostKeys: async () => {
          if (isServerUnavailable) throw new AdapterError('sftp-unavailable', 'away')
          return ['SHA256:one']
        }
      }
    }
  )
  helper = panel.deps.hostHelper as MemoryHostHelper
  admin = await panel.signUp('admin')
})
afterAll(() => panel.close())
beforeEach(() => {
  helper.problem = undefined
  isServerUnavailable = false
})

const unavailable = new AdapterError('sftp-unavailable', 'no sshd', {
  reason: '/tmp is open',
  remedy: 'CHECK_PROJECTS_DIR'
})
const ed25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH'
const keyNumber = (n: number) => {
  const bytes = Buffer.from(ed25519.split(' ')[1]!, 'base64')
  bytes[bytes.length - 1] = n
  return `ssh-ed25519 ${bytes.toString('base64')}`
}
const provision = (client: Client) => client.request('POST', '/api/sftp/provision')
const addKey = (client: Client, publicKey: string) => client.request('POST', '/api/sftp/add-ssh-key', { publicKey })
const rowOf = async (client: Client) => {
  const [row] = await panel.deps.db.select().from(sftpUsers).where(eq(sftpUsers.userId, client.user.id))
  return row
}
const accountOf = async (client: Client) => helper.accounts.get((await rowOf(client))!.linuxUsername)
const actionsOf = async (client: Client) =>
  (await panel.audited({ actorId: client.user.id }))
    .map((row) => row.action)
    .filter((action) => action.startsWith('sftp.'))
const newUser = async () => {
  const client = await panel.createUser(admin)
  await provision(client)
  return client
}

describe('provision', () => {
  test('creates an account with all projects and returns credentials', async () => {
    const client = await panel.createUser(admin)
    const project = await client.createProject({ name: 'shop' })
    const answer = await provision(client)
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      host: 'files.example.com',
      port: 2222,
      username: expect.stringMatching(/^vsftp_[a-z0-9]{8,26}$/),
      password: expect.stringMatching(/^[A-HJ-NP-Za-km-z2-9]{20}$/),
      isEnabled: true,
      hostKeys: ['SHA256:one']
    })
    const { username, password } = answer.json<{ username: string; password: string }>()
    expect(helper.accounts.get(username)).toMatchObject({ password, keys: [], isLocked: false })
    expect(await readlink(join(panel.deps.config.PROJECTS_DIR, 'by-id', project.id))).toMatch(/\/shop$/)
    const row = await rowOf(client)
    expect(row).toMatchObject({ linuxUsername: username, isEnabled: true })
    expect(row!.appliedRevision).toBe(row!.revision)
    expect(row!.encryptedPassword).toMatch(/^[0-9a-f]{24}:[0-9a-f]{32}:[0-9a-f]{40}$/)
    expect(await actionsOf(client)).toEqual(['sftp.provisioned'])
  })

  test('again returns the same account', async () => {
    const client = await panel.createUser(admin)
    const first = await provision(client)
    const second = await provision(client)
    expect(second.statusCode).toBe(200)
    expect(second.json()).toEqual(first.json())
    expect(await actionsOf(client)).toEqual(['sftp.provisioned'])
  })

  test('ten concurrent calls create one', async () => {
    const client = await panel.createUser(admin)
    const answers = await Promise.all(Array.from({ length: 10 }, () => provision(client)))
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([...Array(9).fill(200), 201])
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
  })

  test('without a server is 503 without changes', async () => {
    const [client, older] = [await panel.createUser(admin), await newUser()]
    isServerUnavailable = true
    const answer = await provision(client)
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'SFTP_UNAVAILABLE'])
    expect(await rowOf(client)).toBeUndefined()
    expect(await actionsOf(client)).toEqual([])
    expect((await provision(older)).json()).toMatchObject({ hostKeys: [] })
    isServerUnavailable = false
    expect((await provision(client)).statusCode).toBe(201)
  })

  test('on an unsupported machine is 503 with the reason, repaired later', async () => {
    const client = await panel.createUser(admin)
    helper.problem = unavailable
    const answer = await provision(client)
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({ code: 'SFTP_UNAVAILABLE', error: 'no sshd' })
    expect(answer.json().outage).toBeUndefined()
    const told = (await provision(admin)).json<{ error: string; outage: object }>()
    expect(told.outage).toMatchObject({ cause: '/tmp is open', sentences: [{ code: 'CHECK_PROJECTS_DIR' }] })
    expect(told.error).toContain('no sshd. /tmp is open. Make root the owner of the directory of project files')
    expect(await accountOf(client)).toBeUndefined()
    helper.problem = undefined
    await reconcileSftp(panel.deps)
    expect(await accountOf(client)).toMatchObject({ isLocked: false })
    expect((await provision(client)).statusCode).toBe(200)
  })

  test.each([
    [{}, 'localhost'],
    [{ PUBLIC_IP: '192.0.2.1' }, '192.0.2.1'],
    [{ PUBLIC_IP: '192.0.2.1', PANEL_DOMAIN: 'panel.example.com' }, 'panel.example.com']
  ])('the host with %j is %s', async (env, host) => {
    const other = await createTestPanel(env)
    try {
      const client = await other.signUp()
      expect((await provision(client)).json()).toMatchObject({ host, port: 22 })
    } finally {
      await other.close()
    }
  })
})

describe('before setup', () => {
  test.each([
    ['GET', '/api/sftp'],
    ['GET', '/api/sftp/credentials'],
    ['POST', '/api/sftp/rotate-password'],
    ['DELETE', '/api/sftp/disable'],
    ['POST', '/api/sftp/enable'],
    ['POST', '/api/sftp/add-ssh-key', { publicKey: ed25519 }],
    ['POST', '/api/sftp/remove-ssh-key', { publicKey: ed25519 }]
  ] as const)('%s %s is 404', async (method, url, ...[body]) => {
    const client = await panel.createUser(admin)
    const answer = await client.request(method, url, body)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ code: 'NOT_FOUND', error: expect.stringContaining('Create one first') })
  })
})

describe('reading', () => {
  test('the account has no secrets', async () => {
    const client = await newUser()
    const password = (await accountOf(client))!.password!
    const answer = await client.request('GET', '/api/sftp')
    expect(answer.json()).toEqual({
      id: expect.any(String),
      userId: client.user.id,
      linuxUsername: expect.stringMatching(/^vsftp_/),
      host: 'files.example.com',
      port: 2222,
      sshPublicKeys: [],
      isEnabled: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String)
    })
    expect(answer.body).not.toContain(password)
    expect(answer.body).not.toMatch(/encrypted|revision|removed/i)
  })

  test('credentials are audited, uncached and follow renames', async () => {
    const client = await newUser()
    const project = await client.createProject({ name: 'before' })
    await client.request('PUT', `/api/projects/${project.id}`, { name: 'after' })
    const answer = await client.request('GET', '/api/sftp/credentials')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toMatchObject({ password: (await accountOf(client))!.password })
    expect(await readlink(join(panel.deps.config.PROJECTS_DIR, 'by-id', project.id))).toMatch(/\/after$/)
    expect(await actionsOf(client)).toEqual(['sftp.provisioned', 'sftp.credentials_shown'])
    expect(JSON.stringify(await panel.audited())).not.toContain(answer.json().password)
  })

  test('a server that is down has no fingerprints', async () => {
    const client = await newUser()
    isServerUnavailable = true
    const answer = await client.request('GET', '/api/sftp/credentials')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ hostKeys: [] })
  })
})

test('rotate-password also changes it on the machine', async () => {
  const client = await newUser()
  const before = (await accountOf(client))!.password
  const answer = await client.request('POST', '/api/sftp/rotate-password')
  const { password } = answer.json<{ password: string }>()
  expect(answer.statusCode).toBe(200)
  expect(password).toMatch(/^[A-HJ-NP-Za-km-z2-9]{20}$/)
  expect(password).not.toBe(before)
  expect(await accountOf(client)).toMatchObject({ password, isLocked: false })
  expect((await client.request('GET', '/api/sftp/credentials')).json()).toMatchObject({ password })
  expect(await actionsOf(client)).toContain('sftp.password_rotated')
})

test('a failed rotation is applied later', async () => {
  const client = await newUser()
  helper.problem = unavailable
  expect((await client.request('POST', '/api/sftp/rotate-password')).statusCode).toBe(503)
  helper.problem = undefined
  await reconcileSftp(panel.deps)
  const { password } = (await client.request('GET', '/api/sftp/credentials')).json<{ password: string }>()
  expect(await accountOf(client)).toMatchObject({ password })
})

describe('keys', () => {
  test('are added and removed by content, not comment', async () => {
    const client = await newUser()
    const added = await addKey(client, `${ed25519} ann@laptop\n`)
    expect(added.statusCode).toBe(200)
    expect(added.json()).toMatchObject({ sshPublicKeys: [`${ed25519} ann@laptop`] })
    expect(await accountOf(client)).toMatchObject({ keys: [`${ed25519} ann@laptop`] })

    const again = await addKey(client, `${ed25519} other`)
    expect(again.statusCode).toBe(409)
    expect(again.json()).toMatchObject({ code: 'SSH_KEY_EXISTS' })

    const removed = await client.request('POST', '/api/sftp/remove-ssh-key', { publicKey: ed25519 })
    expect(removed.json()).toMatchObject({ sshPublicKeys: [] })
    expect(await accountOf(client)).toMatchObject({ keys: [] })
    expect((await client.request('POST', '/api/sftp/remove-ssh-key', { publicKey: ed25519 })).statusCode).toBe(404)
    expect(await actionsOf(client)).toEqual(['sftp.provisioned', 'sftp.key_added', 'sftp.key_removed'])
  })

  test.each([
    ['options', `command="id" ${ed25519}`],
    ['two lines', `${ed25519}\n${ed25519}`],
    ['DSA', 'ssh-dss AAAAB3NzaC1kc3M='],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----']
  ])('%s is refused', async (_, publicKey) => {
    const client = await newUser()
    const answer = await addKey(client, publicKey)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'SSH_KEY_INVALID' })
    expect(await accountOf(client)).toMatchObject({ keys: [] })
  })

  test.each([[{}], [{ publicKey: 5 }], [{ publicKey: 'a'.repeat(20_000) }]])('%j is not a key', async (body) => {
    const answer = await admin.request('POST', '/api/sftp/add-ssh-key', body)
    expect(answer.json()).toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  test('at most twenty, also concurrently', async () => {
    const client = await newUser()
    const answers = await Promise.all(Array.from({ length: 22 }, (_, n) => addKey(client, keyNumber(n))))
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(20)
    const refused = answers.filter((answer) => answer.statusCode !== 200)
    for (const answer of refused) expect(answer.json()).toMatchObject({ code: 'QUOTA_EXCEEDED' })
    expect((await accountOf(client))!.keys).toHaveLength(20)
  })
})

test('disable locks the account, enable applies pending changes; both are idempotent', async () => {
  const client = await newUser()
  for (let i = 0; i < 2; i++) {
    const disabled = await client.request('DELETE', '/api/sftp/disable')
    expect(disabled.json()).toMatchObject({ isEnabled: false })
    expect(await accountOf(client)).toMatchObject({ isLocked: true })
  }
  await addKey(client, ed25519)
  await client.request('POST', '/api/sftp/rotate-password')
  expect(await accountOf(client)).toMatchObject({ isLocked: true })
  expect((await client.request('GET', '/api/sftp/credentials')).json()).toMatchObject({ isEnabled: false })
  for (let i = 0; i < 2; i++) {
    const enabled = await client.request('POST', '/api/sftp/enable')
    expect(enabled.json()).toMatchObject({ isEnabled: true })
  }
  const { password } = (await client.request('GET', '/api/sftp/credentials')).json<{ password: string }>()
  expect(await accountOf(client)).toMatchObject({ isLocked: false, keys: [ed25519], password })
  expect((await actionsOf(client)).filter((action) => action.endsWith('abled'))).toEqual([
    'sftp.disabled',
    'sftp.enabled'
  ])
})

describe('user lifecycle', () => {
  test('suspension locks, resuming unlocks', async () => {
    const client = await newUser()
    expect((await admin.request('POST', `/api/users/${client.user.id}/suspend`)).statusCode).toBe(200)
    expect(await accountOf(client)).toMatchObject({ isLocked: true })
    expect((await admin.request('POST', `/api/users/${client.user.id}/resume`)).statusCode).toBe(200)
    await reconcileSftp(panel.deps)
    expect(await accountOf(client)).toMatchObject({ isLocked: false })
  })

  test('a disabled one stays disabled', async () => {
    const client = await newUser()
    await client.request('DELETE', '/api/sftp/disable')
    await admin.request('POST', `/api/users/${client.user.id}/suspend`)
    await admin.request('POST', `/api/users/${client.user.id}/resume`)
    await reconcileSftp(panel.deps)
    expect(await accountOf(client)).toMatchObject({ isLocked: true })
  })

  test('deletion leaves nothing', async () => {
    const client = await newUser()
    const { linuxUsername } = (await rowOf(client))!
    expect((await admin.request('DELETE', `/api/users/${client.user.id}`)).statusCode).toBe(200)
    expect(helper.accounts.has(linuxUsername)).toBe(false)
    expect(await rowOf(client)).toBeUndefined()
  })

  test('a failed deletion is repeated', async () => {
    const client = await newUser()
    const { linuxUsername } = (await rowOf(client))!
    helper.problem = unavailable
    await admin.request('DELETE', `/api/users/${client.user.id}`)
    expect(await rowOf(client)).toMatchObject({ encryptedPassword: '', removedAt: expect.any(Date) })
    helper.problem = undefined
    await reconcileSftp(panel.deps)
    expect(helper.accounts.has(linuxUsername)).toBe(false)
    expect(await rowOf(client)).toBeUndefined()
  })
})

test('accounts are private', async () => {
  const [ann, bob] = [await newUser(), await newUser()]
  const [a, b] = [await ann.request('GET', '/api/sftp'), await bob.request('GET', '/api/sftp')]
  expect(a.json().linuxUsername).not.toBe(b.json().linuxUsername)
  await bob.request('DELETE', '/api/sftp/disable')
  expect((await ann.request('GET', '/api/sftp')).json()).toMatchObject({ isEnabled: true })
})

test('a restored machine is repaired to match the database', async () => {
  const client = await newUser()
  const kept = await newUser()
  const { linuxUsername } = (await rowOf(client))!
  helper.accounts.delete(linuxUsername)
  helper.accounts.set('vsftp_nobodysown', { uid: 1, password: 'x', keys: [], isLocked: false })
  // As after a restart: a new helper without state.
  await reconcileSftp({ ...panel.deps, hostHelper: { ...helper } })
  for (let round = 0; round < 5; round++) await reconcileSftp(panel.deps)
  expect(helper.accounts.has(linuxUsername)).toBe(true)
  expect(helper.accounts.has('vsftp_nobodysown')).toBe(false)
  expect(await accountOf(kept)).toMatchObject({ isLocked: false })
})

test('files of a deleted project are removed', async () => {
  const client = await newUser()
  const project = await client.createProject({ name: 'doomed' })
  await client.request('GET', '/api/sftp/credentials')
  const directory = join(panel.deps.config.PROJECTS_DIR, 'by-id', project.id)
  await mkdir(join(directory, 'public'))
  await writeFile(join(directory, 'public', 'index.html'), 'x')
  await client.request('DELETE', `/api/projects/${project.id}`)
  await purgeProject(panel.deps, project.id, { routes: [], certificateIds: [], zoneIds: [] })
  expect(await readdir(join(panel.deps.config.PROJECTS_DIR, 'by-id'))).not.toContain(project.id)
})
