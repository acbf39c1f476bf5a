import { type Client, type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { CommandError, UsageError } from '../context.ts'
import { facts, table } from '../table.ts'

const gibibyte = 2 ** 30
const shares = (used: number, total: number | undefined) =>
  total === undefined ? null : `${(used / gibibyte).toFixed(1)} of ${(total / gibibyte).toFixed(1)} GiB`

/** For machines that are added or changed. */
export const encryptionOptions: readonly (readonly [flags: string, about: string])[] = [
  ['--encrypted', 'encrypt the traffic between the panel and containers there (WireGuard)'],
  ['--unencrypted', 'do not; for machines in a private network']
]

/** Nothing without either option. */
export function encryptionOf(options: Readonly<Record<string, unknown>>): { isEncrypted?: boolean } {
  if (options.encrypted === true && options.unencrypted === true)
    throw new UsageError('Use only one of --encrypted and --unencrypted')
  if (options.encrypted === true) return { isEncrypted: true }
  return options.unencrypted === true ? { isEncrypted: false } : {}
}

export async function findMachine(client: Client, name: string) {
  const { machines } = await unwrap(client.GET('/api/machines'))
  const found = machines.find((machine) => machine.name === name || machine.id === name)
  if (!found) throw new CommandError(`No machine is called ${name}`)
  return found
}
type Machine = Awaited<ReturnType<typeof findMachine>>

const encryptedText = ({ isOwn, isEncrypted }: Machine): string | null => (isOwn ? null : isEncrypted ? 'yes' : 'no')

const problemsOf = ({ problems }: Machine): string => problems.map(({ message }) => `! ${message}\n`).join('')

/** What a drain would do, or still does. */
export const drainText = ({ moving, staying, seconds }: Schema<'MachineDrain'>): string =>
  `${moving} to move${moving === 0 ? '' : `, about ${seconds} s`}; ${staying} stay`

export const listMachines: Command = {
  name: 'machines list',
  about: 'list the machines of the installation and their free capacity (administrators)',
  example: 'machines list',
  async run({ client, print, next }) {
    const { machines } = await unwrap(client.GET('/api/machines'))
    const rows = machines.map(({ name, status, memory, disk, promised, projects, problems }) => [
      ...[name, status, shares(memory?.usedBytes ?? 0, memory?.totalBytes)],
      ...[shares(promised.memoryBytes, memory?.totalBytes), shares(disk?.usedBytes ?? 0, disk?.totalBytes)],
      ...[projects, problems.length]
    ])
    print(
      machines,
      table(['NAME', 'STATUS', 'MEMORY USED', 'MEMORY PROMISED', 'DISK USED', 'PROJECTS', 'PROBLEMS'], rows)
    )
    next('machines show <name>')
  }
}

export const showMachine: Command = {
  name: 'machines show',
  about: 'show a machine, what is wrong with it, and its sites with the reason why they are there',
  args: '<name>',
  example: 'machines show local',
  async run({ client, args, print }) {
    const { id } = await findMachine(client, args[0]!)
    const found = await unwrap(client.GET('/api/machines/{id}', { params: { path: { id }, query: { limit: 200 } } }))
    const { machine, sites, drain, pagination } = found
    const { memory, disk, promised } = machine
    const text = facts({
      name: machine.name,
      status: machine.isDraining ? `${machine.status}, draining` : machine.status,
      drain: drainText(drain),
      roles: machine.roles.join(', ') || null,
      labels: machine.labels.join(', ') || null,
      address: machine.address,
      encrypted: encryptedText(machine),
      'public IP': machine.publicIp,
      system: machine.system,
      engine: machine.engineVersion,
      panel: machine.panelVersion,
      'clock skew': machine.clockSkewMs === null ? null : `${machine.clockSkewMs} ms`,
      processors: `${machine.processors ?? '-'}, ${promised.cpus} promised`,
      'memory used': shares(memory?.usedBytes ?? 0, memory?.totalBytes),
      'memory promised': shares(promised.memoryBytes, memory?.totalBytes),
      'disk used': shares(disk?.usedBytes ?? 0, disk?.totalBytes),
      'last check': machine.seenAt
    })
    const rows = sites.map(({ name, owner, instances, placement }) => [name, owner, instances, placement.message])
    const rest = pagination.total > sites.length ? `${pagination.total - sites.length} more\n` : ''
    const listed = rows.length === 0 ? '' : `\n${table(['SITE', 'ACCOUNT', 'CONTAINERS', 'WHY HERE'], rows)}${rest}`
    print(found, `${text}${problemsOf(machine)}${listed}`)
  }
}

export const machineKey: Command = {
  name: 'machines key',
  about: 'print the command that lets the panel sign in to a new machine; run it there as root',
  example: 'machines key',
  async run({ client, print, next }) {
    const key = await unwrap(client.GET('/api/machine-key'))
    print(key, `${key.command}\n`)
    next('machines add <name> <address> <key that the command printed>')
  }
}

export const addMachine: Command = {
  name: 'machines add',
  about: 'add a machine that the panel reaches over SSH, for projects that keep no files',
  args: '<name> <address> <host-key…>',
  options: [['--port <port>', 'of its SSH server; default: 22'], ...encryptionOptions],
  example: 'machines add m2 10.0.0.2 ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kV2d1lMBUuVkzVzNqQbI2oXrZ0xYr0W5W0m1d2Qx3',
  async run({ client, args, options, print, next }) {
    const [name, host, ...hostKey] = args as [string, string, ...string[]]
    const body = { name, host, hostKey: hostKey.join(' '), port: Number(options.port ?? 22), ...encryptionOf(options) }
    const machine = await unwrap(client.POST('/api/machines', { body }))
    print(machine, `Added ${machine.name} (${machine.status})\n${problemsOf(machine)}`)
    next(`machines show ${machine.name}`)
  }
}

export const setMachine: Command = {
  name: 'machines set',
  about: 'set the labels of a machine, pause it for new projects, let visitors use it, or encrypt its traffic',
  args: '<name>',
  options: [
    ['--labels <labels>', 'replaces all, separated by commas, such as region=eu,ssd'],
    ['--pause', 'no new projects; what runs there continues'],
    ['--resume', 'new projects again; also ends a drain'],
    ['--edge', 'visitors can use it: a proxy there answers for every domain'],
    ['--no-edge', 'visitors can no longer use it'],
    ['--public-ip <address>', 'for visitors, in DNS records of the panel; "none" removes it'],
    ...encryptionOptions
  ],
  example: 'machines set local --labels region=eu,ssd',
  async run({ client, args, options, print }) {
    const { id } = await findMachine(client, args[0]!)
    const body = {
      ...(typeof options.labels === 'string' && { labels: options.labels.split(',').filter((label) => label !== '') }),
      ...((options.pause === true || options.resume === true) && { isPaused: options.pause === true }),
      ...(typeof options.edge === 'boolean' && { isEdge: options.edge }),
      ...(options.publicIp !== undefined && {
        publicIp: options.publicIp === 'none' ? null : String(options.publicIp)
      }),
      ...encryptionOf(options)
    }
    const machine = await unwrap(client.PATCH('/api/machines/{id}', { params: { path: { id } }, body }))
    const { name, status, labels, roles, publicIp } = machine
    const encrypted = encryptedText(machine)
    print(
      machine,
      facts({
        name,
        status,
        labels: labels.join(', ') || null,
        roles: roles.join(', '),
        'public IP': publicIp,
        encrypted
      }) + problemsOf(machine)
    )
  }
}

export const removeMachine: Command = {
  name: 'machines remove',
  about: 'remove an added machine without projects',
  args: '<name>',
  options: [['--lost', 'it does not respond any more: also forget the containers that it had']],
  example: 'machines remove m2',
  async run({ client, args, options, print }) {
    const { id, name } = await findMachine(client, args[0]!)
    const isLost = options.lost === true
    const query = isLost ? { lost: 'true' } : {}
    const removed = await unwrap(client.DELETE('/api/machines/{id}', { params: { path: { id }, query } }))
    const rest = isLost
      ? 'Shut it down, or remove the panel’s key from /root/.ssh/authorized_keys there, so that sites do not run twice'
      : 'Remove the panel’s key from /root/.ssh/authorized_keys there'
    print(removed, `Removed ${name}. ${rest}\n`)
  }
}
