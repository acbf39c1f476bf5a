import { text } from 'node:stream/consumers'
import type { Schema } from '@panel/client'
import type { Command } from '../command.ts'
import { type SignedInCall, step, UsageError } from '../context.ts'
import { readSecret } from '../secret-input.ts'
import { printable, table } from '../table.ts'
import { type EnvTarget, groupOption, targetOf } from './env-target.ts'

const nextDeployment = 'takes effect on the next deployment'

export const listEnv: Command = {
  name: 'env list',
  about: 'list the variables, without their values',
  args: '[project]',
  options: [groupOption],
  example: 'env list shop',
  async run(call) {
    const target = await targetOf(call)
    const { variables } = await target.list()
    const rows = variables.map(({ key, sensitive, scope, processes, references, updatedAt }) => [
      key,
      sensitive ? 'yes' : 'no',
      scope.toLowerCase(),
      processes?.join(', ') ?? 'all',
      references.join(', '),
      updatedAt
    ])
    call.print(variables, table(['NAME', 'SENSITIVE', 'SCOPE', 'PROCESSES', 'REFERS TO', 'CHANGED'], rows))
    call.next(`env pull ${target.argument}`)
  }
}

export const setEnv: Command = {
  name: 'env set',
  about: 'set a variable to the value from standard input',
  args: '[project] <name>',
  options: [
    ['--not-sensitive', 'do not mask the value in logs'],
    ['--scope <scope>', 'build, run or both'],
    ['--processes <names>', 'web, release, jobs or workers, separated by commas; "all" for all of them'],
    groupOption
  ],
  example: 'env set shop SMTP_PASSWORD < password.txt',
  async run(call) {
    const key = call.args[0]!
    if (key.includes('='))
      throw new UsageError('Pass the value on standard input, because other users of this machine can read arguments')
    const use = useOf(call)
    const target = await targetOf(call)
    const value = await readSecret(call, `Value of ${key}`)
    const result = await target.set({ key, value, ...use })
    call.print(result, `${key} is set; ${nextDeployment}\n`)
    call.next(target.deploy)
  }
}

function useOf({ options }: SignedInCall): Pick<Schema<'EnvEntry'>, 'sensitive' | 'scope' | 'processes'> {
  const { scope, processes } = options
  const chosen = scopes.find((one) => typeof scope === 'string' && one === scope.toUpperCase())
  if (scope !== undefined && chosen === undefined) throw new UsageError('--scope must be build, run or both')
  const names =
    typeof processes === 'string' && processes !== 'all' ? processes.split(',').map((name) => name.trim()) : null
  return {
    ...(options.notSensitive === true ? { sensitive: false } : {}),
    ...(chosen === undefined ? {} : { scope: chosen }),
    ...(processes === undefined ? {} : { processes: names })
  }
}

const scopes = ['BUILD', 'RUN', 'BOTH'] as const

export const unsetEnv: Command = {
  name: 'env unset',
  about: 'delete variables; several need the project as the first argument or -p',
  args: '[project] <name…>',
  options: [groupOption],
  example: 'env unset shop OLD_KEY OTHER_KEY',
  async run(call) {
    const target = await targetOf(call)
    await removeVariables(target, call.args)
    call.print({ removed: call.args }, `Removed ${call.args.join(', ')}; ${nextDeployment}\n`)
    call.next(target.deploy)
  }
}

export const exportEnv: Command = {
  name: 'env export',
  about: 'export variables with values as a .env file to standard output',
  args: '[project]',
  options: [groupOption],
  example: 'env export shop > .env',
  async run(call) {
    const result = await (await targetOf(call)).readFile()
    call.print(result, result.content)
  }
}

export const importEnv: Command = {
  name: 'env import',
  about: 'import variables from a .env file on standard input',
  args: '[project]',
  options: [['--overwrite', 'replace existing variables'], groupOption],
  example: 'env import shop --overwrite < .env',
  async run(call) {
    const target = await targetOf(call)
    const overwrite = call.options.overwrite === true
    await importVariables(call, target, await text(call.stdin), overwrite)
    if (!overwrite) step(call, 'Existing variables are kept. Use --overwrite to replace them')
    call.next(target.deploy)
  }
}

export async function importVariables(
  call: SignedInCall,
  target: EnvTarget,
  content: string,
  overwrite: boolean
): Promise<void> {
  const result = await target.importFile({ content, overwrite })
  for (const { line, reason } of result.skipped) step(call, `Skipped line ${line}: ${printable(reason)}`)
  call.print(result, `Set ${result.count} ${result.count === 1 ? 'variable' : 'variables'}; ${nextDeployment}\n`)
}

export async function removeVariables(target: EnvTarget, keys: readonly string[]): Promise<void> {
  for (const key of keys) await target.remove(key)
}
