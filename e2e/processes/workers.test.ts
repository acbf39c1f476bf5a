import type { Overview } from '@panel/contract/overview'
import type { ProcessList, ProjectProcess } from '@panel/contract/processes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Files } from '../support/git-repositories.ts'
import { type Client, type Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'

/** Shows the files below /data. */
const web = `
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
createServer((request, response) => {
  try { response.end(readFileSync('/data' + request.url)) } catch { response.end('') }
}).listen(process.env.PORT, '0.0.0.0')
`

/** Holds a lock while it runs and gives it up slowly; finds another one that holds it. */
const worker = (word: string) => `
import { appendFileSync, unlinkSync, writeFileSync } from 'node:fs'
const me = process.env.PANEL_PROCESS
const lock = '/data/lock-' + me
try { writeFileSync(lock, '', { flag: 'wx' }) } catch { appendFileSync('/data/twice', me + '\\n') }
appendFileSync('/data/ran', me + ' ${word}\\n')
console.log('${word} works as ' + me)
process.on('SIGTERM', () => setTimeout(() => { unlinkSync(lock); process.exit(0) }, 1500))
setInterval(() => {}, 1000)
`

const application = (word: string, procfile: string): Files => ({
  'package.json': JSON.stringify({ name: 'application', private: true, type: 'module' }),
  'web.js': web,
  'worker.js': worker(word),
  Procfile: procfile
})
const procfile = (word: string) => `web: node web.js\nworker: node worker.js\nrelease: echo ${word} >> /data/released\n`

let world: World
let user: Client
let site: Site
beforeAll(async () => {
  world = await sharedWorld()
  user = await world.panel.signUp()
  site = await user.createSite(world.git, application('first', procfile('first')), { type: 'NODEJS' })
  await user.mustRun(site.id)
})

afterAll(() => removeProjects(user))

const path = (rest: string) => `/projects/${site.id}${rest}`
const file = async (name: string) => (await world.panel.visit(site.hostname, `/${name}`)).body
const show = async (name = 'worker'): Promise<ProjectProcess> =>
  (await user.call<ProcessList>('GET', path('/processes'))).processes.find((each) => each.name === name)!
const isSettled = ({ state, instances, running }: ProjectProcess) => state === 'RUNNING' && running.length === instances
const settled = () => until(show, isSettled)
const ids = ({ running }: ProjectProcess) => running.map(({ containerId }) => containerId)

test('the Procfile gives the project its web process, a worker and a release command', async () => {
  expect(await file('released')).toBe('first\n')
  expect(await settled()).toMatchObject({ command: 'node worker.js', source: 'PROCFILE', instances: 1 })
  expect(await show('web')).toMatchObject({ command: 'node web.js', source: 'PROCFILE', state: 'RUNNING' })
  await until(
    () => file('ran'),
    (text) => text === 'worker.1 first\n'
  )
  const { logs } = await user.call<{ logs: string }>('GET', path('/logs?process=worker'))
  expect(logs).toContain('first works as worker.1')
})

test('it is scaled without a build, and each instance reports its memory', async () => {
  await user.call('PATCH', path('/processes/worker'), { instances: 2, memoryMb: 96 })
  const { running, memoryMb } = await settled()
  expect(memoryMb).toBe(96)
  expect(running.map(({ instance }) => instance)).toEqual([1, 2])
  for (const { ramUsed } of running) expect(ramUsed).toBeGreaterThan(0)
})

test('no instance runs twice across a redeployment and kill -9 of the panel', async () => {
  const { git, panel } = world
  await git.commit(site.repository, application('second', procfile('second')), 'Second')
  const deployment = await user.mustRun(site.id)
  expect(deployment.buildLogs).toContain('worker: node worker.js (from the Procfile)')
  await settled()
  await until(
    () => file('ran'),
    (text) => text.includes('worker.1 second') && text.includes('worker.2 second')
  )
  const before = await show()
  await user.call('POST', path('/processes/worker/restart'))
  // While the old workers finish their work.
  await panel.kill()
  await panel.start()
  const after = await until(show, (each) => isSettled(each) && ids(each).every((id) => !ids(before).includes(id)))
  expect(after.running).toHaveLength(2)
  expect(await file('released')).toBe('first\nsecond\n')
  expect(await file('twice')).toBe('')
})

test('a release that fails keeps the release and its workers', async () => {
  const before = await settled()
  await world.git.commit(site.repository, application('third', 'web: node web.js\nrelease: exit 9\n'), 'Third')
  expect(await user.build(site.id)).toMatchObject({ status: 'FAILED', failure: { phase: 'RELEASE', exitCode: 9 } })
  expect(ids(await show())).toEqual(ids(before))
})

test('a worker that crash-loops is shown with its last lines, and the site runs', async () => {
  await user.call('POST', path('/processes'), { name: 'broken', command: 'echo no queue; exit 7' })
  const found = await until(
    () => show('broken'),
    ({ state }) => state === 'CRASH_LOOPING'
  )
  expect(found.lastLines).toContain('no queue')
  const { items } = await user.call<Overview>('GET', '/overview')
  expect(items).toContainEqual(expect.objectContaining({ code: 'WORKER_CRASH_LOOPING', detail: 'broken' }))
  await settled()
  expect(await show('web')).toMatchObject({ state: 'RUNNING' })
  expect(await file('released')).toBe('first\nsecond\n')
  await user.call('PATCH', path('/processes/broken'), { instances: 0 })
  await until(
    () => show('broken'),
    ({ state, running }) => state === 'STOPPED' && running.length === 0
  )
})

test('the workers stop and start with the project', async () => {
  await user.call('POST', path('/container/stop'))
  await until(show, ({ running }) => running.length === 0)
  await user.call('POST', path('/container/start'))
  await settled()
  expect(await file('twice')).toBe('')
})
