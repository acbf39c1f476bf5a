import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { CommandError, program, type SignedInCall, UsageError } from '../context.ts'
import { clients, type ConnectOptions } from '../database-client.ts'
import { runProgram } from '../local-program.ts'
import { allPages, projectNames, projectOf } from '../projects.ts'
import { table } from '../table.ts'

const address = [
  ['--host <host>', 'connect here instead, for example the near end of an SSH tunnel'],
  ['--port <port>', 'port of --host']
] as const

async function list({ client, print, next }: SignedInCall): Promise<void> {
  const all = await allDatabases({ client })
  const nameOf = await projectNames(client)
  const rows = all.map(({ name, type, username, projectId, sizeBytes }) => [
    ...[name, type, username, nameOf(projectId), sizeBytes === null ? null : `${(sizeBytes / 1e6).toFixed(1)} MB`]
  ])
  print(all, table(['NAME', 'TYPE', 'USER', 'PROJECT', 'SIZE'], rows))
  next(all.length === 0 ? 'db create <name>' : 'db shell <name>')
}

export const databases: Command = { name: 'databases', about: 'list your databases', example: 'databases', run: list }
export const listDatabases: Command = { name: 'db list', about: 'list your databases', example: 'db list', run: list }

export const createDatabase: Command = {
  name: 'db create',
  about: 'create a database and give its address to the project as variables',
  args: '[project] <name>',
  options: [
    ['--type <type>', 'postgresql or mysql; default: postgresql'],
    ['--no-project', 'do not link it to a project']
  ],
  example: 'db create shop shop_data',
  async run(call) {
    const type = String(call.options.type ?? 'postgresql').toUpperCase()
    if (type !== 'POSTGRESQL' && type !== 'MYSQL') throw new UsageError('--type must be postgresql or mysql')
    const isAlone = call.options.project === false
    const link = isAlone ? {} : { projectId: (await projectOf(call)).id, autoInjectEnv: true }
    const body = { name: call.args[0]!, type, autoInjectEnv: false, ...link } as const
    const database = await unwrap(call.client.POST('/api/databases', { body }))
    const { password: _password, ...shown } = database
    call.print(shown, `Created ${database.name} (${database.type})\n`)
    call.next(`db url ${database.name}`)
  }
}

export const databaseUrl: Command = {
  name: 'db url',
  about: 'print the URL of a database, with its password',
  args: '<database>',
  options: [['--host-url', 'for programs on the server itself instead of project containers']],
  example: 'db url shop_data',
  async run(call) {
    const database = await withPassword(call)
    const url = call.options.hostUrl === true ? database.hostUri : database.internalUri
    call.print({ url }, `${url}\n`)
    call.next(`db shell ${database.name}`)
  }
}

export const databaseShell: Command = {
  name: 'db shell',
  about: 'open psql or mariadb of this machine on a database',
  args: '<database>',
  options: address,
  example: 'db shell shop_data',
  async run(call) {
    const database = await withPassword(call)
    const { file, args, env } = clients[database.type].connect(new URL(database.hostUri), addressOf(call))
    await runProgram(call, file, args, { env })
  }
}

export const dumpDatabase: Command = {
  name: 'db dump',
  about: 'write an SQL dump of a database to standard output or a new file',
  args: '<database>',
  options: [['--file <file>', 'a new file that only you can read'], ...address],
  example: 'db dump shop_data --file shop.sql',
  async run(call) {
    const database = await withPassword(call)
    const { file, args, env } = clients[database.type].dump(new URL(database.hostUri), addressOf(call))
    const path = call.options.file
    if (typeof path !== 'string') return runProgram(call, file, args, { env })
    const handle = await open(resolve(call.cwd, path), 'wx', 0o600)
    await runProgram(call, file, args, { env, output: handle.createWriteStream() })
    call.print({ file: path }, `Wrote ${path}\n`)
    call.next(`db load ${database.name} --file ${path}`)
  }
}

export const loadDatabase: Command = {
  name: 'db load',
  about: 'run the SQL of a file or of standard input in a database; stops at the first error',
  args: '<database>',
  options: [['--file <file>', 'default: standard input'], ...address],
  example: 'db load shop_data --file shop.sql',
  async run(call) {
    const database = await withPassword(call)
    const { file, args, env } = clients[database.type].load(new URL(database.hostUri), addressOf(call))
    const path = call.options.file
    const input = typeof path === 'string' ? { input: createReadStream(resolve(call.cwd, path)) } : {}
    await runProgram(call, file, args, { env, ...input })
    call.print({ loaded: database.name }, `Loaded into ${database.name}\n`)
    call.next(`db shell ${database.name}`)
  }
}

const allDatabases = ({ client }: Pick<SignedInCall, 'client'>, search?: string): Promise<Schema<'ListedDatabase'>[]> =>
  allPages(async (page) => {
    const query = { page, limit: 100, ...(search === undefined ? {} : { search: search.slice(0, 100) }) }
    const found = await unwrap(client.GET('/api/databases', { params: { query } }))
    return { items: found.databases, totalPages: found.pagination.totalPages }
  })

async function withPassword(call: SignedInCall): Promise<Schema<'Database'>> {
  const wanted = call.args[0]!
  const found = (await allDatabases(call, wanted)).filter(({ name }) => name === wanted)
  if (found.length === 0) throw new CommandError(`Database "${wanted}" not found. Run ${program} db list`)
  if (found.length > 1) throw new CommandError(`Several databases are named "${wanted}". Use the dashboard`)
  return unwrap(call.client.GET('/api/databases/{id}', { params: { path: { id: found[0]!.id } } }))
}

function addressOf({ options: { host, port } }: SignedInCall): ConnectOptions {
  if (port !== undefined && !/^\d{1,5}$/.test(String(port))) throw new UsageError('--port must be a number')
  return {
    ...(typeof host === 'string' ? { host } : {}),
    ...(typeof port === 'string' ? { port } : {})
  }
}
