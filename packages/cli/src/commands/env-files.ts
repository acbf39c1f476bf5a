import { mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from '../command.ts'
import { CommandError, type SignedInCall, step, UsageError } from '../context.ts'
import { table } from '../table.ts'
import { runProgram } from '../local-program.ts'
import { importVariables, removeVariables } from './env.ts'
import { type EnvTarget, groupOption, targetOf } from './env-target.ts'

const file = ['--file <file>', 'default: .env'] as const
const pathOf = (cwd: string, option: string | boolean | undefined): string =>
  resolve(cwd, typeof option === 'string' ? option : '.env')

export const pullEnv: Command = {
  name: 'env pull',
  about: 'write the variables to a .env file that only you can read, with references as they are',
  args: '[project]',
  options: [file, ['--force', 'replace a file that exists'], groupOption],
  example: 'env pull shop --file .env.local',
  async run(call) {
    const target = await targetOf(call)
    const path = pathOf(call.cwd, call.options.file)
    const { content } = await target.readFile()
    await writePrivately(path, content, call.options.force === true)
    call.print({ file: path }, `Wrote ${path}. It holds secrets: keep it out of git\n`)
    call.next(`env push ${target.argument}`)
  }
}

export const pushEnv: Command = {
  name: 'env push',
  about: 'set the variables of a .env file, replacing existing ones; others stay',
  args: '[project]',
  options: [file, ['--dry-run', 'only show what would change'], groupOption],
  example: 'env push shop --file .env.production',
  async run(call) {
    const target = await targetOf(call)
    const path = pathOf(call.cwd, call.options.file)
    const content = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
      throw new UsageError(`Could not read ${path}: ${cause.code ?? cause.message}`)
    })
    if (call.options.dryRun === true) return showChanges(call, target, content)
    await importVariables(call, target, content, true)
    call.next(target.deploy)
  }
}

async function showChanges(call: SignedInCall, target: EnvTarget, content: string): Promise<void> {
  const { changes } = await target.importFile({ content, overwrite: true, dryRun: true })
  if (!changes) throw new CommandError('This panel does not preview changes')
  const rows = [
    ...(['added', 'changed', 'removed'] as const).flatMap((kind) => changes[kind].map((key) => [kind, key])),
    ...changes.projects.map(({ name, needs }) => [name, needs.toLowerCase()]),
    ...changes.broken.map(({ project, key, reference }) => [project, `${key}: ${reference} would not resolve`])
  ]
  call.print(changes, table(['CHANGE', 'WHAT'], rows))
}

export const editEnv: Command = {
  name: 'env edit',
  about: 'edit all variables in $VISUAL or $EDITOR; a line that you delete deletes its variable',
  args: '[project]',
  options: [groupOption],
  example: 'env edit shop',
  async run(call) {
    const target = await targetOf(call)
    const { env } = call
    const { content: before } = await target.readFile()
    const folder = await mkdtemp(join(tmpdir(), 'panel-env-'))
    try {
      const path = join(folder, `${target.name}.env`)
      await writeFile(path, before, { mode: 0o600 })
      const [editor, ...args] = (env.VISUAL ?? env.EDITOR ?? 'vi').split(' ').filter((word) => word !== '')
      await runProgram(call, editor ?? 'vi', [...args, path])
      const after = await readFile(path, 'utf8')
      if (after === before) return step(call, 'Nothing changed')
      const names = await namesIn(target, after)
      // Not those that someone added meanwhile.
      const removed = (await namesIn(target, before)).filter((name) => !names.includes(name))
      await importVariables(call, target, after, true)
      await removeVariables(target, removed)
      if (removed.length > 0) step(call, `Removed ${removed.join(', ')}`)
      call.next(target.deploy)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** The variables of a file, as the panel reads it. Throws if it cannot read a line. */
async function namesIn(target: EnvTarget, content: string): Promise<string[]> {
  const { preview, skipped } = await target.importFile({ content, overwrite: true, dryRun: true })
  if (skipped.length > 0 || !preview)
    throw new CommandError(`Nothing was changed: line ${skipped[0]?.line ?? 1} ${skipped[0]?.reason ?? 'is invalid'}`)
  return [...preview.added, ...preview.replaced].map(({ key }) => key)
}

/** Atomic, and readable only by the user from the first byte. */
async function writePrivately(path: string, content: string, force: boolean): Promise<void> {
  if (!force) {
    const handle = await open(path, 'wx', 0o600).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EEXIST') throw new UsageError(`${path} exists. Use --force to replace it`)
      throw cause
    })
    await handle.writeFile(content).finally(() => handle.close())
    return
  }
  const temporary = `${path}.${process.pid}.tmp`
  await writeFile(temporary, content, { mode: 0o600, flag: 'wx' })
  await rename(temporary, path)
}
