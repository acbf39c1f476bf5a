import { connect } from 'node:net'
import { once } from 'node:events'
import type { Health } from '@panel/contract/system'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chooseMailPorts } from '../support/mail-panel.ts'
import { type Client, type RunningPanel, startPanel } from '../support/panel.ts'

/** Settings that are changed through the API take effect on the real programs, without a restart of the panel. */
let panel: RunningPanel
let admin: Client
let smtpPort: number
beforeAll(async () => {
  const { env, ports } = await chooseMailPorts()
  smtpPort = ports.SMTP
  // An empty variable is not set, so that it can be changed.
  panel = await startPanel({ ...env, MAIL: '', WEBMAIL: '' })
  admin = await panel.signUp('ada')
})
afterAll(() => panel?.dispose())

const change = (variables: Record<string, string | boolean | null>) =>
  admin.call('PUT', '/system/settings', { variables })
const health = () => admin.call<Health>('GET', '/health')

/** The greeting of the mail server; undefined where nothing listens. */
async function greeting(): Promise<string | undefined> {
  const socket = connect({ host: '127.0.0.1', port: smtpPort, timeout: 5_000 })
  try {
    const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'end').then(() => [''])])) as [Buffer]
    return data.toString()
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

test('the panel domain: the proxy serves the panel there, and mail and name servers use it', async () => {
  const pid = panel.pid()
  await change({ PANEL_DOMAIN: 'panel.example.org', BASE_DOMAIN: 'apps.example.org', PUBLIC_IP: '203.0.113.7' })
  await expect.poll(async () => (await panel.visit('panel.example.org', '/api/health')).status).toBe(200)
  const { hostname } = await admin
    .call<{ hostname: string }>('POST', '/projects', { name: 'shop', type: 'STATIC' })
    .then(async () => (await panel.query<{ hostname: string }>('select hostname from host_names order by 1'))[0]!)
  expect(hostname).toBe('shop.apps.example.org')
  await expect.poll(greeting).toMatch(/^220 mail\.panel\.example\.org /)
  await change({ PANEL_DOMAIN: 'other.example.org' })
  await expect.poll(async () => (await panel.visit('other.example.org', '/api/health')).status).toBe(200)
  await expect.poll(greeting).toMatch(/^220 mail\.other\.example\.org /)
  expect(panel.pid()).toBe(pid)
})

test('mail: turned off its servers end, turned on they start, also after a restart', async () => {
  await change({ MAIL: false })
  await expect.poll(async () => Object.keys((await health()).parts)).not.toContain('mailTransfer')
  await expect.poll(greeting).toBeUndefined()
  await panel.stop()
  await panel.start()
  expect(await greeting()).toBeUndefined()
  await change({ MAIL: true })
  await expect.poll(async () => (await health()).parts.mailTransfer?.status).toBe('ok')
  await expect.poll(greeting).toMatch(/^220 mail\.other\.example\.org /)
})

test('undone, everything is as before', async () => {
  await change({ PANEL_DOMAIN: null, BASE_DOMAIN: null, PUBLIC_IP: null })
  await expect.poll(greeting).toMatch(/^220 mail\.apps\.localhost /)
  expect((await panel.visit('other.example.org', '/api/health')).status).toBe(404)
})
