import { setTimeout as sleep } from 'node:timers/promises'
import { type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { CommandError, type SignedInCall, step, UsageError } from '../context.ts'
import { findProject, projectOf } from '../projects.ts'
import { printableLog, table } from '../table.ts'

const pollEveryMs = 1_000
type Task = Schema<'WordpressTask'>

export const wordpressStatus: Command = {
  name: 'wordpress status',
  about: 'show versions, available updates and events',
  args: '[project]',
  example: 'wordpress status shop',
  async run(call) {
    const { id, name } = await projectOf(call)
    const state = await unwrap(call.client.GET('/api/projects/{id}/wordpress', { params: { path: { id } } }))
    const { site, unavailable, error, cron, updatePolicy, maintenance, debugLog } = state
    const rows = (site?.components ?? []).map((each) => [
      ...[
        each.kind.toLowerCase(),
        each.id,
        each.name,
        each.version,
        each.newVersion ?? '-',
        each.isActive ? 'yes' : 'no'
      ]
    ])
    const facts = [
      site
        ? `PHP ${site.phpVersion}`
        : `WordPress cannot be asked: ${unavailable}${error === null ? '' : ` (${error})`}`,
      `Automatic updates: ${updatePolicy.toLowerCase()}`,
      `Maintenance mode: ${maintenance ? 'on' : 'off'}, debug log: ${debugLog ? 'on' : 'off'}`,
      cron.lateSince === null ? `Next event: ${cron.nextEventAt ?? '-'}` : `Events are late since ${cron.lateSince}`
    ]
    const list = site ? table(['KIND', 'ID', 'NAME', 'VERSION', 'UPDATE', 'ACTIVE'], rows) : ''
    call.print(state, printableLog(`${list}${facts.join('\n')}\n`))
    if (site?.components.some(({ newVersion }) => newVersion !== null)) call.next(`wordpress update ${name}`)
  }
}

export const updateWordpress: Command = {
  name: 'wordpress update',
  about: 'update everything, or the components with these ids; rolls back if the site breaks',
  args: '[project] [component…]',
  example: 'wordpress update shop akismet/akismet.php',
  async run(call) {
    const { client, args } = call
    const { id, name } = await projectOf(call)
    const state = await unwrap(client.GET('/api/projects/{id}/wordpress', { params: { path: { id } } }))
    const components = args.map((wanted) => {
      const found = state.site?.components.find((each) => each.id === wanted)
      if (!found) throw new UsageError(`The site has no component ${wanted}. See "wordpress status".`)
      return { kind: found.kind, id: found.id }
    })
    if (components.length === 0 && state.site?.components.every(({ newVersion }) => newVersion === null))
      return step(call, 'Everything is up to date')
    const body = components.length === 0 ? {} : { components }
    const task = await unwrap(client.POST('/api/projects/{id}/wordpress/updates', { params: { path: { id } }, body }))
    const ended = await follow(call, task)
    const lines = ended.items.map((item) => `Updated ${printableLog(item.name)} from ${item.from} to ${item.to}\n`)
    printChange(call, name, ended, lines.join(''))
  }
}

export const replaceText: Command = {
  name: 'wordpress replace',
  about: 'count a text in the database, also inside serialized values; with --write, replace it',
  args: '[project] <search> <replace>',
  options: [['--write', 'change the database, after it was saved']],
  example: 'wordpress replace shop http://shop.example.com https://shop.example.com --write',
  async run(call) {
    const { client, args, options } = call
    const { id } = await projectOf(call)
    const body = { search: args[0]!, replace: args[1]!, dryRun: options.write !== true }
    const task = await unwrap(
      client.POST('/api/projects/{id}/wordpress/replacements', { params: { path: { id } }, body })
    )
    const ended = await follow(call, task)
    const { changed, skipped } = ended
    const verb = body.dryRun ? 'would change' : 'changed'
    call.print(
      ended,
      `${changed ?? 0} ${changed === 1 ? 'value' : 'values'} ${verb}${skipped ? `, ${skipped} with the text stay as they are` : ''}\n`
    )
  }
}

export const wordpressLogin: Command = {
  name: 'wordpress login',
  about: 'print a link that signs in to wp-admin, once, within a minute',
  args: '[project]',
  options: [['--user <login>', 'default: the first administrator']],
  example: 'wordpress login shop',
  async run(call) {
    const { id } = await projectOf(call)
    const body = typeof call.options.user === 'string' ? { login: call.options.user } : {}
    const link = await unwrap(
      call.client.POST('/api/projects/{id}/wordpress/sign-in', { params: { path: { id } }, body })
    )
    call.print(link, `${link.url}\n`)
  }
}

export const wordpressPassword: Command = {
  name: 'wordpress password',
  about: 'reset the password of a WordPress user and print the new one',
  args: '[project] <login>',
  example: 'wordpress password shop anna',
  async run(call) {
    const { id } = await projectOf(call)
    const path = { id, login: call.args[0]! }
    const user = await unwrap(
      call.client.POST('/api/projects/{id}/wordpress/users/{login}/password', { params: { path } })
    )
    call.print(user, `${user.password}\n`)
  }
}

export const wordpressSet: Command = {
  name: 'wordpress set',
  about: 'change maintenance mode, debug log or automatic updates',
  args: '[project]',
  options: [
    ['--maintenance <on|off>', 'visitors get a maintenance page'],
    ['--debug-log <on|off>', 'log what PHP reports to wp-content/debug.log'],
    ['--updates <policy>', 'off, security (minor versions of WordPress) or all']
  ],
  example: 'wordpress set shop --updates security',
  async run(call) {
    const { id } = await projectOf(call)
    const { maintenance, debugLog, updates } = call.options
    const body = {
      ...(maintenance === undefined ? {} : { maintenance: isOn(maintenance) }),
      ...(debugLog === undefined ? {} : { debugLog: isOn(debugLog) }),
      ...(updates === undefined ? {} : { updatePolicy: policyIn(updates) })
    }
    if (Object.keys(body).length === 0) throw new UsageError('Name at least one setting')
    const now = await unwrap(
      call.client.PUT('/api/projects/{id}/wordpress/settings', { params: { path: { id } }, body })
    )
    const word = (value: boolean) => (value ? 'on' : 'off')
    call.print(now, `Maintenance mode: ${word(now.maintenance)}\nDebug log: ${word(now.debugLog)}\nAutomatic updates: ${now.updatePolicy.toLowerCase()}\n`) // oxfmt-ignore
  }
}

export const wordpressDebugLog: Command = {
  name: 'wordpress debug-log',
  about: 'print the end of wp-content/debug.log',
  args: '[project]',
  example: 'wordpress debug-log shop',
  async run(call) {
    const { id } = await projectOf(call)
    const log = await unwrap(call.client.GET('/api/projects/{id}/wordpress/debug-log', { params: { path: { id } } }))
    call.print(log, printableLog(log.text))
    if (log.size === 0) step(call, 'The log is empty')
  }
}

export const verifyWordpress: Command = {
  name: 'wordpress verify',
  about: 'compare the files of the core with the originals; fails if they differ',
  args: '[project]',
  example: 'wordpress verify shop',
  async run(call) {
    const { id } = await projectOf(call)
    const found = await unwrap(
      call.client.GET('/api/projects/{id}/wordpress/core-changes', { params: { path: { id } } })
    )
    const rows = (['changed', 'missing', 'extra'] as const).flatMap((kind) => found[kind].map((path) => [kind, path]))
    call.print(found, rows.length === 0 ? `WordPress ${found.version}: no differences\n` : table(['STATE', 'FILE'], rows)) // oxfmt-ignore
    if (found.total > 0) throw new CommandError(`${found.total} files differ from WordPress ${found.version}`)
  }
}

export const makeStaging: Command = {
  name: 'wordpress staging',
  about: 'make a staging copy, or show the user and password of one',
  args: '[project]',
  options: [['--name <name>', 'of the new project; default: <project>-staging']],
  example: 'wordpress staging shop',
  async run(call) {
    const { client, options } = call
    const { id } = await projectOf(call)
    const known = await unwrap(client.GET('/api/projects/{id}/wordpress/staging', { params: { path: { id } } }))
    const [found] = known.copies
    if (known.stagingOf || found) return showStaging(call, known.stagingOf ? id : found!.id)
    const body = typeof options.name === 'string' ? { name: options.name } : {}
    const task = await unwrap(client.POST('/api/projects/{id}/wordpress/staging', { params: { path: { id } }, body }))
    await follow(call, task)
    await showStaging(call, task.projectId)
  }
}

async function showStaging(call: SignedInCall, id: string): Promise<void> {
  const path = { id }
  const [project, staging] = await Promise.all([
    unwrap(call.client.GET('/api/projects/{id}', { params: { path } })),
    unwrap(call.client.GET('/api/projects/{id}/wordpress/staging', { params: { path } }))
  ])
  const { username = '', password = '' } = staging.access ?? {}
  call.print({ id, name: project.name, ...staging }, `${project.name}\nUser: ${username}\nPassword: ${password}\n`)
  if (staging.stagingOf) call.next(`wordpress copy ${staging.stagingOf.name} ${project.name}`)
}

export const copyWordpress: Command = {
  name: 'wordpress copy',
  about: 'replace files and database of a site by those of another, such as its staging copy',
  args: '[project] <from>',
  options: [
    ['--only-files', 'not the database'],
    ['--only-database', 'not the files']
  ],
  example: 'wordpress copy shop shop-staging',
  async run(call) {
    const { client, args, options } = call
    const { id, name } = await projectOf(call)
    const from = await findProject(client, args[0]!)
    const body = { fromProjectId: from.id, files: options.onlyDatabase !== true, database: options.onlyFiles !== true }
    const task = await unwrap(client.POST('/api/projects/{id}/wordpress/copies', { params: { path: { id } }, body }))
    printChange(call, name, await follow(call, task), `Copied from ${from.name}\n`)
  }
}

export const undoWordpress: Command = {
  name: 'wordpress undo',
  about: 'put back what the last copy or update replaced, within a week',
  args: '[project]',
  example: 'wordpress undo shop',
  async run(call) {
    const { client } = call
    const { id } = await projectOf(call)
    const { tasks } = await unwrap(client.GET('/api/projects/{id}/wordpress/tasks', { params: { path: { id } } }))
    const undone = tasks.find(({ undoUntil }) => undoUntil !== null)
    if (!undone) throw new CommandError('There is no change that can be undone.')
    const path = { id, taskId: undone.id }
    const task = await unwrap(client.POST('/api/projects/{id}/wordpress/tasks/{taskId}/undo', { params: { path } }))
    call.print(await follow(call, task), `Undone: the ${undone.kind.toLowerCase()} of ${undone.updatedAt}\n`)
  }
}

function printChange(call: SignedInCall, name: string, task: Task, text: string): void {
  call.print(task, `${text}${task.undoUntil === null ? '' : `It can be undone until ${task.undoUntil}\n`}`)
  if (task.undoUntil !== null) call.next(`wordpress undo ${name}`)
}

async function follow(call: SignedInCall, started: Task): Promise<Task> {
  let task = started
  for (let shown = ''; task.status === 'RUNNING'; await sleep(pollEveryMs, undefined, { signal: call.signal })) {
    const path = { id: task.projectId, taskId: task.id }
    task = await unwrap(call.client.GET('/api/projects/{id}/wordpress/tasks/{taskId}', { params: { path } }))
    const progress = `${task.step.toLowerCase()}${task.items.length > 0 ? ` (${task.done} of ${task.items.length})` : ''}`
    if (progress !== shown) step(call, progress)
    shown = progress
  }
  if (task.status === 'SUCCEEDED') return task
  const outcome = task.status === 'ROLLED_BACK' ? 'Rolled back.' : 'Nothing was changed.'
  throw new CommandError(`${printableLog(task.problem ?? 'Failed')} ${outcome}`)
}

function isOn(text: string | boolean): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new UsageError('Say on or off')
}

function policyIn(text: string | boolean): 'OFF' | 'SECURITY' | 'ALL' {
  const found = (['OFF', 'SECURITY', 'ALL'] as const).find((policy) => policy.toLowerCase() === text)
  if (found) return found
  throw new UsageError('The policy is off, security or all')
}
