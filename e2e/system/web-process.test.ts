import { execFile } from 'node:child_process'
import { open, readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Health } from '@panel/contract/system'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeRuntimeDirectory } from '../../packages/server/src/process/runtime-directory.ts'
import type { Client, RunningPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill, noCapability, statusOf } from '../support/processes.ts'
import { sharedWorld } from '../support/shared-world.ts'

const execute = promisify(execFile)

let panel: RunningPanel
let ann: Client
let user: { uid: number; gid: number }
beforeAll(async () => {
  ;({ panel } = await sharedWorld())
  ann = await panel.signUp()
  const { stdout } = await execute('getent', ['passwd', 'panel-web'])
  const [, , uid, gid] = stdout.split(':')
  user = { uid: Number(uid), gid: Number(gid) }
})

async function webPid(): Promise<number | undefined> {
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
    const [program = '', ...args] = line.split('\0')
    if (program.endsWith('node') && args.includes(join(panel.dataDir, 'web'))) return Number(id)
  }
  return undefined
}

/** Runs a script with the user and file system view of the web process, as an attacker would. */
async function asWeb(script: string): Promise<string> {
  const where = [
    '--target',
    String(await webPid()),
    '--mount',
    '--setuid',
    String(user.uid),
    '--setgid',
    String(user.gid)
  ]
  const { stdout } = await execute('nsenter', [...where, '--', '/run/panel-web/node/node', '-e', script])
  return stdout.trim()
}

const settingsOfWeb = async () =>
  JSON.parse(await readFile(join(await makeRuntimeDirectory(panel.dataDir), 'worker/settings.json'), 'utf8')) as {
    config: Record<string, unknown>
    databaseUrl: string
  }

describe('the web process', () => {
  test('has its own user and no capabilities', async () => {
    const pid = (await webPid())!
    expect(pid).not.toBe(panel.pid())
    const status = await statusOf(pid)
    expect(status.Uid).toBe(Array(4).fill(user.uid).join('\t'))
    expect([status.CapEff, status.CapPrm, status.CapBnd, status.CapAmb]).toEqual(Array(4).fill(noCapability))
    expect(status.NoNewPrivs).toBe('1')
    const { stdout } = await execute('ss', ['-ltnp', `sport = :${new URL(panel.url).port}`])
    expect(stdout).toContain(`pid=${pid},`)
    expect(stdout).not.toContain(`pid=${panel.pid()},`)
  })

  test('has priority over workloads', async () => {
    const pid = (await webPid())!
    expect(getPriority(pid)).toBe(-5)
    const group = await readFile(`/proc/${pid}/autogroup`, 'utf8').catch(() => '')
    expect(group === '' || /nice -5$/m.test(group), group).toBe(true)
  })

  test('has neither the master key nor engine credentials in memory', async () => {
    const pid = (await webPid())!
    const { config } = await settingsOfWeb()
    const [, encryptionKey = ''] = /^ENCRYPTION_KEY=(\w+)$/m.exec(
      await readFile(join(panel.dataDir, 'panel.env'), 'utf8')
    )!
    for (const name of ['ENCRYPTION_KEY', 'POSTGRES_ADMIN_URL', 'MYSQL_ADMIN_URL'])
      expect(config).not.toHaveProperty(name)
    expect(await holds(panel.pid(), encryptionKey)).toBe(true)
    expect(await holds(pid, encryptionKey)).toBe(false)
  })

  test('cannot access panel files or the engine, or kill processes', async () => {
    const script = `
      const fs = require('fs'), net = require('net')
      const tell = (name, work) => { try { work(); console.log(name, 'in') } catch (error) { console.log(name, error.code) } }
      tell('secrets', () => fs.readFileSync(${JSON.stringify(join(panel.dataDir, 'panel.env'))}))
      tell('data', () => fs.readdirSync(${JSON.stringify(panel.dataDir)}))
      tell('environment', () => fs.readFileSync('/proc/${panel.pid()}/environ'))
      tell('kill', () => process.kill(${panel.pid()}, 0))
      tell('socket', () => fs.unlinkSync('/run/panel-web/worker/socket'))
      tell('settings', () => fs.writeFileSync('/run/panel-web/worker/settings.json', ''))
      const connect = (name, path) => net.connect(path).on('connect', function () { console.log(name, 'in'); this.destroy() })
        .on('error', ({ code }) => console.log(name, code))
      connect('engine', '/var/run/docker.sock')
      connect('worker', '/run/panel-web/worker/socket')`
    expect((await asWeb(script)).split('\n').sort()).toEqual(
      [
        'data EACCES',
        'engine EACCES',
        'environment EACCES',
        'kill EPERM',
        'secrets EACCES',
        'settings EACCES',
        'socket EACCES',
        'worker in'
      ].sort()
    )
  })

  test('can change rows, but not tables, the audit log or the database host', async () => {
    const url = new URL((await settingsOfWeb()).databaseUrl)
    url.searchParams.set('host', await makeRuntimeDirectory(join(panel.dataDir, 'postgres')))
    const client = new pg.Client({ connectionString: url.href })
    await client.connect()
    const refused = ['42501'] // insufficient_privilege
    for (const statement of [
      'create table mine (a int)',
      'drop table users',
      `update audit_log set action = 'auth.login'`,
      'delete from audit_log',
      'delete from audit_pending',
      `copy (select 1) to program 'id'`,
      `select pg_read_file('/etc/passwd')`,
      'create role other superuser'
    ])
      expect([statement, await client.query(statement).catch((error: pg.DatabaseError) => [error.code])]).toEqual([
        statement,
        refused
      ])
    expect((await client.query('select from users')).rowCount).toBeGreaterThan(0)
    await client.end()
  })

  test('delegates privileged work to the worker', async () => {
    const { id } = await ann.createProject({ type: 'NODEJS' })
    await ann.call('POST', `/projects/${id}/env`, { key: 'TOKEN', value: 'of mine' })
    expect(await ann.call('GET', `/projects/${id}/env/TOKEN/reveal`)).toMatchObject({ value: 'of mine' })
    await ann.call('POST', `/files/${id}/create`, { path: 'a.txt', content: 'hello' })
    expect(await ann.call('GET', `/files/${id}/read?path=a.txt`)).toMatchObject({ content: 'hello' })
    expect(panel.output()).toMatch(/"verb":"envVars.reveal".*"secret requested"/)
  })
})

