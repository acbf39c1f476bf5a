import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { Schema } from '@panel/client'
import { failUnlessOk } from '../api-response.ts'
import { CommandError, type SignedInCall, step, UsageError } from '../context.ts'
import { packFolder } from '../folder-archive.ts'
import { listFolder } from '../folder-files.ts'
import { printable } from '../table.ts'

/** As long as the server waits. */
const uploadWithinMs = 30 * 60_000

export async function uploadFolder(
  call: SignedInCall,
  project: Schema<'Project'>,
  from: string
): Promise<Schema<'Deployment'>> {
  const folder = resolve(call.cwd, from)
  const found = await stat(folder).catch(() => undefined)
  const type = archiveTypes.find(([pattern]) => pattern.test(folder))?.[1]
  if (found?.isFile() && type !== undefined) {
    step(call, `Uploading ${printable(folder)}`)
    return send(call, project, { name: basename(folder), type, body: createReadStream(folder) })
  }
  if (!found?.isDirectory()) throw new UsageError(`${from} is neither a folder nor a zip or tar.gz`)
  const paths = await listFolder(folder)
  if (paths.length === 0) throw new CommandError(`${printable(folder)} has no files to upload`)
  step(call, `Uploading ${paths.length} files of ${printable(folder)}`)
  const archive = packFolder(folder, paths, progressOf(call, paths.length))
  return send(call, project, { name: basename(folder), type: 'application/gzip', body: archive })
}

const archiveTypes = [
  [/\.zip$/i, 'application/zip'],
  [/\.(tgz|tar\.gz)$/i, 'application/gzip']
] as const

async function send(
  call: SignedInCall,
  project: Schema<'Project'>,
  { name, type, body }: { name: string; type: string; body: Readable }
): Promise<Schema<'Deployment'>> {
  const folder = name.replaceAll(/\p{Cc}/gu, '').slice(0, 100) || 'folder'
  const response = await call.send(
    `/api/projects/${project.id}/uploads?${new URLSearchParams({ folder })}`,
    {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: Readable.toWeb(body) as ReadableStream,
      duplex: 'half'
    } as RequestInit,
    uploadWithinMs
  )
  await failUnlessOk(response)
  return (await response.json()) as Schema<'Deployment'>
}

/** One line that is written over, on a terminal. */
function progressOf({ stderr }: Pick<SignedInCall, 'stderr'>, total: number): (count: number) => void {
  if (stderr.isTTY !== true) return () => {}
  let shown = -1
  return (count) => {
    const percent = Math.floor((count / total) * 100)
    if (percent === shown) return
    shown = percent
    stderr.write(`\r· ${percent} %${count === total ? '\n' : ''}`)
  }
}
