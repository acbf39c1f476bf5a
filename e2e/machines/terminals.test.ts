import type { Run, RunOutput } from '@panel/contract/runs'
import { beforeAll, expect, test } from 'vitest'
import { panelWithMachines } from '../support/machines.ts'
import { type Client, type RunningPanel, type Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { nodeSite } from '../support/sites.ts'
import type { SshMachine } from '../support/ssh-machine.ts'
import { hasStarted, isGone, isRunning, openTerminal, sleeper } from '../support/terminal.ts'

// What runs in the container of a site on a machine that is not the panel's own.

const world = panelWithMachines({ CONTAINER_DISK_SECONDS: '2' })
let machine: SshMachine
let panel: RunningPanel
let admin: Client
let site: Site

beforeAll(async () => {
  ;({ admin, panel } = world)
  machine = world.machines[0]!
  await world.add(machine, 'm2', ['far'])
  site = await admin.createSite(world.git, nodeSite('there'), { keepsFiles: false, machineLabels: ['far'] })
  await admin.mustRun(site.id)
  expect(await world.containers(site.id, machine)).toHaveLength(1)
})

const open = () => openTerminal(panel, admin, site.id)
const openRows = async () => (await panel.query('select id from terminals where ended_at is null')).length

test('a terminal has commands, a size and an exit status', async () => {
  const { session, ended, type, sees } = await open()
  await type('while [ "$(stty size)" = "0 0" ]; do sleep 0.1; done; stty size; id -u\n')
  await sees(/\b30 100\r\n\d{5,}\r\n/)
  session.resize(132, 40)
  await type('while [ "$(stty size)" != "40 132" ]; do sleep 0.1; done; echo resized""!\n')
  await sees(/resized!/)
  await type('exit 3\n')
  expect(await ended).toEqual({ reason: 'EXITED', exitCode: 3 })
})

test('its processes end when it is closed, also those that ignore SIGHUP', async () => {
  const { session, type } = await open()
  const [front, background] = [sleeper(), sleeper()]
  await type(`(trap '' HUP; exec ${background}) &\n${front}\n`)
  for (const line of [front, background]) await hasStarted(line)
  session.close()
  for (const line of [front, background]) await isGone(line)
})

test('a cut connection ends it, and its processes end when the machine is back', async () => {
  const { ended, type } = await open()
  const line = sleeper()
  await type(`${line}\n`)
  await hasStarted(line)
  await machine.cutOff()
  expect(await ended).toMatchObject({ reason: 'CONTAINER_STOPPED' })
  expect(await isRunning(line)).toBe(true)
  await machine.reconnect()
  await isGone(line)
  await until(openRows, (open) => open === 0)
})

test('its processes end after kill -9 of the panel', async () => {
  const { type } = await until(
    () => open().catch(() => undefined),
    (opened) => opened !== undefined
  ).then((opened) => opened!)
  const line = sleeper()
  await type(`${line}\n`)
  await hasStarted(line)
  await panel.kill()
  expect(await isRunning(line)).toBe(true)
  await panel.start()
  await isGone(line)
})

test('a one-off command runs there and reports its output', async () => {
  const command = 'echo "as $(id -u)"; exit 3'
  const { id } = await admin.call<Run>('POST', `/projects/${site.id}/runs`, { command })
  const read = () => admin.call<Run>('GET', `/projects/${site.id}/runs/${id}`)
  expect(await until(read, ({ endedAt }) => endedAt !== null)).toMatchObject({ status: 'FAILED', exitCode: 3 })
  expect((await admin.call<RunOutput>('GET', `/projects/${site.id}/runs/${id}/output`)).text).toMatch(/^as \d{5,}\n$/)
})

test('files that it writes into its container are counted', async () => {
  const read = () =>
    panel.query<{ files: string | null }>('select files from container_disk where project_id = $1', [site.id])
  await until(read, ([found]) => found !== undefined && found.files !== null)
})
