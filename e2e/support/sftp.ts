import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sftpPaths } from '../../packages/server/src/process/paths.ts'
import { createHostHelper } from '../../packages/server/src/infra/host-helper/local-host-helper.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'

const execute = promisify(execFile)

export async function removeSftpAccounts(dataDir: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const helper = createHostHelper({
    run,
    projectsDirectory: join(dataDir, 'unused'),
    ...sftpPaths({ DATA_DIR: dataDir })
  })
  for (const name of await helper.listAccounts()) await helper.removeAccount(name)
}

export interface Ended {
  code: number | null
  output: string
}

/** Runs an OpenSSH client with this standard input. */
export async function runClient(
  [file, ...args]: readonly [string, ...string[]],
  input = '',
  env: Record<string, string> = {}
): Promise<Ended> {
  const child = spawn(file, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
    timeout: 60_000
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}

export async function makeKey(path: string): Promise<void> {
  await execute('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'ann@example.com', '-f', path])
}
