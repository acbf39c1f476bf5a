import { run } from '../infra/process/run.ts'

export interface Finding {
  part: string
  found: boolean
  version?: string
  running?: boolean
  reachable?: boolean
  remedy?: string
  advice?: string
}

export async function findInstalled(part: string, argv: [string, ...string[]], remedy?: string): Promise<Finding> {
  try {
    const { stdout, stderr } = await run(argv, { timeoutMs: 5_000 })
    return { part, found: true, version: versionIn(stdout + stderr) }
  } catch {
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
