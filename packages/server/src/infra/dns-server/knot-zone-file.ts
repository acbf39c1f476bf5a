import { createHash } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AdapterError } from '../adapter-error.ts'
import { syncDirectory, writeFileSynced } from '../disk/atomic-file.ts'
import { statIfExists } from '../disk/stat-if-exists.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { ZoneRefusedError } from './dns-server.ts'
import { collect } from './knot-control.ts'
import { readableByServer } from './knot-directories.ts'
import type { KnotPaths } from './knot-paths.ts'

const checkTimeoutMs = 30_000
/** kzonecheck errors that are not about the zone: the file is unreadable or the machine is out of memory. */
const noVerdict = /\((not exists|operation not permitted|not enough memory)\)/

/** Replaces a zone file once the checker accepted it. Crash-safe: leaves either the old or the new file. */
export async function replaceZoneFile(paths: KnotPaths, run: Run, name: string, text: string): Promise<void> {
  // kzonecheck runs as root and would include any file on this machine. The per-line test alone is slow.
  if (/\$include/i.test(text) && /^\s*\$INCLUDE/im.test(text))
    throw new ZoneRefusedError(name, '$INCLUDE is not allowed')
  const candidate = join(paths.candidates, createHash('sha1').update(name).digest('hex'))
  try {
    await writeFileSynced(candidate, text, readableByServer)
    await checkZone(run, name, candidate)
    await rename(candidate, join(paths.zones, name))
  } catch (error) {
    await rm(candidate, { force: true })
    throw error
  }
  await syncDirectory(paths.zones)
}

/** Removes candidates left by a crash, but not those a running check may still use. */
export async function removeCandidates(paths: KnotPaths): Promise<void> {
  for (const name of await readdir(paths.candidates)) {
    const path = join(paths.candidates, name)
    const found = await statIfExists(path)
    if (found && Date.now() - found.mtimeMs > 2 * checkTimeoutMs) await rm(path, { force: true })
  }
}

/** Warnings, such as a delegation without glue, may be what the owner wants and must not block the zone. */
async function checkZone(run: Run, name: string, candidate: string): Promise<void> {
  const output = collect()
  try {
    await run(['kzonecheck', '-o', name, candidate], { timeoutMs: checkTimeoutMs, stdout: output.stream })
  } catch (cause) {
    if (!(cause instanceof ProcessError) || cause.reason !== 'failed')
      throw new AdapterError('name-server-unavailable', 'The zone checker could not be started', { cause })
    const output_ = output.text()
    if (output_.includes('Error summary:') && !output_.includes('Serious semantic error')) return
    if (noVerdict.test(cause.stderr))
      throw new AdapterError('name-server-unavailable', 'The zone checker failed', { cause })
    throw new ZoneRefusedError(name, `${output_}${cause.stderr}`.replaceAll(candidate, name))
  }
}
