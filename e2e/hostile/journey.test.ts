import { randomBytes } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import type { ProjectType } from '@panel/contract/projects'
import { beforeAll, expect, test } from 'vitest'
import { docker, runningContainers } from '../support/engine.ts'
import type { Files } from '../support/git-repositories.ts'
import type { Client, RunningPanel, Site } from '../support/panel.ts'
import { probingSite } from '../support/probe.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'

/** Tenant isolation that needs real programs; the other files of this folder cover the API. */
const secret = randomBytes(20).toString('hex')
let world: World
let panel: RunningPanel
let victim: Client
let attacker: Client
let victimSite: Site
let probe: Site
beforeAll(async () => {
  world = await sharedWorld()
  panel = world.panel
  victim = await panel.signUp()
  attacker = await panel.signUp()
  victimSite = await victim.createSite(world.git, { ...nodeSite('of the victim'), 'secret.txt': secret })
  await victim.call('POST', `/projects/${victimSite.id}/env`, { key: 'API_KEY', value: secret })
  probe = await attacker.createSite(world.git, probingSite())
  const built = await Promise.all([victim.build(victimSite.id), attacker.build(probe.id)])
  for (const { status, buildLogs } of built) expect(status, buildLogs ?? '').toBe('RUNNING')
})

const apiPort = () => Number(new URL(panel.url).port)

async function buildOf(type: ProjectType, files: Files) {
  const site = await attacker.createSite(world.git, files, { type })
  const { status, buildLogs } = await attacker.build(site.id)
  const page = status === 'RUNNING' ? (await panel.visit(site.hostname)).body : ''
  await attacker.call('DELETE', `/projects/${site.id}`)
  return { status, log: buildLogs ?? '', page }
}

const reach = async (host: string, port: number) => (await panel.visit(probe.hostname, `/connect/${host}/${port}`)).body

test('a build cannot access another project’s image', async () => {
  const [container] = await runningContainers(`panel.project=${victimSite.id}`)
  const [{ Image: id, Config: { Image: name } }] = JSON.parse(await docker('inspect', container!)) as [{ Image: string; Config: { Image: string } }] // oxfmt-ignore
  const short = id.replace('sha256:', '').slice(0, 12)
  const take = `RUN find / -name secret.txt -exec cat {} + 2>/dev/null; true`
  const dockerfiles = [
    `FROM ${name}\n${take}\nCMD ["sleep", "9"]`,
    `FROM ${short}\n${take}\nCMD ["sleep", "9"]`,
    `FROM ${id}\n${take}\nCMD ["sleep", "9"]`,
    `ARG A=${name}\nFROM $A\n${take}\nCMD ["sleep", "9"]`,
    `FROM node:24-trixie-slim\nCOPY --from=${name} / /stolen\n${take}\nCMD ["sleep", "9"]`,
    `# escape=\`\nFROM node:24-trixie-slim AS a\nCOPY --from=\`\n${short} / /stolen\n${take}\nCMD ["sleep", "9"]`,
    `FROM node:24-trixie-slim\nRUN --mount=type=bind,from=${name},target=/stolen ls /stolen\n${take}\nCMD ["sleep", "9"]`
  ]
  for (const Dockerfile of dockerfiles) {
    const { status, log, page } = await buildOf('DOCKERFILE', { Dockerfile })
    expect({ Dockerfile, status }).toEqual({ Dockerfile, status: 'FAILED' })
    expect(log + page).not.toContain(secret)
  }
})

test('a site reaches neither the panel nor another site', async () => {
  const [container] = await runningContainers(`panel.project=${victimSite.id}`)
  const [{ NetworkSettings }] = JSON.parse(await docker('inspect', container!)) as [{ NetworkSettings: { Networks: Record<string, { IPAddress: string }> } }] // oxfmt-ignore
  const [{ IPAddress: victimAddress }] = Object.values(NetworkSettings.Networks) as [{ IPAddress: string }]
  const { internalPort } = await victim.call<{ internalPort: number }>('GET', `/projects/${victimSite.id}`)
  const machine = Object.values(networkInterfaces()).flat().filter((address) => address?.family === 'IPv4' && !address.internal).map((address) => address!.address) // oxfmt-ignore
  const targets: [string, number][] = [
    [victimAddress, 3000],
    ['gateway', internalPort],
    ['169.254.169.254', 80],
    ...['gateway', ...machine].flatMap((host): [string, number][] => [
      [host, apiPort()],
      [host, panel.sftpPort]
    ])
  ]
  const answers = await Promise.all(targets.map(async ([host, port]) => [`${host}:${port}`, await reach(host, port)]))
  const reached = answers.filter(([, answer]) => !answer!.startsWith('blocked'))
  expect(reached).toEqual([])
  // Control: allowed connections succeed, so the probe works.
  expect(await reach('gateway', panel.proxyPort)).toBe('connected')
})

test('an account can neither see nor change another', async () => {
  for (const [method, path, body] of [
    ['GET', ''],
    ['PUT', '', { name: 'taken' }],
    ['DELETE', ''],
    ['GET', '/env'],
    ['POST', '/build'],
    ['GET', '/logs']
  ] as const) {
    const { status, body: answer } = await attacker.request(method, `/projects/${victimSite.id}${path}`, body)
    expect([method, path, [403, 404].includes(status)]).toEqual([method, path, true])
    expect(JSON.stringify(answer)).not.toContain(secret)
  }
  expect((await panel.visit(victimSite.hostname)).body).toBe('of the victim /')
})
