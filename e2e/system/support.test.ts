import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import type { Client, RunningPanel } from '../support/panel.ts'
import { sharedWorld } from '../support/shared-world.ts'

const execute = promisify(execFile)
const panelCommand = fileURLToPath(new URL('../../panel', import.meta.url))
const metricsToken = 'a-token-that-must-not-leave-the-server'

let panel: RunningPanel
let ann: Client
beforeAll(async () => {
  ;({ panel } = await sharedWorld())
  ann = await panel.signUp()
})

const run = (...args: string[]) =>
  execute(panelCommand, args, {
    env: { PATH: process.env.PATH, PANEL_NODE: process.execPath, DATA_DIR: panel.dataDir, METRICS_TOKEN: metricsToken },
    maxBuffer: 64 * 1024 * 1024
  })

test('logs of the programs, each and together', async () => {
  expect((await run('logs', 'proxy')).stdout).not.toBe('')
  const { stdout } = await run('logs', '--lines', '500')
  const parts = new Set(stdout.split('\n').map((line) => line.split(' ')[0]))
  expect([...parts]).toEqual(expect.arrayContaining(['panel', 'proxy', 'store']))
  await expect(run('logs', 'nothing')).rejects.toThrow('Usage')
})

test('the archive of a running panel has its facts and no secret', async () => {
  const { id } = await ann.createProject({ type: 'STATIC' })
  await ann.call('POST', `/projects/${id}/env`, { key: 'API_KEY', value: 'hunter2-hunter2-hunter2' })
  const file = join(panel.dataDir, 'support.tar.gz')
  await run('support', file)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const list = (await execute('tar', ['-tzf', file])).stdout
  for (const name of [
    'doctor.txt',
    'health.json',
    'settings.json',
    'configuration/proxy/haproxy.cfg',
    'logs/proxy.log'
  ])
    expect(list).toContain(`/${name}\n`)
  const { stdout } = await execute('tar', ['-xzOf', file], { maxBuffer: 64 * 1024 * 1024 })
  const settings = (await execute('cat', [join(panel.dataDir, 'panel.env')])).stdout
  const secrets = [...settings.matchAll(/^\w+=(.+)$/gm)].map(([, value]) => value!)
  for (const secret of [...secrets, metricsToken, 'hunter2-hunter2-hunter2', ann.cookie.split('=')[1]!])
    expect(stdout.includes(secret)).toBe(false)
})
