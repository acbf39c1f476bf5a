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
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw new UsageError(`${from} is not a folder`)
  const paths = await listFolder(folder)
  if (paths.length === 0) throw new CommandError(`${printable(folder)} has no files to upload`)
  const name =
    basename(folder)
      .replaceAll(/\p{Cc}/gu, '')
      .slice(0, 100) || 'folder'
  step(call, `Uploading ${paths.length} files of ${printable(folder)}`)
  const archive = packFolder(folder, paths, progressOf(call, paths.length))
  const response = await call.send(
    `/api/projects/${project.id}/uploads?${new URLSearchParams({ folder: name })}`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/gzip' },
      body: Readable.toWeb(archive) as ReadableStream,
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
