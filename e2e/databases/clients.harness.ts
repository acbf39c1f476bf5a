import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Command line of the engine's own client for this URI, without the password in its arguments. */
function clientCommand(uri: string): { file: string; args: string[]; env: Record<string, string> } {
  const { protocol, hostname, port, username, password, pathname } = new URL(uri)
  const database = pathname.slice(1)
  return protocol === 'postgresql:'
    ? { file: 'psql', args: ['--no-psqlrc', '-v', 'ON_ERROR_STOP=1', '-At', uri], env: {} }
    : {
        file: 'mariadb',
        args: ['--no-defaults', '--protocol=TCP', '-h', hostname, '-P', port, '-u', username, '-N', '-B', database],
        env: { MYSQL_PWD: password }
      }
}
/** Runs a statement; resolves with tab-separated rows. */
export async function ask(uri: string, sql: string): Promise<string> {
  const { file, args, env } = clientCommand(uri)
  const flag = file === 'psql' ? '-c' : '-e'
  const { stdout } = await execute(file, [...args, flag, sql], { env: { ...process.env, ...env }, timeout: 60_000 })
  return stdout.trim()
}
