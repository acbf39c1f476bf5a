import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { CreatedDomain } from '@panel/contract/domains'
import type { ExplainStepName, Explanation } from '@panel/contract/explain'
import type { ExplainCode } from '@panel/contract/explain-texts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Files } from '../support/git-repositories.ts'
import type { Client, Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill } from '../support/processes.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'

const execute = promisify(execFile)
const panelCommand = fileURLToPath(new URL('../../panel', import.meta.url))

/** A site that breaks as its visitor asks; `/data` survives a restart. */
const breakable: Files = {
  'package.json': JSON.stringify({ name: 'site', private: true, type: 'module', scripts: { start: 'node server.js' } }),
  'server.js': `
import { createServer } from 'node:http'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
const state = existsSync('/data/state') ? readFileSync('/data/state', 'utf8') : ''
let mode = ''
createServer((request, response) => {
  const [, word, value] = request.url.split('/')
  if (word === 'mode') { mode = value; return response.end('ok') }
  if (word === 'restart') { writeFileSync('/data/state', value); response.end('ok'); return setTimeout(() => process.exit(0), 50) }
  if (mode === '500') return response.writeHead(500).end()
  if (mode === 'hang') return
  response.end('welcome')
}).listen(state === 'port' ? 9999 : process.env.PORT, '0.0.0.0', () => console.log('listening'))
`
}

let world: World
let ann: Client
let site: Site
let domain: CreatedDomain
beforeAll(async () => {
  world = await sharedWorld()
  ann = await world.panel.signUp()
  const { id } = await ann.call<{ id: string }>('GET', '/auth/me')
  await world.panel.query(`update users set role = 'ADMIN' where id = $1`, [id])
  site = await ann.createSite(world.git, breakable)
  await ann.mustRun(site.id)
  domain = await world.addManaged(undefined, ann)
  world.dns.set(domain.hostname, 'NS', ['ns1.hosting.test', 'ns2.hosting.test'])
  world.dns.set(domain.hostname, 'AAAA', [])
  await ann.call('PATCH', `/domains/${domain.id}`, { projectId: site.id })
  expect((await world.provision(domain.id, ann)).status).toBe('ACTIVE')
  await until(explained, ({ cause }) => cause === null)
})
afterAll(async () => {
  world.ingress = 'open'
  world.front.caaIdentities = []
  await ann.call('DELETE', `/projects/${site.id}`)
})

const explained = () => ann.call<Explanation>('GET', `/system/explain?host=${domain.hostname}`)
const codeOf = ({ cause, steps }: Explanation) => steps.find(({ step }) => step === cause)?.sentences[0]?.code
const visit = (path: string) => world.panel.visit(site.hostname, path)

interface Fault {
  plant(): Promise<unknown> | void
  repair(): Promise<unknown> | void
}

// One fault of each step on the real programs; explanation.policy.test.ts and the API tests have the others.
test.each<[string, Fault, ExplainStepName, ExplainCode]>([
  ['delegated elsewhere', { plant: () => world.dns.set(domain.hostname, 'NS', ['ns.elsewhere.test']), repair: () => world.dns.set(domain.hostname, 'NS', ['ns1.hosting.test']) }, 'DELEGATION', 'NOT_DELEGATED'],
  ['a wrong address', { plant: () => world.dns.set(domain.hostname, 'A', ['10.1.2.3']), repair: () => world.dns.set(domain.hostname, 'A', ['127.0.0.1']) }, 'ADDRESS', 'ADDRESS_ELSEWHERE'],
  ['closed ports', { plant: () => void (world.ingress = 'closed'), repair: () => void (world.ingress = 'open') }, 'CONNECTION', 'PORT_UNREACHABLE'],
  ['a stopped project', { plant: () => ann.call('POST', `/projects/${site.id}/container/stop`), repair: () => ann.call('POST', `/projects/${site.id}/container/start`) }, 'ROUTE', 'PROJECT_STOPPED'],
  ['an application that answers 500', { plant: () => visit('/mode/500'), repair: () => visit('/mode/') }, 'RESPONSE', 'SERVER_ERROR'],
  ['an application that hangs', { plant: () => visit('/mode/hang'), repair: () => visit('/mode/') }, 'RESPONSE', 'TOO_SLOW'],
  ['another port', { plant: () => visit('/restart/port'), repair: redeploy }, 'CONTAINER', 'WRONG_PORT']
])('%s', async (_what, { plant, repair }, cause, code) => {
  await plant()
  try {
    // A container that restarts counts as crashing until it listens again.
    const found = await until(explained, (result) => codeOf(result) === code)
    expect(found.cause).toBe(cause)
  } finally {
    await repair()
    await until(explained, (result) => result.cause === null)
  }
}, 600_000) // oxfmt-ignore

/** Files of `/data` are those of the project. */
async function redeploy(): Promise<void> {
  await ann.call('DELETE', `/files/${site.id}/delete`, { path: 'state' })
  await ann.mustRun(site.id)
}

test('a certificate that CAA forbids, and one that expired', async () => {
  await ann.call('DELETE', `/domains/${domain.id}/ssl`)
  world.front.caaIdentities = ['authority.test']
  world.dns.set(domain.hostname, 'CAA', [{ flags: 0, tag: 'issue', value: 'other.test' }])
  expect((await world.provision(domain.id, ann)).status).toBe('ERROR')
  expect((await explained()).cause).toBe('TLS')
  world.dns.set(domain.hostname, 'CAA', [])
  expect((await world.provision(domain.id, ann)).status).toBe('ACTIVE')
  await world.panel.query(`update certificates set auto_renew = false, renew_at = null, valid_to = now() - interval '1 day' where domain_id = $1`, [domain.id]) // oxfmt-ignore
  expect(codeOf(await explained())).toBe('CERTIFICATE_EXPIRED')
  await world.panel.query(`update certificates set valid_to = now() + interval '60 days' where domain_id = $1`, [domain.id]) // oxfmt-ignore
}, 600_000)

test('a proxy that does not respond', async () => {
  for (const pid of (await world.proxyProcesses()).all) kill(pid, 'SIGSTOP')
  const found = await explained()
  expect([found.cause, codeOf(found)]).toEqual(['CONNECTION', 'WEB_SERVER_DOWN'])
  // The panel replaces it.
  await until(explained, ({ cause }) => cause === null)
}, 300_000)

test('the command on the server says the same, with the log', async () => {
  const options = { env: { PATH: process.env.PATH, PANEL_NODE: process.execPath, DATA_DIR: world.panel.dataDir, ...world.dns.env, PUBLIC_IP: '127.0.0.1' } } // oxfmt-ignore
  const { stdout } = await execute(panelCommand, ['explain', domain.hostname], options).catch(
    (error: { stdout: string }) => error
  )
  expect(stdout).toMatch(/^DELEGATION +OK/m)
  expect(stdout).toContain('listening')
}, 120_000)
