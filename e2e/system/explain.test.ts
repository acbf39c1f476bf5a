import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { CreatedDomain } from '@panel/contract/domains'
import type { ExplainStepName, Explanation } from '@panel/contract/explain'
import type { ExplainCode } from '@panel/contract/explain-texts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CertificateEnvironment, startCertificateEnvironment } from '../support/certificate-environment.ts'
import type { Files } from '../support/git-repositories.ts'
import { type GitHttpServer, startGitHttpServer } from '../support/git-server.ts'
import type { Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill } from '../support/processes.ts'

const execute = promisify(execFile)
const panelCommand = fileURLToPath(new URL('../../panel', import.meta.url))

/** A site that breaks as its visitor asks; `/data` survives a restart. */
const breakable: Files = {
  'package.json': JSON.stringify({ name: 'site', private: true, type: 'module', scripts: { start: 'node server.js' } }),
  'server.js': `
import { createServer } from 'node:http'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
const state = existsSync('/data/state') ? readFileSync('/data/state', 'utf8') : ''
if (state === 'crash') { console.error('cannot reach the database'); process.exit(3) }
let mode = ''
createServer((request, response) => {
  const [, word, value] = request.url.split('/')
  if (word === 'mode') { mode = value; return response.end('ok') }
  if (word === 'restart') { writeFileSync('/data/state', value); response.end('ok'); return setTimeout(() => process.exit(0), 50) }
  if (mode === '500') return response.writeHead(500).end()
  if (mode === 'hang') return
  if (mode === 'loop') return response.writeHead(302, { location: '/' }).end()
  if (mode === 'close') return request.socket.destroy()
  response.end('welcome')
}).listen(state === 'port' ? 9999 : process.env.PORT, '0.0.0.0', () => console.log('listening'))
`
}

let world: CertificateEnvironment
let git: GitHttpServer
let site: Site
let domain: CreatedDomain
beforeAll(async () => {
  git = await startGitHttpServer()
  world = await startCertificateEnvironment({ env: { GIT_EXTRA_HOSTS: `127.0.0.1:${git.port}` } })
  site = await world.ann.createSite(git, breakable)
  await world.ann.mustRun(site.id)
  domain = await world.addManaged()
  world.dns.set(domain.hostname, 'NS', ['ns1.hosting.test', 'ns2.hosting.test'])
  world.dns.set(domain.hostname, 'AAAA', [])
  await world.ann.call('PATCH', `/domains/${domain.id}`, { projectId: site.id })
  expect((await world.provision(domain.id)).status).toBe('ACTIVE')
  await until(explained, ({ cause }) => cause === null)
})
afterAll(async () => {
  await world?.close()
  await git?.stop()
})

const explained = () => world.ann.call<Explanation>('GET', `/system/explain?host=${domain.hostname}`)
const codeOf = ({ cause, steps }: Explanation) => steps.find(({ step }) => step === cause)?.sentences[0]?.code
const visit = (path: string) => world.panel.visit(site.hostname, path)
const setDomain = (values: string) => world.panel.query(`update domains set ${values} where id = $1`, [domain.id])

interface Fault {
  plant(): Promise<unknown> | void
  repair(): Promise<unknown> | void
}

test.each<[string, Fault, ExplainStepName, ExplainCode]>([
  ['delegated elsewhere', { plant: () => world.dns.set(domain.hostname, 'NS', ['ns.elsewhere.test']), repair: () => world.dns.set(domain.hostname, 'NS', ['ns1.hosting.test']) }, 'DELEGATION', 'NOT_DELEGATED'],
  ['no address', { plant: () => world.dns.set(domain.hostname, 'A', []), repair: () => world.dns.set(domain.hostname, 'A', ['127.0.0.1']) }, 'ADDRESS', 'ADDRESS_MISSING'],
  ['a wrong address', { plant: () => world.dns.set(domain.hostname, 'A', ['10.1.2.3']), repair: () => world.dns.set(domain.hostname, 'A', ['127.0.0.1']) }, 'ADDRESS', 'ADDRESS_ELSEWHERE'],
  ['an IPv6 record that leads elsewhere', { plant: () => world.dns.set(domain.hostname, 'AAAA', ['fd00::9']), repair: () => world.dns.set(domain.hostname, 'AAAA', []) }, 'ADDRESS', 'IPV6_ELSEWHERE'],
  ['closed ports', { plant: () => void (world.ingress = 'closed'), repair: () => void (world.ingress = 'open') }, 'CONNECTION', 'PORT_UNREACHABLE'],
  ['a domain that is not verified', { plant: () => setDomain(`status = 'ERROR'`), repair: () => setDomain(`status = 'ACTIVE'`) }, 'ROUTE', 'DOMAIN_NOT_VERIFIED'],
  ['a domain without a project', { plant: () => world.ann.call('PATCH', `/domains/${domain.id}`, { projectId: null }), repair: () => world.ann.call('PATCH', `/domains/${domain.id}`, { projectId: site.id }) }, 'ROUTE', 'DOMAIN_UNATTACHED'],
  ['a stopped project', { plant: () => world.ann.call('POST', `/projects/${site.id}/container/stop`), repair: () => world.ann.call('POST', `/projects/${site.id}/container/start`) }, 'ROUTE', 'PROJECT_STOPPED'],
  ['an application that answers 500', { plant: () => visit('/mode/500'), repair: () => visit('/mode/') }, 'RESPONSE', 'SERVER_ERROR'],
  ['an application that hangs', { plant: () => visit('/mode/hang'), repair: () => visit('/mode/') }, 'RESPONSE', 'TOO_SLOW'],
  ['a redirect loop', { plant: () => visit('/mode/loop'), repair: () => visit('/mode/') }, 'RESPONSE', 'REDIRECT_LOOP'],
  ['another port', { plant: () => visit('/restart/port'), repair: redeploy }, 'CONTAINER', 'WRONG_PORT'],
  ['a container that crashes', { plant: () => visit('/restart/crash'), repair: redeploy }, 'CONTAINER', 'CONTAINER_CRASHES']
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
  await world.ann.call('DELETE', `/files/${site.id}/delete`, { path: 'state' })
  await world.ann.mustRun(site.id)
}

test('a certificate that CAA forbids, and one that expired', async () => {
  await world.ann.call('DELETE', `/domains/${domain.id}/ssl`)
  world.front.caaIdentities = ['authority.test']
  world.dns.set(domain.hostname, 'CAA', [{ flags: 0, tag: 'issue', value: 'other.test' }])
  expect((await world.provision(domain.id)).status).toBe('ERROR')
  expect((await explained()).cause).toBe('TLS')
  world.dns.set(domain.hostname, 'CAA', [])
  expect((await world.provision(domain.id)).status).toBe('ACTIVE')
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
