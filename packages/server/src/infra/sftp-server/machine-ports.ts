import { existsSync } from 'node:fs'
import { ProcessError, type Run } from '../process/process.ts'
import { readEffectiveConfig } from './sshd-program.ts'

const config = '/etc/ssh/sshd_config'

/** Ports of the machine's own SSH server; empty if it has none. Requires root. */
export async function machineSshPorts(run: Run): Promise<number[]> {
  if (!existsSync(config)) return []
  const effective = await readEffectiveConfig(run, config).catch((error: unknown) => {
    if (error instanceof ProcessError) return undefined
    throw error
  })
  // Its configuration is invalid, so assume its default port.
  if (effective === undefined) return [22]
  return [...effective.matchAll(/^port (\d+)$/gm)].map(([, port]) => Number(port))
}
