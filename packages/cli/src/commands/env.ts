import { text } from 'node:stream/consumers'
import { type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { type SignedInCall, step, UsageError } from '../context.ts'
import { projectOf } from '../projects.ts'
import { readSecret } from '../secret-input.ts'
import { printable, table } from '../table.ts'

const nextDeployment = 'takes effect on the next deployment'

export const listEnv: Command = {
  name: 'env list',
  about: 'list the variables, without their values',
  args: '[project]',
  example: 'env list shop',
  async run(call) {
    const { id, name } = await projectOf(call)
    const { variables } = await unwrap(call.client.GET('/api/projects/{id}/env', { params: { path: { id } } }))
    const rows = variables.map(({ key, sensitive, updatedAt }) => [key, sensitive ? 'yes' : 'no', updatedAt])
    call.print(variables, table(['NAME', 'SENSITIVE', 'CHANGED'], rows))
    call.next(`env pull ${name}`)
  }
}

export const setEnv: Command = {
  name: 'env set',
  about: 'set a variable to the value from standard input',
  args: '[project] <name>',
  options: [['--not-sensitive', 'show the value in the dashboard']],
  example: 'env set shop SMTP_PASSWORD < password.txt',
  async run(call) {
    const key = call.args[0]!
    if (key.includes('='))
      throw new UsageError('Pass the value on standard input, because other users of this machine can read arguments')
    const { id, name } = await projectOf(call)
    const value = await readSecret(call, `Value of ${key}`)
    const sensitive = call.options.notSensitive === true ? { sensitive: false } : {}
    const body = { variables: [{ key, value, ...sensitive }] }
    const result = await unwrap(call.client.POST('/api/projects/{id}/env', { params: { path: { id } }, body }))
    call.print(result, `${key} is set; ${nextDeployment}\n`)
    call.next(`deploy ${name}`)
  }
}

export const unsetEnv: Command = {
  name: 'env unset',
  about: 'delete variables; several need the project as the first argument or -p',
  args: '[project] <name…>',
  example: 'env unset shop OLD_KEY OTHER_KEY',
  async run(call) {
    const { id, name } = await projectOf(call)
    await removeVariables(call, id, call.args)
    call.print({ removed: call.args }, `Removed ${call.args.join(', ')}; ${nextDeployment}\n`)
    call.next(`deploy ${name}`)
  }
}

export const exportEnv: Command = {
  name: 'env export',
  about: 'export variables with values as a .env file to standard output',
  args: '[project]',
  example: 'env export shop > .env',
  async run(call) {
    const { id } = await projectOf(call)
    const result = await readEnvFile(call, id)
    call.print(result, result.content)
  }
}

export const importEnv: Command = {
  name: 'env import',
  about: 'import variables from a .env file on standard input',
  args: '[project]',
  options: [['--overwrite', 'replace existing variables']],
  example: 'env import shop --overwrite < .env',
  async run(call) {
    const { id, name } = await projectOf(call)
    const overwrite = call.options.overwrite === true
    await importVariables(call, id, await text(call.stdin), overwrite)
    if (!overwrite) step(call, 'Existing variables are kept. Use --overwrite to replace them')
    call.next(`deploy ${name}`)
  }
}

export const readEnvFile = ({ client }: SignedInCall, id: string): Promise<Schema<'EnvFileText'>> =>
  unwrap(client.GET('/api/projects/{id}/env/export', { params: { path: { id } } }))

export async function importVariables(
  call: SignedInCall,
  id: string,
  content: string,
  overwrite: boolean
): Promise<void> {
  const body = { content, overwrite }
  const result = await unwrap(call.client.POST('/api/projects/{id}/env/import', { params: { path: { id } }, body }))
  for (const { line, reason } of result.skipped) step(call, `Skipped line ${line}: ${printable(reason)}`)
  call.print(result, `Set ${result.count} ${result.count === 1 ? 'variable' : 'variables'}; ${nextDeployment}\n`)
}

export async function removeVariables({ client }: SignedInCall, id: string, keys: readonly string[]): Promise<void> {
  for (const key of keys) await unwrap(client.DELETE('/api/projects/{id}/env/{key}', { params: { path: { id, key } } }))
}
