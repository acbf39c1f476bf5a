import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { CommandError, type SignedInCall, step, UsageError } from '../context.ts'
import { allPages } from '../projects.ts'
import { withRetries } from '../with-retries.ts'
import { drainText, findMachine } from './machines.ts'

const pollEveryMs = 2_000

export const drainMachine: Command = {
  name: 'machines drain',
  about: 'pause a machine and move what can run on other ones, and wait until nothing is left to move',
  args: '<name>',
  options: [['--yes', 'drain; without it, only say what would move']],
  example: 'machines drain m2 --yes',
  async run(call) {
    const { client, args, options, print, next } = call
    const { id, name } = await findMachine(client, args[0]!)
    const params = { path: { id } }
    const before = await unwrap(client.GET('/api/machines/{id}', { params }))
    if (options.yes !== true)
      throw new UsageError(`${drainText(before.drain)}. To drain ${name}, repeat the command with --yes`)
    step(call, `${drainText(before.drain)}. Ctrl-C does not stop the drain`)
    const drained = await waitUntilEmpty(call, await unwrap(client.POST('/api/machines/{id}/drain', { params })))
    print(drained, `${name} has no project left to move. ${drained.drain.staying} stay\n`)
    next(`machines set ${name} --resume`)
  }
}

async function waitUntilEmpty(
  call: SignedInCall,
  started: Schema<'MachineDetails'>
): Promise<Schema<'MachineDetails'>> {
  const { client, signal } = call
  const params = { path: { id: started.machine.id } }
  let shown: number | undefined
  for (let found = started; ;) {
    const { machine, drain } = found
    if (!machine.isDraining) throw new CommandError(`The drain of ${machine.name} was ended: it takes projects again`)
    if (drain.moving === 0) return found
    if (drain.moving !== shown) step(call, `${drain.moving} to move`)
    shown = drain.moving
    await sleep(pollEveryMs, undefined, { signal })
    found = await withRetries(signal, () => unwrap(client.GET('/api/machines/{id}', { params })))
  }
}

const stepTexts: Readonly<Record<Schema<'MachineUpgrade'>['step'], string>> = {
  MOVING: 'projects move to other machines',
  INSTALLING: 'packages are upgraded',
  CHECKING: 'the machine is checked',
  RETURNING: 'projects come back',
  DONE: 'done'
}

export const upgradeMachines: Command = {
  name: 'machines upgrade',
  about: 'upgrade added machines one after the other: drain, upgrade packages and the panel there, check, resume',
  args: '[name…]',
  options: [['--yes', 'upgrade; without it, only say what would move']],
  example: 'machines upgrade m2 m3 --yes',
  async run(call) {
    const { client, args, options, print } = call
    const { machines } = await unwrap(client.GET('/api/machines'))
    const added = machines.filter(({ isOwn }) => !isOwn)
    const chosen = args.length === 0 ? added : await Promise.all(args.map((name) => findMachine(client, name)))
    if (chosen.length === 0) throw new CommandError('There is no added machine. `panel upgrade` upgrades the panel')
    if (options.yes !== true) {
      const plans = chosen.map(async ({ id, name }) => {
        const { drain } = await unwrap(client.GET('/api/machines/{id}', { params: { path: { id } } }))
        return `${name}: ${drainText(drain)}`
      })
      throw new UsageError(`${(await Promise.all(plans)).join('; ')}. Those that stay may not answer while the container engine restarts. To upgrade, repeat the command with --yes`) // oxfmt-ignore
    }
    const done = []
    for (const { id, name } of chosen) {
      step(call, `Upgrading ${name}. Ctrl-C does not stop the upgrade`)
      const params = { path: { id } }
      done.push(await waitUntilUpgraded(call, await unwrap(client.POST('/api/machines/{id}/upgrade', { params }))))
    }
    print(done, done.map(({ machine: { name } }) => `${name} is upgraded\n`).join(''))
  }
}

async function waitUntilUpgraded(
  call: SignedInCall,
  started: Schema<'MachineDetails'>
): Promise<Schema<'MachineDetails'>> {
  const { client, signal } = call
  const params = { path: { id: started.machine.id } }
  let shown: string | undefined
  for (let found = started; ;) {
    const { name, upgrade } = found.machine
    if (!upgrade) throw new CommandError(`The upgrade of ${name} was ended: it takes projects again`)
    if (upgrade.step === 'DONE') return found
    if (upgrade.failure) throw new CommandError(`${name} stays drained. ${upgrade.failure.message}`)
    if (upgrade.step !== shown) step(call, `${name}: ${stepTexts[upgrade.step]}`)
    shown = upgrade.step
    await sleep(pollEveryMs, undefined, { signal })
    found = await withRetries(signal, () => unwrap(client.GET('/api/machines/{id}', { params })))
  }
}

export const moveSite: Command = {
  name: 'machines move',
  about: 'move a project to another machine; the previous containers serve until the new ones respond',
  args: '<project> <machine>',
  example: 'machines move shop m2',
  async run({ client, args, print, next }) {
    const machine = await findMachine(client, args[1]!)
    const { projectId, name } = await findSite(client, args[0]!)
    const params = { path: { id: machine.id } }
    const moved = await unwrap(client.POST('/api/machines/{id}/sites', { params, body: { projectId } }))
    print(moved, `${name} is being deployed on ${machine.name}\n`)
    next(`machines show ${machine.name}`)
  }
}

/** By id, or by name if only one account has a project of that name. */
async function findSite(client: Client, wanted: string): Promise<Schema<'MachineSite'>> {
  const { machines } = await unwrap(client.GET('/api/machines'))
  const sites = await Promise.all(machines.map(({ id }) => sitesOf(client, id)))
  const found = sites.flat().filter(({ projectId, name }) => projectId === wanted || name === wanted)
  const [only] = found
  if (!only) throw new CommandError(`No project on these machines is called ${wanted}`)
  if (found.length === 1) return only
  const each = found.map(({ projectId, owner }) => `${projectId} (${owner})`).join(', ')
  throw new CommandError(`Several accounts have a project called ${wanted}. Use its id: ${each}`)
}

const sitesOf = (client: Client, id: string): Promise<Schema<'MachineSite'>[]> =>
  allPages(async (page) => {
    const params = { path: { id }, query: { page, limit: 200 } }
    const { sites, pagination } = await unwrap(client.GET('/api/machines/{id}', { params }))
    return { items: sites, totalPages: pagination.totalPages }
  })
