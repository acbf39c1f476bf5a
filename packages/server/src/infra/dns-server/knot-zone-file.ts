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
/** What the checker says where it is no fault of the zone: its file cannot be read, or the machine is at its end. */
const noVerdict = /\((not exists|operation not permitted|not enough memory)\)/

/** Puts the text in place of the zone's file once the checker has accepted it; a crash at any moment leaves the old or the new one. */
export async function replaceZoneFile(paths: KnotPaths, run: Run, name: string, text: string): Promise<void> {
  // The checker is root where the panel is: it would read any file of this machine.
  // Asked in two steps: to look at each line of ten thousand takes longer than others should wait.
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

/** What a crash has left of candidates, and not one that is being checked: a server that was killed is started in the middle of that. */
export async function removeCandidates(paths: KnotPaths): Promise<void> {
  for (const name of await readdir(paths.candidates)) {
    const path = join(paths.candidates, name)
    const found = await statIfExists(path)
    if (found && Date.now() - found.mtimeMs > 2 * checkTimeoutMs) await rm(path, { force: true })
  }
}

/**
 * The checker knows two kinds of complaints: what the server itself would refuse, and what it would answer from all the same, such as
 * a delegation without the address of its name server. The second may be what the owner of the zone wants, and must not freeze it.
 */
async function checkZone(run: Run, name: string, candidate: string): Promise<void> {
  const output = collect()
  try {
    await run(['kzonecheck', '-o', name, candidate], { timeoutMs: checkTimeoutMs, stdout: output.stream })
  } catch (cause) {
    if (!(cause instanceof ProcessError) || cause.reason !== 'failed')
      throw new AdapterError('name-server-unavailable', 'The checker of zones cannot be run', { cause })
    const output_ = output.text()
    if (output_.includes('Error summary:') && !output_.includes('Serious semantic error')) return
    if (noVerdict.test(cause.stderr))
      throw new AdapterError('name-server-unavailable', 'The checker of zones could not do its work', { cause })
    throw new ZoneRefusedError(name, `${output_}${cause.stderr}`.replaceAll(candidate, name))
  }
}
