import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Schema, unwrap } from '@panel/client'
import type { Command } from '../command.ts'
import { failUnlessOk } from '../api-response.ts'
import { CommandError, program, type SignedInCall } from '../context.ts'
import { projectOf } from '../projects.ts'
import { table } from '../table.ts'

const ofVolume = ['--volume <name>', 'of this volume instead'] as const

/** Id of the project or of the volume that --volume names, and the name of the project. */
async function filesRootOf(call: SignedInCall): Promise<{ id: string; name: string }> {
  const { id, name } = await projectOf(call)
  const { volume } = call.options
  if (volume === undefined) return { id, name }
  const { volumes } = await unwrap(call.client.GET('/api/projects/{id}/volumes', { params: { path: { id } } }))
  const found = volumes.find((each) => each.name === volume)
  if (!found) throw new CommandError(`${name} has no volume named ${volume}. Run ${program} volumes list ${name}`)
  return { id: found.id, name }
}

export const listFiles: Command = {
  name: 'files list',
  about: 'list a folder of a project; . is its root',
  args: '[project] <folder>',
  options: [ofVolume],
  example: 'files list shop .',
  async run(call) {
    const { id, name } = await filesRootOf(call)
    const path = call.args[0] === '.' ? '' : call.args[0]!
    const nodes: Schema<'FileNode'>[] = []
    for (let after: string | null | undefined; after !== null;) {
      const query = { path, ...(after === undefined ? {} : { after }) }
      const found = await unwrap(call.client.GET('/api/files/{id}/list', { params: { path: { id }, query } }))
      nodes.push(...found.nodes)
      after = found.next
    }
    const rows = nodes.map(({ mode, type, size, mtime, path: file }) => [mode, type, size, mtime, file])
    call.print(nodes, table(['MODE', 'TYPE', 'BYTES', 'CHANGED', 'PATH'], rows))
    call.next(`files get ${name} <file>`)
  }
}

export const getFile: Command = {
  name: 'files get',
  about: 'write a file of a project to standard output',
  args: '[project] <file>',
  options: [ofVolume],
  example: 'files get shop public/robots.txt > robots.txt',
  async run(call) {
    const { id } = await filesRootOf(call)
    const response = await call.send(`/api/files/${id}/download?${new URLSearchParams({ path: call.args[0]! })}`)
    await failUnlessOk(response)
    if (response.body)
      await pipeline(Readable.fromWeb(response.body as never), call.stdout as NodeJS.WriteStream, { end: false })
  }
}

export const putFile: Command = {
  name: 'files put',
  about: 'upload a file into a folder of a project',
  args: '[project] <file>',
  options: [['--to <folder>', 'default: the root of the project or volume'], ofVolume],
  example: 'files put shop logo.svg --to public',
  async run(call) {
    const { id, name } = await filesRootOf(call)
    const path = call.args[0]!
    const form = new FormData()
    form.set('path', typeof call.options.to === 'string' ? call.options.to : '')
    form.set('file', new Blob([await readFile(resolve(call.cwd, path))]), basename(path))
    const response = await call.send(`/api/files/${id}/upload`, { method: 'POST', body: form })
    await failUnlessOk(response)
    call.print(await response.json(), `Uploaded ${basename(path)}\n`)
    call.next(`files list ${name} ${typeof call.options.to === 'string' ? call.options.to : '.'}`)
  }
}