describe('after a kill', () => {
  const partsOf = async () => (await ann.call<Health>('GET', '/health')).parts

  test('the web process is restarted and sessions stay valid', async () => {
    const before = (await webPid())!
    kill(before, 'SIGKILL')
    await until(
      () => ann.request('GET', '/projects').catch(() => undefined),
      (answer) => answer?.status === 200
    )
    expect(await webPid()).not.toBe(before)
  })

  test('without the worker the API reports unavailable actions, an upload is refused and keeps the old file; the next worker reconnects', async () => {
    const { id } = await ann.createProject({ type: 'NODEJS' })
    await ann.call('POST', `/files/${id}/create`, { path: 'a', content: 'old' })
    const upload = beginUpload(id, 'a')
    await upload.send(Buffer.alloc(4 * 2 ** 20, 'x'))
    const pid = await webPid()
    await panel.killWorker()
    expect(await upload.end()).toBe(503)
    expect((await ann.request('GET', '/projects')).status).toBe(200)
    const answer = await ann.request('GET', '/databases')
    expect([answer.status, answer.body, Number(answer.headers.get('retry-after'))]).toEqual([
      503,
      expect.objectContaining({ error: expect.stringContaining('Try again'), code: 'WORKER_UNAVAILABLE' }),
      expect.any(Number)
    ])
    expect((await partsOf()).worker).toMatchObject({ status: 'unreachable', remedy: expect.any(String) })
    await panel.start()
    expect((await ann.request('GET', '/databases')).status).toBe(200)
    // Health is cached for two seconds.
    await expect.poll(async () => (await partsOf()).worker).toEqual({ status: 'ok' })
    expect(await webPid()).toBe(pid)
    expect(await ann.call('GET', `/files/${id}/read?path=a`)).toMatchObject({ content: 'old' })
    expect((await ann.call<{ nodes: unknown[] }>('GET', `/files/${id}/list`)).nodes).toHaveLength(1)
  })
})

async function holds(pid: number, text: string): Promise<boolean> {
  const maps = (await readFile(`/proc/${pid}/maps`, 'utf8')).split('\n')
  const memory = await open(`/proc/${pid}/mem`)
  try {
    const buffer = Buffer.alloc(16 * 2 ** 20)
    for (const line of maps) {
      const [, start, end] = /^([0-9a-f]+)-([0-9a-f]+) r/.exec(line) ?? []
      if (start === undefined || line.includes('[v')) continue
      const last = Number.parseInt(end!, 16)
      for (let at = Number.parseInt(start, 16); at < last; at += buffer.length - text.length) {
        const length = Math.min(buffer.length, last - at)
        const { bytesRead } = await memory.read(buffer, 0, length, at).catch(() => ({ bytesRead: 0 })) // Not mapped any more.
        if (buffer.subarray(0, bytesRead).includes(text)) return true
      }
    }
    return false
  } finally {
    await memory.close()
  }
}

function beginUpload(projectId: string, name: string) {
  const boundary = 'of-this-test'
  const outgoing = request(`${panel.url}/api/files/${projectId}/upload`, {
    method: 'POST',
    headers: { cookie: ann.cookie, 'content-type': `multipart/form-data; boundary=${boundary}` }
  })
  const status = new Promise<number | undefined>((resolve) => {
    outgoing.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    outgoing.on('error', () => resolve(undefined))
  })
  const part = (head: string) => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`
  outgoing.write(`${part('name="path"')}\r\n${part(`name="file"; filename="${name}"`)}`)
  return {
    send: (content: Buffer) => new Promise((resolve) => outgoing.write(content, resolve)),
    end() {
      outgoing.end(`\r\n--${boundary}--\r\n`)
      return status
    }
  }
}
