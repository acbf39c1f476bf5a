import { isAbsolute } from 'node:path'
import { ProcessError } from '../infra/process/process.ts'
import { resolveProgram } from '../infra/process/program-path.ts'
import { run as runProcess } from '../infra/process/run.ts'

export interface Finding {
  part: string
  found: boolean
  version?: string
  running?: boolean
  reachable?: boolean
  remedy?: string
  advice?: string
}

/** A program that is there but does not print its version in time, on a busy machine, counts as found. */
export async function findInstalled(
  part: string,
  argv: [string, ...string[]],
  remedy?: string,
  { run = runProcess, timeoutMs = 5_000 } = {}
): Promise<Finding> {
  try {
    const { stdout, stderr } = await run(argv, { timeoutMs })
    return { part, found: true, version: versionIn(stdout + stderr) }
  } catch (error) {
    const isSlow = error instanceof ProcessError && error.reason === 'timeout'
    if (isSlow && isAbsolute(resolveProgram(argv[0]))) return { part, found: true }
    return { part, found: false, ...(remedy === undefined ? {} : { remedy }) }
  }
}

const versionIn = (text: string): string => /\d+(\.\d+)+[\w.-]*/.exec(text)?.[0] ?? ''

export async function withVersion(installed: Finding, ping: () => Promise<string>, remedy: string): Promise<Finding> {
  if (!installed.found) return installed
  try {
    const version = versionIn(await ping()) || installed.version || ''
    return { ...installed, version, running: true, reachable: true }
  } catch {
    return { ...installed, running: false, reachable: false, remedy }
  }
}
