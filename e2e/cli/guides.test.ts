import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Schema } from '@panel/client'
import { beforeAll, expect, test } from 'vitest'
import type { Client } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'

/**
 * The commands of the guides in docs, as they are written there. Blocks marked `console` need another server or a person,
 * except for lines such as `$ panel ps shop`, whose output is shown below them.
 */
let world: World
let ann: Client
let environment: Record<string, string>
beforeAll(async () => {
  world = await sharedWorld()
  ann = await world.panel.signUp()
  const site = await ann.createSite(world.git, nodeSite('guide'))
  const { token } = await ann.call<{ token: string }>('POST', '/auth/tokens', {
    name: 'guides',
    scope: 'full',
    expiresInDays: 1,
    password: 'correct horse battery'
  })
  environment = {
    PATH: process.env.PATH!,
    PANEL_NODE: process.execPath,
    PANEL_URL: world.panel.url,
    program: fileURLToPath(new URL('../../panel', import.meta.url)),
    api: `${world.panel.url}/api`,
    PANEL_TOKEN: token,
    project: site.id,
    repository: world.git.url(site.repository)
  }
})

const commandsOf = (guide: string) =>
  [
    ...readFileSync(new URL(`../../docs/${guide}.md`, import.meta.url), 'utf8').matchAll(
      /^```sh\n([^]*?)^```|^\$ (panel .+\n)/gm
    )
  ]
    .map(([, commands, afterPrompt]) => commands ?? afterPrompt)
    .join('\n')

const execute = promisify(execFile)

/** Every command has to succeed; names are made unique, as all guides run on one panel. */
async function follow(guide: string, change: (commands: string) => string = (commands) => commands): Promise<string> {
  const prelude = `set -euo pipefail
panel() { "$program" cli "$@"; }
curl() { command curl --fail-with-body --silent --show-error --header "Authorization: Bearer $PANEL_TOKEN" "$@"; }`
  const { stdout } = await execute('bash', ['-c', `${prelude}\n${change(commandsOf(guide))}`], {
    env: environment,
    timeout: 300_000
  })
  return stdout
}

const unique = (commands: string) => commands.replace('\\"shop\\"', `\\"guide${randomBytes(4).toString('hex')}\\"`)

test('deploy from Git', async () => {
  // The name of the panel resolves nowhere here.
  const local = (commands: string) => unique(commands).replace('"$hook"', '"$api/${hook#*/api/}"')
  expect(await follow('deploy-from-git', local)).toContain('RUNNING\n')
})

test('domains, name servers and email', async () => {
  const { hostname } = await world.addManaged(undefined, ann)
  const output = await follow(
    'domains-and-https',
    (commands) => `${commands.replaceAll('shop.example.com', `shop.${hostname}`)}\necho "$domain"`
  )
  const [verified, ordered, domain] = output.trim().split('\n')
  expect([verified, ordered]).toEqual(['ACTIVE', expect.stringMatching(/^(PENDING|ACTIVE)$/)])
  environment.domain = domain!
  await follow('name-servers')
  await follow('email')
})

test('databases, files and monitoring', async () => {
  await follow('databases', unique)
  expect(await follow('files-and-sftp')).toContain('hello.txt')
  expect(await follow('monitoring-and-alerts')).toMatch(/^\d+\nok\n$/)
})

test('workers, commands, size, instances, volumes and sleep', async () => {
  const site = await ann.createSite(world.git, {
    ...nodeSite('guide'),
    'package.json': JSON.stringify({ type: 'module', scripts: { start: 'node server.js', migrate: 'echo migrated' } }),
    'worker.js': `console.log('working'); setInterval(() => {}, 1000)`,
    Procfile: 'worker: node worker.js\n'
  })
  await ann.mustRun(site.id)
  const named = (commands: string) => commands.replaceAll(/\bshop\b/g, site.name)
  expect(await follow('processes', named)).toMatch(/^worker +\w+ +3 /m)
  const output = await follow('jobs-and-commands', named)
  expect(output).toMatch(/^report runs next at /m)
  expect(output).toContain('migrated')
  await follow('size-and-instances', named)
  const inFolder = (commands: string) => `cd "$(mktemp -d)"; echo '<svg/>' > logo.svg\n${named(commands)}`
  expect(await follow('volumes', inFolder)).toContain('logo.svg')
  // A site with a deployment in progress does not sleep.
  await until(
    () => ann.call<Schema<'DeploymentList'>>('GET', `/projects/${site.id}/deployments?logs=false`),
    ({ deployments }) => deployments.every(({ status }) => !['QUEUED', 'BUILDING', 'DEPLOYING'].includes(status))
  )
  await follow('sleep', named)
})
