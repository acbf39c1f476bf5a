import { existsSync } from 'node:fs'
import { ProcessError, type Run } from '../process/process.ts'
import { readEffectiveConfig } from './sshd-program.ts'

const config = '/etc/ssh/sshd_config'

/** The ports that the machine's own SSH server is to serve; none where there is no such server. Root only. */
export async function machineSshPorts(run: Run): Promise<number[]> {
  if (!existsSync(config)) return []
  const effective = await readEffectiveConfig(run, config).catch((error: unknown) => {
    if (error instanceof ProcessError) return undefined
    throw error
  })
  // It cannot read its own file: what it would do is not known, so its usual port stays its own.
  if (effective === undefined) return [22]
  return [...effective.matchAll(/^port (\d+)$/gm)].map(([, port]) => Number(port))
}
