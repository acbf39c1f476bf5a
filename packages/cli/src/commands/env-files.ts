import { mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { CommandError, step, UsageError } from '../context.ts'
import { projectOf } from '../projects.ts'
import { runProgram } from '../local-program.ts'
import { importVariables, readEnvFile, removeVariables } from './env.ts'

const file = ['--file <file>', 'default: .env'] as const
const pathOf = (cwd: string, option: string | boolean | undefined): string =>
  resolve(cwd, typeof option === 'string' ? option : '.env')

export const pullEnv: Command = {
  name: 'env pull',
  about: 'write the variables with their values to a .env file that only you can read',
  args: '[project]',
  options: [file, ['--force', 'replace a file that exists']],
  example: 'env pull shop --file .env.local',
  async run(call) {
    const { id, name } = await projectOf(call)
    const path = pathOf(call.cwd, call.options.file)
    const { content } = await readEnvFile(call, id)
    await writePrivately(path, content, call.options.force === true)
    call.print({ file: path }, `Wrote ${path}. It holds secrets: keep it out of git\n`)
    call.next(`env push ${name}`)
  }
}

export const pushEnv: Command = {
  name: 'env push',
  about: 'set the variables of a .env file, replacing existing ones; others stay',
  args: '[project]',
  options: [file],
  example: 'env push shop --file .env.production',
  async run(call) {
    const { id, name } = await projectOf(call)
    const path = pathOf(call.cwd, call.options.file)
    const content = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
      throw new UsageError(`Could not read ${path}: ${cause.code ?? cause.message}`)
    })
    await importVariables(call, id, content, true)
    call.next(`deploy ${name}`)
  }
}

export const editEnv: Command = {
  name: 'env edit',
  about: 'edit all variables in $VISUAL or $EDITOR; a line that you delete deletes its variable',
  args: '[project]',
  example: 'env edit shop',
  async run(call) {
    const { id, name } = await projectOf(call)
    const { client, env } = call
    const { content: before } = await readEnvFile(call, id)
    const folder = await mkdtemp(join(tmpdir(), 'panel-env-'))
    try {
      const path = join(folder, `${name}.env`)
      await writeFile(path, before, { mode: 0o600 })
      const [editor, ...args] = (env.VISUAL ?? env.EDITOR ?? 'vi').split(' ').filter((word) => word !== '')
      await runProgram(call, editor ?? 'vi', [...args, path])
      const after = await readFile(path, 'utf8')
      if (after === before) return step(call, 'Nothing changed')
      const params = { path: { id } }
      const { preview, skipped } = await unwrap(
        client.POST('/api/projects/{id}/env/import', {
          params,
          body: { content: after, overwrite: true, dryRun: true }
        })
      )
      if (skipped.length > 0 || !preview)
        throw new CommandError(
          `Nothing was changed: line ${skipped[0]?.line ?? 1} ${skipped[0]?.reason ?? 'is invalid'}`
        )
      await importVariables(call, id, after, true)
      const removed = preview.kept.map((each) => each.key)
      await removeVariables(call, id, removed)
      if (removed.length > 0) step(call, `Removed ${removed.join(', ')}`)
      call.next(`deploy ${name}`)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
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
