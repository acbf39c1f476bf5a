import { text } from 'node:stream/consumers'
import { unwrap } from '@panel/client'
import { type SignedInCall, step, UsageError } from '../context.ts'
import { findProject } from '../projects.ts'
import { readSecret } from '../secret-input.ts'
import { printable, table } from '../table.ts'

const nextDeployment = 'takes effect on the next deployment'

export async function listEnv({ client, args, print }: SignedInCall): Promise<void> {
  const { id } = await findProject(client, args[0]!)
  const { variables } = await unwrap(client.GET('/api/projects/{id}/env', { params: { path: { id } } }))
  const rows = variables.map(({ key, sensitive, updatedAt }) => [key, sensitive ? 'yes' : 'no', updatedAt])
  print(variables, table(['NAME', 'SENSITIVE', 'CHANGED'], rows))
}

export async function setEnv(call: SignedInCall): Promise<void> {
  const { client, args, options, print } = call
  const [wanted, key] = args as [string, string]
  if (key.includes('='))
    throw new UsageError('Pass the value on standard input, because other users of this machine can read arguments')
  const { id } = await findProject(client, wanted)
  const value = await readSecret(call, `Value of ${key}`)
  const sensitive = options['not-sensitive'] === true ? { sensitive: false } : {}
  const body = { variables: [{ key, value, ...sensitive }] }
  const result = await unwrap(client.POST('/api/projects/{id}/env', { params: { path: { id } }, body }))
  print(result, `${key} is set; ${nextDeployment}\n`)
}

export async function unsetEnv({ client, args, print }: SignedInCall): Promise<void> {
  const [wanted, ...keys] = args as [string, ...string[]]
  const { id } = await findProject(client, wanted)
  for (const key of keys) await unwrap(client.DELETE('/api/projects/{id}/env/{key}', { params: { path: { id, key } } }))
  print({ removed: keys }, `Removed ${keys.join(', ')}; ${nextDeployment}\n`)
}

export async function exportEnv({ client, args, print }: SignedInCall): Promise<void> {
  const { id } = await findProject(client, args[0]!)
  const result = await unwrap(client.GET('/api/projects/{id}/env/export', { params: { path: { id } } }))
  print(result, result.content)
}

export async function importEnv(call: SignedInCall): Promise<void> {
  const { client, args, options, stdin, print } = call
  const { id } = await findProject(client, args[0]!)
  const body = { content: await text(stdin), overwrite: options.overwrite === true }
  const result = await unwrap(client.POST('/api/projects/{id}/env/import', { params: { path: { id } }, body }))
  for (const { line, reason } of result.skipped) step(call, `Skipped line ${line}: ${printable(reason)}`)
  if (!body.overwrite) step(call, 'Existing variables are kept. Use --overwrite to replace them')
  print(result, `Set ${result.count} ${result.count === 1 ? 'variable' : 'variables'}; ${nextDeployment}\n`)
}
