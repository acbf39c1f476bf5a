import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { extract } from 'tar-stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { support } from '../src/cli/support/support.ts'
import { createRowMaker } from './support/rows.ts'
import { createTestPanel, password, type TestPanel } from './support/panel.ts'

const secret = () => randomBytes(18).toString('base64url')
const env = {
  SESSION_SECRET: secret().repeat(2),
  ENCRYPTION_KEY: secret().repeat(2),
  SMTP_URL: `smtp://panel:${secret()}@127.0.0.1:1`,
  METRICS_TOKEN: secret().repeat(2),
  NPM_REGISTRY: `https://npm:${secret()}@registry.example.com/`
}

/** Every column that holds a sealed secret, by table. A new one belongs here. */
const sealedColumns: Readonly<Record<string, readonly string[]>> = {
  backup_targets: ['encrypted_place', 'encrypted_key'],
  certificates: ['encrypted_key', 'pending_order'],
  databases: ['encrypted_password', 'encrypted_next_password'],
  dkim_keys: ['encrypted_private_key'],
  env_vars: ['value'],
  mailbox_imports: ['password'],
  notification_channels: ['secret'],
  projects: ['webhook_secret'],
  registries: ['secret'],
  restores: ['encrypted_database'],
  settings: ['value'],
  sftp_users: ['encrypted_password'],
  users: ['totp_secret'],
  wordpress_sites: ['encrypted_password']
}

const privateKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string

/** Values as they are in such a column, each with the texts that must not leak. */
const valueOf: Readonly<Record<string, () => { value: string; secrets: string[] }>> = {
  'backup_targets.encrypted_place': () => {
    const key = secret()
    return { value: JSON.stringify({ kind: 'S3', secretAccessKey: key }), secrets: [key] }
  },
  'notification_channels.secret': () => {
    const [token, signing] = [secret(), secret()]
    return { value: JSON.stringify({ url: `https://hooks.example.com/${token}`, signing }), secrets: [token, signing] }
  },
  'certificates.encrypted_key': pem,
  'certificates.pending_order': pem,
  'dkim_keys.encrypted_private_key': pem
}

function pem() {
  const value = privateKey()
  return { value, secrets: [value.split('\n')[1]!] }
}

let panel: TestPanel
let archive: Record<string, string>
let path: string
/** What may be in no file of the archive, by where it is from. */
const planted: [string, string][] = []
beforeAll(async () => {
  panel = await createTestPanel(env)
  const { db, secretBox, config } = panel.deps
  const ann = await panel.signUp('ann')
  for (const [name, value] of Object.entries(env)) planted.push([name, value])
  planted.push(['SMTP_URL password', new URL(env.SMTP_URL).password])
  const rows = await createRowMaker(db, { users: ann.user.id })
  for (const [table, columns] of Object.entries(sealedColumns)) {
    const values: Record<string, unknown> = {}
    for (const column of columns) {
      const name = `${table}.${column}`
      const { value, secrets } = valueOf[name]?.() ?? oneSecret()
      values[column] =
        column === 'pending_order' ? JSON.stringify({ key: secretBox.seal(value) }) : secretBox.seal(value)
      for (const each of secrets) planted.push([name, each])
    }
    await (await rows.prepare(table, values)).insert()
  }
  const { token } = (await ann.request('POST', '/api/auth/tokens', { name: 'ci', scope: 'full', password })).json<{
    token: string
  }>()
  planted.push(['API token', token], ['session', ann.cookie.split('=')[1]!])
  const { rows: hashes } = await db.execute<{ value: string }>(
    sql`select password_hash as value from users union all select token_hash from api_tokens union all select id_hash from sessions`
  )
  for (const { value } of hashes) planted.push(['hash', value])

  // Everything, as a careless program would log it.
  const lines = planted.map(([name, value]) =>
    name === 'session' ? `cookie: session=${value}` : `failed with ${value}, again`
  )
  const text = `2026-11-28T10:00:00Z a line without a secret\n${lines.join('\n')}\nDKIM key\n${privateKey()}\n`
  const at = (...names: string[]) => join(config.DATA_DIR, ...names)
  for (const folder of ['postgres', 'proxy']) await mkdir(at(folder), { recursive: true })
  const files = [
    ['panel.log'],
    ['web.log'],
    ['dockerd.log'],
    ['postgres', 'postgres.log'],
    ['proxy', 'haproxy.log'],
    ['proxy', 'haproxy.cfg']
  ]
  for (const file of files) await writeFile(at(...file), text)
  await db.execute(sql`insert into deployments (id, project_id, user_id, status, trigger, failure)
    select 'd', id, user_id, 'FAILED', 'MANUAL', ${JSON.stringify({ reason: text })}::jsonb from projects limit 1`)

  path = at('support.tar.gz')
  await support({
    args: [path],
    root: '',
    env: {
      ...env,
      NODE_ENV: 'test',
      DATA_DIR: config.DATA_DIR,
      DATABASE_URL: panel.databaseUrl,
      DOCKER_SOCKET: '/nonexistent.sock'
    }
  })
  archive = await read(path)
}, 120_000)
afterAll(() => panel?.close())

function oneSecret() {
  const value = secret()
  return { value, secrets: [value] }
}

async function read(file: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for await (const entry of createReadStream(file).pipe(createGunzip()).pipe(extract())) {
    const chunks: Buffer[] = []
    for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk)
    files[entry.header.name.replace(/^[^/]*\//, '')] = Buffer.concat(chunks).toString('utf8')
  }
  return files
}

test('every column of sealed secrets is planted', async () => {
  const { rows } = await panel.deps.db.execute<{ name: string }>(sql`
    select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'
      and column_name ~ '(encrypted|secret|password)' and column_name !~ '(hash|_at|_by|_required)$' and data_type = 'text'`)
  const known = Object.entries(sealedColumns).flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column}`)
  )
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
})

test('the archive has the facts, readable by its owner only', async () => {
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(Object.keys(archive)).toEqual(
    expect.arrayContaining([
      'README.txt',
      'doctor.txt',
      'settings.json',
      'versions/panel.json',
      'versions/packages.txt',
      'machine/disk.txt',
      'machine/memory.txt',
      'store/schema.json',
      'store/jobs.json',
      'store/events.json',
      'configuration/proxy/haproxy.cfg',
      'logs/panel.log'
    ])
  )
  expect(archive['logs/panel.log']).toContain('a line without a secret')
  expect(JSON.parse(archive['settings.json']!)).toMatchObject({ SMTP_URL: { value: '[set]', from: 'environment' } })
  expect(JSON.parse(archive['store/events.json']!)).not.toEqual([])
})

test('no file has any secret, in any form', () => {
  expect(planted.length).toBeGreaterThan(20)
  for (const [from, value] of planted)
    for (const form of [value, encodeURIComponent(value), Buffer.from(value).toString('base64').replace(/=+$/, '')])
      for (const [file, text] of Object.entries(archive)) expect(text.includes(form), `${from} in ${file}`).toBe(false)
  expect(Object.values(archive).join('')).not.toContain('PRIVATE KEY')
})

test('an existing file is never overwritten', async () => {
  const before = await readFile(path)
  const again = support({
    args: [path],
    root: '',
    env: {
      ...env,
      DATA_DIR: panel.deps.config.DATA_DIR,
      DATABASE_URL: panel.databaseUrl,
      DOCKER_SOCKET: '/nonexistent.sock'
    }
  })
  await expect(again).rejects.toThrow('EEXIST')
  expect(await readFile(path)).toEqual(before)
}, 120_000)
